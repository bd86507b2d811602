open Weft_migrate

let user = "(test (libraries domainslib))"
let changed folder = List.map (fun (c : Migration.changed) -> c.path) (Made_up.find folder).changed
let paths = Alcotest.(list string)

let what_is_not_the_projects_own_is_left () =
  let at path = (path ^ "/dune", user) in
  let files =
    [
      at "_build/default";
      at ".hidden";
      at "_opam";
      at "node_modules/x";
      at "vendor/x";
      at "duniverse/y";
      at "third_party/x";
      at "data_1";
      ("dune", "(vendored_dirs third_party)\n(data_only_dirs data_*)");
      at "src";
      at "src/deep/er";
      ("libs/ds/dune-project", "(lang dune 3.0)\n(name domainslib)");
      at "libs/ds/test";
      at "libs/mine";
    ]
  in
  Made_up.in_project files @@ fun folder ->
  Alcotest.check paths "changed" [ "libs/mine/dune"; "src/deep/er/dune"; "src/dune" ] (changed folder);
  let told = List.map (fun (x : Project.left_out) -> x.path) (Made_up.find folder).left_out in
  Alcotest.check paths "told"
    [ "data_1"; "duniverse"; "libs/ds"; "third_party"; "vendor" ]
    (List.sort String.compare told)

let links_are_not_followed () =
  Made_up.in_project [ ("a/dune", user); ("b/file", "") ] @@ fun folder ->
  Made_up.in_project [ ("x/dune", user) ] @@ fun outside ->
  let link target name = Unix.symlink target (Filename.concat folder name) in
  link "." "a/loop";
  link ".." "a/up";
  link folder "b/root";
  link (Filename.concat outside "x") "b/elsewhere";
  link (Filename.concat outside "x/dune") "b/dune";
  link "nowhere" "b/nothing.opam";
  Alcotest.check paths "changed" [ "a/dune" ] (changed folder);
  let told (x : Project.left_out) = (x.path, x.why) in
  Alcotest.(check (list (pair string string)))
    "told"
    [ ("b/dune", "a symbolic link"); ("b/nothing.opam", "a symbolic link") ]
    (List.map told (Made_up.find folder).left_out);
  let { Testing.Child.code; _ } = Made_up.weft_migrate [ "--write"; folder ] in
  Alcotest.(check int) "code" 0 code;
  Alcotest.(check string) "outside" user (Made_up.read (Filename.concat outside "x/dune"))

let strange_files_do_no_harm () =
  let files =
    [
      ("dune", user);
      ("huge/dune", String.make (Project.greatest + 1) ' ' ^ user);
      ("binary/dune", "\000\001(test (libraries domainslib))\000");
      ("empty/dune", "");
      ("na\nme \xff/dune", user);
      ("x.ml", "open Domainslib let x = \xff\xfe '\\");
    ]
  in
  Made_up.in_project files @@ fun folder ->
  Unix.mkfifo (Filename.concat folder "pipe.ml") 0o644;
  Unix.mkdir (Filename.concat folder "folder.ml") 0o755;
  let deep = String.concat "/" (List.init 60 (fun _ -> "d")) in
  ignore (Unix.system (Filename.quote_command "mkdir" [ "-p"; Filename.concat folder deep ]));
  Made_up.write (Filename.concat folder (deep ^ "/dune")) user;
  Alcotest.check paths "changed"
    [ "binary/dune"; deep ^ "/dune"; "dune"; "na\nme \xff/dune" ]
    (changed folder);
  let { Testing.Child.code; out; _ } = Made_up.weft_migrate [ folder ] in
  Alcotest.(check int) "code" 0 code;
  Alcotest.(check bool)
    "the huge one is told" true
    (Made_up.contains out ~part:"huge/dune: larger than 4 MiB");
  let { Testing.Child.out; _ } = Made_up.weft_migrate [ "--json"; folder ] in
  Alcotest.(check bool) "JSON is UTF-8" true (String.is_valid_utf_8 out);
  ignore (Yojson.Safe.from_string out)

let many_files_take_no_time () =
  let files = List.init 400 (fun i -> (Printf.sprintf "d%d/dune" i, user)) in
  let long =
    ( "long.ml",
      "open Domainslib\n" ^ String.concat "\n" (List.init 20_000 (fun _ -> "let _ = Task.run (* x *)")) )
  in
  Made_up.in_project (long :: files) @@ fun folder ->
  let t = Made_up.find folder in
  Alcotest.(check (pair int int)) "found" (400, 20_000) (List.length t.changed, List.length t.notes)

let case name f = Testing.Watchdog.case name f

let tests =
  [
    case "what is not the project's own is left" what_is_not_the_projects_own_is_left;
    case "links are not followed" links_are_not_followed;
    case "strange files do no harm" strange_files_do_no_harm;
    case "many files take no time" many_files_take_no_time;
  ]
