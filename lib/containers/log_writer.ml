exception Failed of string * exn
exception Closed of string

let () =
  Printexc.register_printer (function
    | Failed (path, e) ->
        Some
          (Printf.sprintf
             "%s: the log could not be synced and takes no more records: %s; close it and open it again" path
             (Printexc.to_string e))
    | Closed path -> Some (path ^ ": the log is closed")
    | _ -> None)

type state = Open | Broken of exn | Ended

type t = {
  system : Log_system.t;
  path : string;
  segment_size : int;
  seed : Log_format.seed;
  mutable segments : Log_format.segment array;  (** replaced, never changed, since views have it, too *)
  mutable fd : Unix.file_descr;  (** of the last segment *)
  mutable stop : int;
  mutable number : int;  (** of the next record *)
  mutable synced : int;
  mutable marked : bool;  (** whether the last segment has no records, or ends with a mark *)
  mutable unclean : bool;  (** whether there may be something behind [stop] in the file *)
  mutable full : bool;  (** whether nothing more may be written to the last segment *)
  mutable state : state;
  mutable buffer : Bytes.t;
}

let make system path ~segment_size ~seed ~segments ~fd ~stop ~number ~marked =
  {
    system;
    path;
    segment_size;
    seed;
    segments;
    fd;
    stop;
    number;
    synced = stop;
    marked;
    unclean = false;
    full = false;
    state = Open;
    buffer = Bytes.create 4096;
  }

let segments t = t.segments
let stop t = t.stop
let number t = t.number
let synced t = t.synced
let is_closed t = t.state = Ended
let last t = t.segments.(Array.length t.segments - 1)
let offset t position = Log_format.offset ~base:(last t).base position

let check t =
  match t.state with Open -> () | Ended -> raise (Closed t.path) | Broken e -> raise (Failed (t.path, e))

(* {1 Syncing} *)

(* If an exception ends the call, including one of a signal handler, the log is broken: nobody knows what
   is on the disk. *)
let sync_now t =
  t.state <- Broken (Failure "fsync did not return");
  match Log_system.sync t.system t.fd with
  | () ->
      t.synced <- t.stop;
      t.state <- Open
  | exception e ->
      t.state <- Broken e;
      raise (Failed (t.path, e))

let sync t =
  check t;
  if t.synced < t.stop then sync_now t

(* {1 Writing} *)

let clean t =
  if t.unclean then begin
    Log_system.truncate t.system t.fd (offset t t.stop);
    t.unclean <- false
  end

(* Writes the first [length] bytes of the buffer to the end. *)
let write t length ~number ~marked =
  t.unclean <- true;
  match Log_system.write_fully t.system t.fd ~at:(offset t t.stop) t.buffer 0 length with
  | () ->
      t.stop <- t.stop + length;
      t.number <- number;
      t.marked <- marked;
      t.unclean <- false
  | exception e ->
      (* If this fails, [clean] is called again before the next append. *)
      (try clean t with Unix.Unix_error _ -> ());
      raise e

(* [full] is set until the new segment is there: nothing may be written to the old one then, since it must
   end where the new one begins, and a failed attempt may have left the new one's file. *)
let rotate t =
  clean t;
  sync t;
  t.full <- true;
  let segment = { (last t) with base = t.stop; first_number = t.number } in
  let fd = Log_segments.create t.system t.path segment in
  Log_system.close_quietly t.system t.fd;
  t.segments <- Array.append t.segments [| segment |];
  t.fd <- fd;
  t.marked <- true;
  t.full <- false

(* {1 Records} *)

type record = { payload : string; crc : int }

let record ~who payload =
  if String.length payload > Log_format.max_length then
    invalid_arg
      (Printf.sprintf "%s: %d bytes are more than a record may have, %d" who (String.length payload)
         Log_format.max_length);
  { payload; crc = Crc32c.string payload }

let header = Log_format.record_header
let size r = header + String.length r.payload
let sum f a = Array.fold_left (fun n x -> n + f x) 0 a

(* Longer buffers are not kept for the next batch. *)
let kept = 1 lsl 20

let reserve t length =
  if length > Bytes.length t.buffer then t.buffer <- Bytes.create (max length (2 * Bytes.length t.buffer))

let release t = if Bytes.length t.buffer > kept then t.buffer <- Bytes.create kept

(* Puts the record into the buffer, whose first byte will be at the position [t.stop]. *)
let put t { payload; crc } ~position ~number ~more =
  let at = position - t.stop and length = String.length payload in
  Log_format.set_record t.seed t.buffer at ~position ~length ~crc ~number ~synced:t.synced ~more ~mark:false;
  Bytes.blit_string payload 0 t.buffer (at + header) length

let put_all t groups =
  let position = ref t.stop and number = ref t.number in
  let place ~more r =
    let p = !position in
    put t r ~position:p ~number:!number ~more;
    position := p + size r;
    incr number;
    p
  in
  let place_group g =
    let final = Array.length g - 1 in
    Array.mapi (fun i r -> place ~more:(i < final) r) g
  in
  let positions = Array.map place_group groups in
  (positions, !number)

let append_groups t groups =
  check t;
  let length = sum (sum size) groups in
  let had = t.stop - (last t).base in
  if t.full || (had > 0 && had + length > t.segment_size) then rotate t;
  clean t;
  reserve t length;
  let positions, number = put_all t groups in
  if number > t.number then write t length ~number ~marked:false;
  release t;
  positions

(* {1 The rest} *)

(* The mark may fail: without it, the log is in order, but damage to the last batch looks like an
   incomplete end. *)
let mark t =
  try
    clean t;
    Log_format.set_record t.seed t.buffer 0 ~position:t.stop ~length:0 ~crc:0 ~number:t.number
      ~synced:t.synced ~more:false ~mark:true;
    write t header ~number:t.number ~marked:true;
    Log_system.sync t.system t.fd
  with Unix.Unix_error _ -> ()

let close t =
  let finish () =
    t.state <- Ended;
    Log_system.close_quietly t.system t.fd
  in
  match t.state with
  | Ended -> ()
  | Broken _ -> finish ()
  | Open ->
      Fun.protect ~finally:finish (fun () ->
          sync t;
          if not (t.marked || t.full) then mark t)

let drop_before t position =
  check t;
  let segments = t.segments and dropped = ref 0 in
  let rec drop () =
    let k = !dropped in
    if k + 1 < Array.length segments && segments.(k + 1).base <= position then begin
      Log_system.unlink t.system (Log_segments.file t.path segments.(k));
      dropped := k + 1;
      (* Each removal is synced by itself: after a power failure, there must be no gaps between the
         segments. *)
      Log_system.sync_directory t.system t.path;
      drop ()
    end
  in
  let forget () = t.segments <- Array.sub segments !dropped (Array.length segments - !dropped) in
  match drop () with
  | () -> forget ()
  | exception e ->
      let backtrace = Printexc.get_raw_backtrace () in
      forget ();
      Printexc.raise_with_backtrace e backtrace
