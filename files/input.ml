exception Unreadable of string

let unreadable format = Printf.ksprintf (fun reason -> raise (Unreadable reason)) format

(* Where bytes come from; [close] may be called at any time, once. *)
type source = { read : bytes -> int -> int -> int; close : unit -> unit }
type t = { source : source; mutable ahead : string  (** what has been read already *) }

(* {1 Descriptors} *)

let failed error = unreadable "cannot be read: %s" (Unix.error_message error)

let rec read_from fd bytes at n =
  match Unix.read fd bytes at n with
  | n -> n
  | exception Unix.Unix_error (EINTR, _, _) -> read_from fd bytes at n
  | exception Unix.Unix_error (EISDIR, _, _) -> unreadable "it is a folder"
  | exception Unix.Unix_error (error, _, _) -> failed error

let is_null (stats : Unix.stats) =
  match Unix.stat "/dev/null" with
  | null -> null.st_rdev = stats.st_rdev
  | exception Unix.Unix_error _ -> false

(* Devices that have no end are refused. *)
let kind fd =
  match Unix.fstat fd with
  | { st_kind = S_CHR; _ } as stats when not (is_null stats || Unix.isatty fd) -> unreadable "it is a device"
  | { st_kind = S_BLK; _ } -> unreadable "it is a device"
  | { st_kind; _ } -> st_kind
  | exception Unix.Unix_error (error, _, _) -> failed error

(* In seconds. *)
let most_without_writer = 2.
let between_looks = 0.01

(* The pipe was opened without waiting for a writer: without one it has no data, and nothing comes to its
   end; a writer that waits for us is there at once. *)
let read_from_pipe fd =
  let found = ref false in
  let rec read ~waited bytes at n =
    match Unix.read fd bytes at n with
    | 0 when n > 0 && not !found ->
        if waited > most_without_writer then unreadable "it is a pipe, and nobody writes into it";
        Unix.sleepf between_looks;
        read ~waited:(waited +. between_looks) bytes at n
    | n ->
        found := true;
        n
    | exception Unix.Unix_error ((EAGAIN | EWOULDBLOCK), _, _) ->
        found := true;
        Unix.clear_nonblock fd;
        read_from fd bytes at n
    | exception Unix.Unix_error (EINTR, _, _) -> read ~waited bytes at n
  in
  read ~waited:0.

let of_descriptor fd close =
  match kind fd with
  | S_FIFO -> { read = read_from_pipe fd; close }
  | _ ->
      Unix.clear_nonblock fd;
      { read = read_from fd; close }

let of_name name =
  if String.equal name "-" then begin
    ignore (kind Unix.stdin : Unix.file_kind);
    { read = read_from Unix.stdin; close = ignore }
  end
  else if String.equal name "" then unreadable "the name of the file is empty"
  else
    match Unix.openfile name [ O_RDONLY; O_CLOEXEC; O_NONBLOCK; O_NOCTTY ] 0 with
    | exception Unix.Unix_error (error, _, _) -> failed error
    | fd -> (
        let close () = Unix.close fd in
        try of_descriptor fd close
        with exn ->
          close ();
          raise exn)

(* {1 Looking ahead} *)

let byte_order_mark = "\xef\xbb\xbf"

(* That, and the longest of what [starts_with] is asked for. *)
let looked_at = String.length byte_order_mark + 8

let read t bytes at n =
  match t.ahead with
  | "" -> t.source.read bytes at n
  | ahead ->
      let n = min n (String.length ahead) in
      Bytes.blit_string ahead 0 bytes at n;
      t.ahead <- String.sub ahead n (String.length ahead - n);
      n

let looked_into source =
  let start = Bytes.create looked_at in
  let rec fill at =
    if at = looked_at then at
    else match source.read start at (looked_at - at) with 0 -> at | n -> fill (at + n)
  in
  let n = fill 0 in
  { source; ahead = Bytes.sub_string start 0 n }

let starts_with t prefix = String.starts_with ~prefix t.ahead

(* {1 gzip} *)

let no_gzip () =
  unreadable
    "it is compressed by gzip, and there is no program gzip here to decompress it: install that, or \
     decompress it elsewhere"

(* What [gzip] is to decompress may come from a pipe, so that somebody has to hand it on while we read what comes out. If
   [gzip] ends earlier, that thread gets EPIPE instead of a signal. *)
let hand_on t feed failure ~taken =
  ignore (Thread.sigmask SIG_BLOCK [ Sys.sigpipe ] : int list);
  let bytes = Bytes.create 65_536 in
  let rec write at n =
    if n > 0 then
      let wrote = Unix.write feed bytes at n in
      write (at + wrote) (n - wrote)
  in
  let rec more () =
    match read t bytes 0 (Bytes.length bytes) with
    | 0 -> ()
    | n ->
        ignore (Atomic.fetch_and_add taken n : int);
        write 0 n;
        more ()
  in
  (try more () with Unix.Unix_error _ -> () | Unreadable _ as exn -> Atomic.set failure (Some exn));
  Unix.close feed;
  t.source.close ()

