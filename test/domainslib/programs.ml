(* Runs every program of an executable of bench/compat and compares its output with expected/NAME.txt.

   programs.exe EXECUTABLE DOMAINS,... *)

let read = Testing.Text.read

let run executable arguments =
  let ended = Testing.Child.run executable arguments in
  if ended.code <> 0 then Alcotest.failf "%s failed: %s" (String.concat " " arguments) (ended.out ^ ended.err);
  Alcotest.(check string) "nothing on standard error" "" ended.err;
  ended.out

let names executable =
  let name line = List.hd (String.split_on_char ' ' line) in
  List.map name (Testing.Text.lines (run executable [ "list" ]))

let case executable domains name =
  let prints_what_is_expected domains =
    let expected = read (Printf.sprintf "expected/%s.txt" name) in
    Alcotest.(check string) (domains ^ " domains") expected (run executable [ "run"; name; domains ])
  in
  Testing.Watchdog.case (name ^ " prints what it prints with domainslib") (fun () ->
      List.iter prints_what_is_expected domains)

let () =
  let executable = Sys.argv.(1) and domains = String.split_on_char ',' Sys.argv.(2) in
  Alcotest.run ~argv:[| "programs"; "--compact" |] executable
    [ ("programs", List.map (case executable domains) (names executable)) ]
