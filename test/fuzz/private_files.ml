(* What weft makes beside what the user named is closed to others, has no name that they can guess, and is never what is there
   already. *)

module Child = Testing.Child
module Whole_file = Weft_files.Whole_file

let read = Testing.Text.read
let put path text = Out_channel.with_open_bin path (fun out -> output_string out text)

(* The programs that weft starts say what their folder is like. *)
let folders_of_commands weft () =
  let says arguments variable =
    let script = Printf.sprintf "stat -c %%a:%%U \"$(dirname \"$%s\")\"" variable in
    let out = (Child.run weft (arguments @ [ "--"; "sh"; "-c"; script ])).out in
    match Testing.Text.lines out with
    | [ line ] ->
        Alcotest.(check string) (String.concat " " arguments) "700" (List.hd (String.split_on_char ':' line))
    | _ -> Alcotest.failf "%s: %S" (String.concat " " arguments) out
  in
  Testing.Folder.within "fuzz" @@ fun folder ->
  says [ "scale"; "--steal"; "5000" ] "WEFT_PROFILE";
  (* Behind the folder, so that its name is the last but one. *)
  let of_rings arguments =
    let out =
      (Child.run weft (arguments @ [ "--"; "sh"; "-c"; "stat -c %a \"$OCAML_RUNTIME_EVENTS_DIR\"" ])).out
    in
    Alcotest.(check (list string)) (String.concat " " arguments) [ "700" ] (Testing.Text.lines out)
  in
  of_rings [ "trace"; "-o"; Filename.concat folder "t.json" ];
  of_rings [ "live" ]

(* The name of a temporary file beside the user's can be guessed: so what has it is passed by. *)
let links_that_wait () =
  Testing.Folder.within "fuzz" @@ fun folder ->
  let path = Filename.concat folder "out" and victim = Filename.concat folder "victim" in
  put victim "mine";
  let link = Printf.sprintf "%s.%d.tmp" path (Unix.getpid ()) in
  Unix.symlink victim link;
  let place = Result.get_ok (Whole_file.prepare path) in
  Alcotest.(check bool) "it is left alone" true ((Unix.lstat link).st_kind = S_LNK);
  Alcotest.(check (result unit string)) "written" (Ok ()) (Whole_file.write place "new");
  Alcotest.(check (pair string string)) "both" ("new", "mine") (read path, read victim)

(* Only the superuser can give files away. *)
let others_files () =
  if Unix.geteuid () = 0 then (
    Testing.Folder.within "fuzz" @@ fun folder ->
    let at = Filename.concat folder and somebody = 65_534 in
    let given path = ignore (Child.run "chown" [ "-h"; string_of_int somebody; path ] : Child.ended) in
    put (at "file") "theirs";
    put (at "victim") "mine";
    Unix.symlink (at "victim") (at "link");
    Unix.symlink (at "none") (at "link to nothing");
    Unix.symlink "link" (at "own link to theirs");
    Unix.mkfifo (at "pipe") 0o666;
    List.iter (fun name -> given (at name)) [ "file"; "link"; "link to nothing"; "pipe" ];
    let names = [ "file"; "link"; "link to nothing"; "own link to theirs"; "pipe" ] in
    let all = List.map (fun name -> (name, Result.is_ok (Whole_file.prepare (at name)))) in
    let expected what holds mode =
      Unix.chmod folder mode;
      Alcotest.(check (list (pair string bool))) what (List.map (fun name -> (name, holds)) names) (all names)
    in
    Unix.mkdir (at "folder") 0o777;
    given (at "folder");
    let fill () = Weft_bench_plots.Folder.fill (at "folder") ~names:[] (fun _ -> Ok ()) in
    Unix.chmod folder 0o1777;
    Alcotest.(check bool) "their folder" true (Result.is_error (fill ()));
    Unix.chmod folder 0o755;
    Alcotest.(check bool) "their folder, in one's own" true (Result.is_ok (fill ()));
    expected "where anybody may make files" false 0o1777;
    expected "in a folder of one's own" true 0o755;
    Unix.chmod folder 0o1777;
    Alcotest.(check bool) "one's own file" true (Result.is_ok (Whole_file.prepare (at "victim")));
    Alcotest.(check bool) "a new one" true (Result.is_ok (Whole_file.prepare (at "new"))))

let tests weft =
  let case = Testing.Watchdog.case in
  [
    case "folders of programs that weft starts are private" (folders_of_commands weft);
    case "a link that waits is passed by" links_that_wait;
    case "what others have put there is refused" others_files;
  ]