let rec wait pid =
  match Unix.waitpid [] pid with _, status -> status | exception Unix.Unix_error (EINTR, _, _) -> wait pid

(* A program that cannot be started: [create_process] says so, or its child ends with this code. *)
let not_started = 127

let start_gzip ~stdin ~stdout =
  let nowhere = Unix.openfile "/dev/null" [ O_WRONLY; O_CLOEXEC ] 0 in
  Fun.protect ~finally:(fun () -> Unix.close nowhere) @@ fun () ->
  match Unix.create_process "gzip" [| "gzip"; "-dc" |] stdin stdout nowhere with
  | pid -> pid
  | exception Unix.Unix_error _ -> no_gzip ()

let greatest_ratio = 200
let harmless = 64 * 1024 * 1024

let decompressed t =
  let inlet, feed = Unix.pipe ~cloexec:true () in
  let outlet, out = Unix.pipe ~cloexec:true () in
  let pid =
    Fun.protect
      ~finally:(fun () -> List.iter Unix.close [ inlet; out ])
      (fun () ->
        try start_gzip ~stdin:inlet ~stdout:out
        with exn ->
          List.iter Unix.close [ feed; outlet ];
          raise exn)
  in
  let failure = Atomic.make None and taken = Atomic.make 0 and given = ref 0 in
  ignore (Thread.create (fun () -> hand_on t feed failure ~taken) () : Thread.t);
  let ended = ref false in
  let at_end () =
    ended := true;
    let status = wait pid in
    Option.iter raise (Atomic.get failure);
    match status with
    | WEXITED (0 | 2 (* a warning *)) -> 0
    | WEXITED code when code = not_started -> no_gzip ()
    | _ -> unreadable "it is compressed by gzip, and damaged or cut short"
  in
  let read bytes at n =
    if !ended then 0
    else
      match read_from outlet bytes at n with
      | 0 when n > 0 -> at_end ()
      | n ->
          given := !given + n;
          if !given > harmless && !given / greatest_ratio > Atomic.get taken then
            unreadable
              "it is compressed by gzip, to less than a %dth of what comes out, and may fill the memory: \
               decompress it elsewhere if it is meant so"
              greatest_ratio;
          n
  in
  (* The thread may wait for more of standard input for ever: it and what it reads from are left to the end of the
     process. *)
  let close () =
    Unix.close outlet;
    if not !ended then begin
      Unix.kill pid Sys.sigkill;
      ignore (wait pid : Unix.process_status)
    end
  in
  { read; close }

(* {1 Forms} *)

let gzip = "\x1f\x8b"

let others =
  [
    ("\x28\xb5\x2f\xfd", "compressed by zstd: unzstd it first");
    ("\xfd7zXZ\x00", "compressed by xz: unxz it first");
    ("BZh", "compressed by bzip2: bunzip2 it first");
    ("PK\x03\x04", "a zip archive: unzip it first");
    ("\xff\xfe", "UTF-16: convert it first (iconv -f UTF-16 -t UTF-8)");
    ("\xfe\xff", "UTF-16: convert it first (iconv -f UTF-16 -t UTF-8)");
  ]

let refuse_others t =
  List.iter (fun (mark, what) -> if starts_with t mark then unreadable "it is %s" what) others

let without_mark t =
  if starts_with t byte_order_mark then begin
    let n = String.length byte_order_mark in
    t.ahead <- String.sub t.ahead n (String.length t.ahead - n)
  end

(* [source] is closed if [f] raises. *)
let or_closed source f =
  try f ()
  with exn ->
    source.close ();
    raise exn

let opened name =
  let source = of_name name in
  let t = or_closed source (fun () -> looked_into source) in
  let t =
    if not (starts_with t gzip) then t
    else
      let source = or_closed source (fun () -> decompressed t) in
      or_closed source (fun () -> looked_into source)
  in
  or_closed t.source (fun () ->
      refuse_others t;
      without_mark t);
  t

(* {1 For commands} *)

let with_file name f =
  match
    let t = opened name in
    Fun.protect ~finally:t.source.close (fun () -> f t)
  with
  | x -> Ok x
  | exception Unreadable reason -> Error reason

let mib bytes = Printf.sprintf "%d MiB" (bytes / 1024 / 1024)

let contents ~most t =
  let chunk = Bytes.create 65_536 and text = Buffer.create 65_536 in
  let rec more () =
    match read t chunk 0 (Bytes.length chunk) with
    | 0 -> Buffer.contents text
    | n ->
        Buffer.add_subbytes text chunk 0 n;
        if Buffer.length text > most then unreadable "it is larger than %s" (mib most) else more ()
  in
  more ()

let shown = function "-" -> "standard input" | "" -> "''" | name -> Foreign_text.line name

let one_stdin names =
  if List.length (List.filter (String.equal "-") names) > 1 then
    Error "only one of the files can be standard input"
  else Ok ()
