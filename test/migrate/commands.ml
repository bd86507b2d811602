let user = "; a\n(test\n (name t)\n (libraries domainslib))\n"
let new_user = "; a\n(test\n (name t)\n (libraries weft-domainslib))\n"
let in_ folder name = Filename.concat folder name
let check_string = Alcotest.(check string)
let check_int = Alcotest.(check int)

let nothing_changes_without_write () =
  Made_up.in_project [ ("dune", user); ("a.ml", "open Domainslib\nlet _ = Task.run") ] @@ fun folder ->
  let { Testing.Child.code; out; err; _ } = Made_up.weft_migrate [ folder ] in
  check_int "code" 0 code;
  check_string "messages" "" err;
  check_string "the file" user (Made_up.read (in_ folder "dune"));
  check_string "all of it"
    (folder
   ^ ": 1 file to change, 0 things to do by hand, 1 note on going further\n\n\
      --- a/dune\n\
      +++ b/dune\n\
      @@ -1,4 +1,4 @@\n\
     \ ; a\n\
     \ (test\n\
     \  (name t)\n\
      - (libraries domainslib))\n\
      + (libraries weft-domainslib))\n\n\
      Going further: from Domainslib to Weft itself, where you like\n\
      Domainslib.Task.run: Weft.run (fun () -> ...), or without: every function enters the default pool by \
      itself\n\
     \  a.ml:2\n\n\
      Nothing was written. To change the files: weft migrate --write DIR\n")
    out

let each_kind_of_note_comes_once () =
  let files =
    [
      ("a.ml", "open Domainslib\nlet f = Task.run\nlet g = Task.run, Task.run\nlet h = Task.async");
      ("b.ml", "let f = Domainslib.Task.run\nlet p = setup ~num_additional_domains:1");
      ("c.ml", "let p = setup ~num_additional_domains:1");
    ]
  in
  Made_up.in_project files @@ fun folder ->
  let { Testing.Child.out; _ } = Made_up.weft_migrate [ folder ] in
  let has part = Alcotest.(check bool) part true (Made_up.contains out ~part) in
  has ": no file to change, 2 things to do by hand, 5 notes on going further\n";
  has "by itself\n  a.ml:2, 3\n  b.ml:1\nDomainslib.Task.async: ";
  has "before it\n  b.ml:2\n  c.ml:1\n"

let write_changes_the_files () =
  Made_up.in_project [ ("dune", user); ("b/dune", user) ] @@ fun folder ->
  Unix.chmod (in_ folder "b/dune") 0o640;
  let { Testing.Child.code; out; err; _ } = Made_up.weft_migrate [ "--write"; folder ] in
  check_int "code" 0 code;
  check_string "messages" "" err;
  Alcotest.(check bool) "says so" true (Made_up.contains out ~part:": 2 files changed, ");
  List.iter (fun path -> check_string path new_user (Made_up.read (in_ folder path))) [ "dune"; "b/dune" ];
  check_int "permissions" 0o640 (Unix.stat (in_ folder "b/dune")).st_perm;
  Alcotest.(check (list string))
    "nothing beside them" [ "b"; "dune"; "dune-project" ]
    (List.sort String.compare (Array.to_list (Sys.readdir folder)));
  let { Testing.Child.code; out; _ } = Made_up.weft_migrate [ "--write"; folder ] in
  check_int "again" 0 code;
  Alcotest.(check bool) "nothing to do" true (Made_up.contains out ~part:": no file to change, ")

(* Several hunks, a line with two changes, removed lines, no newline at the end, a name with blanks. *)
let takes_the_diff program arguments () =
  let filler n = String.concat "" (List.init n (Printf.sprintf "; line %d\n")) in
  let long =
    "(test (libraries domainslib) (libraries domainslib))\n" ^ filler 20 ^ user ^ filler 3 ^ user ^ filler 9
    ^ "(test (libraries domainslib))"
  in
  let project =
    "(lang dune 3.0)\n(package (name p)\n (depends\n  (domainslib\n   (>= 0.5)\n   )\n  ocaml))\n"
  in
  let files =
    [
      ("dune", long);
      ("dune-project", project);
      ("x/dune", "\n\n" ^ user ^ "\n\n");
      ("with some blanks/dune", user);
      ("p.opam", "depends: [\n\"domainslib\" {\n>= \"1\"}\n]");
    ]
  in
  Made_up.in_project files @@ fun folder ->
  let t = Made_up.find folder in
  let diff = String.concat "" (List.map (fun (c : Weft_migrate.Migration.changed) -> c.diff) t.changed) in
  let patch = Filename.temp_file "migrate" ".patch" in
  Fun.protect ~finally:(fun () -> Sys.remove patch) @@ fun () ->
  Made_up.write patch diff;
  let there = Printf.sprintf "command -v %s >/dev/null" program in
  let command = Filename.quote_command ~stdin:patch ~stdout:"/dev/null" program arguments in
  match Unix.system (Printf.sprintf "%s && cd %s && %s" there (Filename.quote folder) command) with
  | WEXITED 0 ->
      List.iter
        (fun (c : Weft_migrate.Migration.changed) ->
          check_string c.path c.after (Made_up.read (in_ folder c.path)))
        t.changed;
      check_int "files" 5 (List.length t.changed)
  | _ when Unix.system there <> WEXITED 0 -> Alcotest.skip ()
  | _ -> Alcotest.failf "%s does not take it:\n%s" program diff

