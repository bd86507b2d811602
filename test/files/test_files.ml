(* Files are written whole or not at all. *)

open Weft_files

let read = Testing.Text.read
let put path text = Out_channel.with_open_bin path (fun channel -> output_string channel text)
let names dir = List.sort compare (Array.to_list (Sys.readdir dir))
let check_names what expected dir = Alcotest.(check (list string)) what expected (names dir)
let in_folder f = Testing.Folder.within "weft-test-files-" (fun dir -> f dir (Filename.concat dir))

let place ?option path =
  match Whole_file.prepare ?option path with Ok place -> place | Error line -> Alcotest.fail line

let ok what = function Ok () -> () | Error line -> Alcotest.failf "%s: %s" what line

let refused what ~says result =
  match result with
  | Ok _ -> Alcotest.failf "%s: not refused" what
  | Error line ->
      Alcotest.(check bool) ("one line: " ^ line) false (String.contains line '\n');
      Testing.Text.check_contains what ~part:says line

let written () =
  in_folder @@ fun dir at ->
  ok "a new one" (Whole_file.write (place (at "a")) "one");
  Alcotest.(check string) "a new one" "one" (read (at "a"));
  ok "instead of another" (Whole_file.write (place (at "a")) "two");
  Alcotest.(check string) "instead of another" "two" (read (at "a"));
  check_names "nothing else" [ "a" ] dir

let prepared_only () =
  in_folder @@ fun dir at ->
  ignore (place (at "a") : Whole_file.t);
  check_names "nothing is made" [] dir;
  put (at "file") "";
  refused "no name" ~says:"option '--json': cannot write '': the name is empty"
    (Whole_file.prepare ~option:"--json" "");
  refused "a folder" ~says:"it is a folder" (Whole_file.prepare dir);
  refused "no folder" ~says:"No such file" (Whole_file.prepare (at "none/a"));
  refused "a file as a folder" ~says:"Not a directory" (Whole_file.prepare (at "file/a"))

let links () =
  in_folder @@ fun _ at ->
  Unix.mkdir (at "far") 0o700;
  Unix.symlink "far/new" (at "link");
  ok "through a link to nowhere" (Whole_file.write (place (at "link")) "one");
  Alcotest.(check string) "is where it leads" "one" (read (at "far/new"));
  ok "and to somewhere" (Whole_file.write (place (at "link")) "two");
  Alcotest.(check string) "likewise" "two" (read (at "far/new"));
  Alcotest.(check string) "the link stays" "far/new" (Unix.readlink (at "link"));
  Unix.symlink "loop" (at "loop");
  refused "a link to itself" ~says:"cannot write" (Whole_file.prepare (at "loop"))

let reading path f =
  let text = ref "" in
  let reader =
    Thread.create
      (fun () ->
        let fd = Unix.openfile path [ O_RDONLY; O_NONBLOCK; O_CLOEXEC ] 0 in
        let bytes = Bytes.create 100 in
        while !text = "" do
          (match Unix.read fd bytes 0 100 with
          | n -> text := !text ^ Bytes.sub_string bytes 0 n
          | exception Unix.Unix_error ((EAGAIN | EWOULDBLOCK), _, _) -> ());
          Thread.delay 0.005
        done;
        Unix.close fd)
      ()
  in
  let result = f () in
  Thread.join reader;
  (result, !text)

let pipes () =
  in_folder @@ fun dir at ->
  Unix.mkfifo (at "pipe") 0o600;
  let place = place (at "pipe") in
  let result, text = reading (at "pipe") (fun () -> Whole_file.write place "through") in
  ok "a pipe" result;
  Alcotest.(check string) "is written into" "through" text;
  Alcotest.(check bool) "and stays" true ((Unix.stat (at "pipe")).st_kind = S_FIFO);
  check_names "nothing else" [ "pipe" ] dir

