(* Files are read in every supported form. *)

open Weft_files

let put path text = Out_channel.with_open_bin path (fun channel -> output_string channel text)
let byte_order_mark = "\xef\xbb\xbf"

let gzipped text =
  Testing.Child.with_temp_file @@ fun path ->
  put path text;
  (Testing.Child.run ~stdin:path "gzip" [ "-c" ]).out

(* Longer than a pipe's buffer, and hardly compressible. *)
let long =
  let random = Random.State.make [| 11 |] in
  String.init 500_000 (fun _ -> Char.chr (32 + Random.State.int random 90))

let contents ?(most = 10_000_000) name = Input.with_file name (Input.contents ~most)

let of_text ?most text = Testing.Child.with_temp_file @@ fun path -> put path text; contents ?most path
[@@ocamlformat "disable"]

let check what expected actual = Alcotest.(check (result string string)) what (Ok expected) actual

let refused what ~says = function
  | Ok _ -> Alcotest.failf "%s: not refused" what
  | Error line ->
      Alcotest.(check bool) ("one line: " ^ line) false (String.contains line '\n');
      if not (Testing.Text.contains says line) then Alcotest.failf "%s: %S does not say %S" what line says

let forms () =
  List.iter
    (fun text ->
      let what form = Printf.sprintf "%s of %d bytes" form (String.length text) in
      check (what "plain") text (of_text text);
      check (what "a byte order mark") text (of_text (byte_order_mark ^ text));
      check (what "gzip") text (of_text (gzipped text));
      check (what "both") text (of_text (gzipped (byte_order_mark ^ text)));
      check (what "two members") (text ^ text) (of_text (gzipped text ^ gzipped text)))
    [ ""; "x"; "{}\n"; "twelve bytes"; long ]

let others () =
  List.iter
    (fun (mark, says) ->
      refused says ~says (of_text (mark ^ String.make 20 'x'));
      refused (says ^ ", in gzip") ~says (of_text (gzipped (mark ^ "x"))))
    [
      ("\x28\xb5\x2f\xfd", "unzstd");
      ("\xfd7zXZ\x00", "unxz");
      ("BZh", "bunzip2");
      ("PK\x03\x04", "unzip");
      ("\xff\xfe", "UTF-16");
      ("\xfe\xff", "UTF-16");
    ]

let wrong () =
  let compressed = gzipped long in
  let cut n = String.sub compressed 0 n in
  List.iter
    (fun n -> refused (Printf.sprintf "cut after %d bytes" n) ~says:"cut short" (of_text (cut n)))
    [ 2; 9; 10; 20; String.length compressed / 2; String.length compressed - 1 ];
  let flipped = Bytes.of_string compressed in
  Bytes.set flipped (Bytes.length flipped / 2) '\x00';
  Bytes.set flipped ((Bytes.length flipped / 2) + 1) '\x01';
  refused "damaged" ~says:"damaged" (of_text (Bytes.to_string flipped));
  refused "missing" ~says:"cannot be read: No such file" (contents "/nowhere/at/all");
  refused "a folder" ~says:"it is a folder" (contents "/");
  refused "no name" ~says:"empty" (contents "");
  refused "two of them" ~says:"standard input" (Input.one_stdin [ "-"; "a"; "-" ]);
  Alcotest.(check (result unit string)) "one of them" (Ok ()) (Input.one_stdin [ "a"; "-" ])

(* Calls [f] with the data of [descriptor] as standard input. *)
let with_stdin descriptor f =
  let own = Unix.dup ~cloexec:true Unix.stdin in
  Unix.dup2 ~cloexec:false descriptor Unix.stdin;
  Fun.protect f ~finally:(fun () ->
      Unix.dup2 ~cloexec:false own Unix.stdin;
      Unix.close own)

let limited () =
  check "as long as allowed" "12345" (of_text ~most:5 "12345");
  refused "longer" ~says:"larger" (of_text ~most:4 "12345");
  refused "longer, decompressed" ~says:"larger" (of_text ~most:400_000 (gzipped long));
  refused "a pipe without an end" ~says:"larger"
    (let inlet, outlet = Unix.pipe ~cloexec:true () in
     let write () =
       ignore (Thread.sigmask SIG_BLOCK [ Sys.sigpipe ] : int list);
       try
         while true do
           ignore (Unix.write_substring outlet long 0 1000 : int)
         done
       with Unix.Unix_error (EPIPE, _, _) -> Unix.close outlet
     in
     let writer = Thread.create write () in
     Fun.protect
       (fun () -> with_stdin inlet (fun () -> contents ~most:100_000 "-"))
       ~finally:(fun () ->
         Unix.close inlet;
         Thread.join writer))

(* Byte by byte at first: the beginning, which is looked at, may arrive in pieces. *)
let piped text f =
  let inlet, outlet = Unix.pipe ~cloexec:true () in
  let write () =
    String.iteri
      (fun i c -> if i < 20 then ignore (Unix.write_substring outlet (String.make 1 c) 0 1 : int))
      text;
    let n = String.length text in
    let rec rest at = if at < n then rest (at + Unix.write_substring outlet text at (n - at)) in
    rest 20;
    Unix.close outlet
  in
  let writer = Thread.create write () in
  Fun.protect
    (fun () -> with_stdin inlet f)
    ~finally:(fun () ->
      Thread.join writer;
      Unix.close inlet)

let standard_input () =
  check "plain" long (piped long (fun () -> contents "-"));
  check "gzip" long (piped (gzipped long) (fun () -> contents "-"));
  check "both" long (piped (gzipped (byte_order_mark ^ long)) (fun () -> contents "-"));
  Alcotest.(check string) "its name" "standard input" (Input.shown "-")
[@@ocamlformat "disable"]

let devices () =
  refused "by name" ~says:"it is a device" (contents "/dev/zero");
  let zero = Unix.openfile "/dev/zero" [ O_RDONLY; O_CLOEXEC ] 0 in
  Fun.protect
    ~finally:(fun () -> Unix.close zero)
    (fun () ->
      List.iter
        (fun name -> refused name ~says:"it is a device" (with_stdin zero (fun () -> contents name)))
        [ "-"; "/dev/stdin" ]);
  check "nothing" "" (contents "/dev/null")

let named_pipes () =
  Testing.Folder.within "input" @@ fun folder ->
  let pipe = Filename.concat folder "pipe" in
  Unix.mkfifo pipe 0o600;
  refused "nobody writes" ~says:"it is a pipe, and nobody writes into it" (contents pipe);
  List.iter
    (fun text ->
      (* It waits until somebody reads. *)
      let writer = Thread.create (fun () -> put pipe text) () in
      check "somebody writes" long (contents pipe);
      Thread.join writer)
    [ long; gzipped long ];
  check "one without a name" long (piped long (fun () -> contents "/dev/stdin"))

(* The writer does not close the pipe: what was read so far is enough for the error, and the reader does
   not wait for the rest. *)
let an_open_end () =
  let inlet, outlet = Unix.pipe ~cloexec:true () in
  let compressed = gzipped (String.concat "" [ long; String.map Char.uppercase_ascii long; long ]) in
  let write () =
    ignore (Thread.sigmask SIG_BLOCK [ Sys.sigpipe ] : int list);
    let n = String.length compressed - 10 in
    let rec from at = if at < n then from (at + Unix.write_substring outlet compressed at (n - at)) in
    try from 0 with Unix.Unix_error (EPIPE, _, _) -> ()
  in
  let writer = Thread.create write () in
  refused "more to come" ~says:"larger" (with_stdin inlet (fun () -> contents ~most:1000 "-"));
  Unix.close inlet;
  Thread.join writer;
  Unix.close outlet

let no_gzip () =
  let compressed = gzipped "x" in
  let path = Sys.getenv_opt "PATH" in
  Unix.putenv "PATH" "/nowhere";
  Fun.protect ~finally:(fun () -> Unix.putenv "PATH" (Option.value path ~default:"")) @@ fun () ->
  refused "without gzip" ~says:"install" (of_text compressed)

let looked_at () =
  let starts text prefix =
    Testing.Child.with_temp_file @@ fun path ->
    put path text;
    Input.with_file path (fun input ->
        let found = Input.starts_with input prefix in
        (found, Input.contents ~most:100 input))
  in
  let check what expected text prefix =
    Alcotest.(check (result (pair bool string) string)) what (Ok expected) (starts text prefix)
  in
  check "eight bytes" (true, "12345678") "12345678" "12345678";
  check "after a mark" (true, "12345678") (byte_order_mark ^ "12345678") "12345678";
  check "decompressed" (true, "12345678") (gzipped "12345678") "12345678";
  check "shorter" (false, "1234567") "1234567" "12345678"

let () =
  let case = Testing.Watchdog.case in
  Alcotest.run ~argv:[| "test_input"; "--compact" |] "input"
    [
      ( "forms",
        [
          case "gzip and byte order marks are read" forms;
          case "other forms say what to do" others;
          case "what cannot be read is one line" wrong;
          case "not more is read than is wanted" limited;
          case "devices without an end are refused" devices;
          case "a pipe with a name is read if somebody writes" named_pipes;
          case "standard input may be a pipe" standard_input;
          case "nobody waits for what is not wanted" an_open_end;
          case "without gzip a line says so" no_gzip;
          case "the beginning can be looked at" looked_at;
        ] );
    ]