let hunks_say_where_they_are () =
  let filler = String.concat "" (List.init 10 (fun _ -> ";\n")) in
  let package = "(package (name p) (depends (domainslib\n (>= 0.5)\n )))\n" in
  Made_up.in_project [ ("dune-project", package ^ filler ^ package ^ filler) ] @@ fun folder ->
  let t = Made_up.find folder in
  let heads =
    List.filter (String.starts_with ~prefix:"@@") (String.split_on_char '\n' (List.hd t.changed).diff)
  in
  Alcotest.(check (list string)) "heads" [ "@@ -1,6 +1,4 @@"; "@@ -11,9 +9,7 @@" ] heads

let json_says_the_same () =
  Made_up.in_project [ ("dune", user); ("a.ml", "let f = Task.setup_pool ~num_additional_domains:1") ]
  @@ fun folder ->
  let { Testing.Child.code; out; _ } = Made_up.weft_migrate [ "--json"; folder ] in
  check_int "code" 0 code;
  let open Yojson.Safe.Util in
  let json = Yojson.Safe.from_string out in
  Alcotest.(check (list string))
    "keys"
    [ "format"; "root"; "written"; "files"; "notes"; "left_out"; "trouble" ]
    (keys json);
  let file = json |> member "files" |> index 0 and note = json |> member "notes" |> index 0 in
  check_string "path" "dune" (file |> member "path" |> to_string);
  check_string "change" {|[{"line":4,"from":"domainslib","to":"weft-domainslib"}]|}
    (Yojson.Safe.to_string (member "changes" file));
  Alcotest.(check bool) "needed" true (note |> member "needed" |> to_bool);
  check_int "line" 1 (note |> member "line" |> to_int)

let errors_are_one_line_and_exit_2 () =
  let refused what folder reason =
    let { Testing.Child.code; out; err; _ } = Made_up.weft_migrate [ folder ] in
    check_int what 2 code;
    check_string what "" out;
    check_string what
      (Printf.sprintf "weft migrate: cannot look at %s: %s\n" (if folder = "" then "''" else folder) reason)
      err
  in
  refused "no folder" "/nowhere/at/all" "No such file or directory";
  refused "no name" "" "No such file or directory";
  Made_up.in_project
    [ ("dune", user) ]
    (fun folder ->
      refused "a file" (in_ folder "dune") "it is not a folder";
      Sys.remove (in_ folder "dune-project");
      refused "no project" folder "no dune project found: there is no file dune-project in it or below")

let what_cannot_be_written_is_told_and_the_rest_done () =
  Made_up.in_project [ ("a/dune", user); ("bad/dune", "(test (libraries domainslib)"); ("c/dune", user) ]
  @@ fun folder ->
  let { Testing.Child.code; err; _ } = Made_up.weft_migrate [ "--write"; folder ] in
  check_int "code" 1 code;
  check_string "message" "weft migrate: bad/dune: line 1: a parenthesis that is not closed\n" err;
  check_string "a" new_user (Made_up.read (in_ folder "a/dune"));
  check_string "c" new_user (Made_up.read (in_ folder "c/dune"));
  let changed = Weft_migrate.Replacement.write (in_ folder "a/dune") ~before:"something else" "x" in
  Alcotest.(check (result unit string)) "changed meanwhile" (Error "it was changed meanwhile") changed;
  check_string "still" new_user (Made_up.read (in_ folder "a/dune"));
  if Unix.geteuid () <> 0 then begin
    Unix.chmod (in_ folder "a/dune") 0o444;
    let read_only = Weft_migrate.Replacement.write (in_ folder "a/dune") ~before:new_user "x" in
    Alcotest.(check (result unit string)) "read-only" (Error "Permission denied") read_only
  end

let case name f = Testing.Watchdog.case name f

let tests =
  [
    case "nothing changes without --write" nothing_changes_without_write;
    case "each kind of note comes once, with its places" each_kind_of_note_comes_once;
    case "--write changes the files, and nothing else" write_changes_the_files;
    case "git takes the diff" (takes_the_diff "git" [ "apply"; "--unidiff-zero"; "-p1" ]);
    case "patch takes the diff" (takes_the_diff "patch" [ "-p1"; "--batch" ]);
    case "hunks say where they are" hunks_say_where_they_are;
    case "JSON says the same" json_says_the_same;
    case "errors are one line, and exit 2" errors_are_one_line_and_exit_2;
    case "what cannot be done is told, and the rest done" what_cannot_be_written_is_told_and_the_rest_done;
  ]