let failures () =
  in_folder @@ fun dir at ->
  put (at "a") "old";
  refused "while it is written" ~says:"cannot write"
    (Whole_file.write_by
       (place (at "a"))
       (fun channel ->
         output_string channel "new";
         raise (Sys_error "as if the disk were full")));
  Alcotest.check_raises "another exception goes on" Exit (fun () ->
      ignore
        (Whole_file.write_by
           (place (at "a"))
           (fun channel ->
             output_string channel "new";
             raise Exit)
          : (unit, string) result));
  (match Whole_file.start (place (at "a")) with
  | Error line -> Alcotest.fail line
  | Ok writing ->
      output_string (Whole_file.channel writing) "new";
      flush (Whole_file.channel writing);
      Alcotest.(check string) "before it is complete" "old" (read (at "a"));
      Whole_file.abandon writing);
  Alcotest.(check string) "the old one is there" "old" (read (at "a"));
  check_names "nothing else" [ "a" ] dir;
  if Sys.file_exists "/dev/full" then
    refused "a full device" ~says:"No space left" (Whole_file.write (place "/dev/full") "text")

(* Files of earlier runs with our process number that were killed. *)
let leftovers () =
  in_folder @@ fun dir at ->
  let leftover = Printf.sprintf "a.%d.tmp" (Unix.getpid ())
  and next = Printf.sprintf "a.%d.1.tmp" (Unix.getpid ()) in
  put (at leftover) "theirs";
  Unix.symlink "nowhere" (at next);
  ok "all the same" (Whole_file.write (place (at "a")) "ours");
  Alcotest.(check string) "ours" "ours" (read (at "a"));
  Alcotest.(check string) "theirs stays" "theirs" (read (at leftover));
  check_names "and nothing else" (List.sort compare [ "a"; leftover; next ]) dir;
  (* Two write at once to one place: the last one wins. *)
  let start () = Result.get_ok (Whole_file.start (place (at "b"))) in
  let one = start () in
  let two = start () in
  output_string (Whole_file.channel one) "one";
  output_string (Whole_file.channel two) "two";
  ok "the second" (Whole_file.commit two);
  ok "the first" (Whole_file.commit one);
  Alcotest.(check string) "the last to be complete" "one" (read (at "b"))

(* A process that is ended by a signal while it writes, with a folder of its own. *)
let interrupted () =
  in_folder @@ fun dir at ->
  let temporary = at "tmp" in
  Unix.mkdir temporary 0o700;
  put (at "a") "old";
  let reading, writing = Unix.pipe ~cloexec:true () in
  match Unix.fork () with
  | 0 ->
      Filename.set_temp_dir_name temporary;
      let writes own =
        put (Filename.concat own "rings") "";
        let w = Result.get_ok (Whole_file.start (place (at "a"))) in
        Out_channel.output_string (Whole_file.channel w) "half of it";
        Out_channel.flush (Whole_file.channel w);
        ignore (Unix.write_substring writing "." 0 1 : int);
        Ok (Unix.sleep 3600)
      in
      ignore (Own_folder.within "own-" writes : (unit, string) result);
      Unix._exit 1
  | child ->
      Unix.close writing;
      let ready = Unix.read reading (Bytes.create 1) 0 1 in
      Alcotest.(check int) "it writes" 1 ready;
      Alcotest.(check int) "three files" 3 (List.length (names dir));
      Unix.kill child Sys.sigint;
      Alcotest.(check bool) "by the signal" true (Unix.waitpid [] child = (child, WSIGNALED Sys.sigint));
      Unix.close reading;
      check_names "nothing else is left" [ "a"; "tmp" ] dir;
      check_names "nor a folder" [] temporary;
      Alcotest.(check string) "what was there" "old" (read (at "a"))

let modes () =
  in_folder @@ fun _ at ->
  let mode path = Printf.sprintf "%o" (Unix.stat path).st_perm in
  let old = Unix.umask 0o027 in
  Fun.protect ~finally:(fun () -> ignore (Unix.umask old : int)) @@ fun () ->
  ok "a new one" (Whole_file.write (place (at "new")) "one");
  Alcotest.(check string) "as all new files" "640" (mode (at "new"));
  let keeps permissions =
    put (at "a") "old";
    Unix.chmod (at "a") permissions;
    let what = Printf.sprintf "%o" permissions in
    (match Whole_file.start (place (at "a")) with
    | Error line -> Alcotest.fail line
    | Ok writing ->
        (* While the file is being written, nobody may read it who may not read it later. *)
        let temporary = List.find (String.ends_with ~suffix:".tmp") (names (Filename.dirname (at "a"))) in
        Alcotest.(check string) "meanwhile" what (mode (at temporary));
        output_string (Whole_file.channel writing) "new";
        ok "complete" (Whole_file.commit writing));
    Alcotest.(check (pair string string)) "replaced" ("new", what) (read (at "a"), mode (at "a"))
  in
  List.iter keeps [ 0o600; 0o666; 0o755; 0o644 ];
  Unix.symlink "a" (at "link");
  Unix.chmod (at "a") 0o606;
  ok "through a link" (Whole_file.write (place (at "link")) "linked");
  Alcotest.(check string) "the mode of its target" "606" (mode (at "a"))

(* Only root may give files away. *)
let owners () =
  if Unix.geteuid () <> 0 then print_endline "owners: skipped, not run by root"
  else
    in_folder @@ fun _ at ->
    put (at "a") "old";
    Unix.chown (at "a") 1234 2345;
    Unix.chmod (at "a") 0o640;
    ok "another's" (Whole_file.write (place (at "a")) "new");
    let { Unix.st_uid; st_gid; st_perm; _ } = Unix.stat (at "a") in
    Alcotest.(check (list int)) "is still theirs" [ 1234; 2345; 0o640 ] [ st_uid; st_gid; st_perm ]

let clashes () =
  in_folder @@ fun dir at ->
  put (at "a") "";
  Unix.symlink "a" (at "link");
  Unix.symlink "new" (at "to-new");
  Unix.mkfifo (at "pipe") 0o600;
  let p option path = place ~option path in
  let clash what ?input a b = refused what ~says:"--one" (Whole_file.distinct ?input [ a; b ]) in
  clash "a link" (p "--one" (at "a")) (p "--two" (at "link"));
  clash "other names" (p "--one" (at "new")) (p "--two" (Filename.concat dir "./new"));
  clash "what is not there yet" (p "--one" (at "new")) (p "--two" (at "to-new"));
  clash "a pipe" (p "--one" (at "pipe")) (p "--two" (at "pipe"));
  clash "standard output" (p "--one" "-") (p "--two" "-");
  clash "what is read" ~input:(at "link") (p "--one" (at "a")) (p "--two" (at "new"));
  ok "a device takes all" (Whole_file.distinct ~input:"/dev/null" [ p "--one" "/dev/null"; p "--two" "/dev/null" ]);
  ok "different files" (Whole_file.distinct ~input:(at "a") [ p "--one" (at "b"); p "--two" (at "c"); p "--three" "-" ])
[@@ocamlformat "disable"]

let () =
  let case = Testing.Watchdog.case in
  Alcotest.run ~argv:[| "test_files"; "--compact" |] "files"
    [
      ( "whole files",
        [
          case "files are written, and replaced" written;
          case "preparing changes nothing, and finds out" prepared_only;
          case "links stay" links;
          case "pipes are written into" pipes;
          case "a failure changes nothing" failures;
          case "what was left over is not in the way" leftovers;
          case "nothing is left by Control-C" interrupted;
          case "a file that is replaced keeps its mode" modes;
          case "a file that is replaced keeps its owner" owners;
          case "two outputs, or the input, are not one file" clashes;
        ] );
    ]
