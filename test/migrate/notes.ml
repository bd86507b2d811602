open Weft_migrate

let notes ?(files = []) text =
  let result = ref [] in
  Made_up.in_project (("a.ml", text) :: files) (fun folder ->
      let note (n : Migration.note) = (n.line, (if n.needed then "! " else "") ^ n.what) in
      result := List.map note (Made_up.find folder).notes);
  !result

let check ?files what text expected =
  Alcotest.(check (list (pair int string))) what expected (notes ?files text)

let calls_are_found_by_whatever_name () =
  check "in full" "let p =\n  Domainslib.Task.setup_pool ~num_domains:3 ()"
    [ (2, "Domainslib.Task.setup_pool") ];
  check "by a short name" "module T = Domainslib.Task\nlet f p = T.await p (T.async p ignore)"
    [ (2, "Domainslib.Task.await"); (2, "Domainslib.Task.async") ];
  check "by two" "module D = Domainslib\nmodule T = D.Task\nlet f = T.run" [ (3, "Domainslib.Task.run") ];
  check "opened" "open Domainslib\nlet f c = Chan.send c 1; Task.run"
    [ (2, "Domainslib.Chan.send"); (2, "Domainslib.Task.run") ];
  check "opened twice" "open Domainslib\nopen Task\nlet f p = await p" [ (3, "await") ];
  check "here only" "let f p = Domainslib.Task.(await p (async p ignore))" [ (1, "await"); (1, "async") ];
  check "let open" "let f p = let open! Domainslib.Task in await p" [ (1, "await") ];
  check "the old interface" "open Domainslib_04\nlet f = Task.run" [ (2, "Domainslib_04.Task.run") ]

let what_is_no_call_is_not_found () =
  check "comments" "open Domainslib (* Task.run \" *) Task.await \" (* Task.run *) *)\nlet x = Task.run"
    [ (2, "Domainslib.Task.run") ];
  check "strings"
    "open Domainslib\nlet s = \"Task.run \\\" Task.await\" and t = {|Task.run|} and u = {x|Task.run|}|x}" [];
  check "characters" "open Domainslib\nlet c = '\"' and d = '\\'' and f : 'a -> 'b = Task.run"
    [ (2, "Domainslib.Task.run") ];
  check "others" "let f p = Task.run p\nlet await = T.await\nlet setup_pool = 1" [];
  check "not opened" "let f = Domainslib.Task.run\nlet async = await run" [ (1, "Domainslib.Task.run") ];
  check "not ended" "open Domainslib\nlet s = \"Task.run" [];
  check "a comment not ended" "open Domainslib\n(* Task.run" []

let what_must_be_done_is_told_apart () =
  check "the old label" "open Domainslib\nlet p = Task.setup_pool ~num_additional_domains:3 ()"
    [ (2, "Domainslib.Task.setup_pool"); (2, "! ~num_additional_domains") ];
  check "in a file without the word" "let p = My_task.setup_pool ~num_additional_domains:3 ()"
    [ (1, "! ~num_additional_domains") ];
  check "an old exception" "try f () with Domainslib.Task.TasksActive -> ()"
    [ (1, "! Domainslib.Task.TasksActive") ];
  check "domains' own values" "open Domainslib\nlet k = Domain.DLS.new_key f" [ (2, "Domain.DLS.new_key") ];
  check "a domain's number as an index" "open Domainslib\nlet d = (Domain.self () :> int) in c.(d) <- 1"
    [ (2, "! Domain.self () :> int") ];
  check "a domain's number" "open Domainslib\nlet f = Domain.self () = main" [ (2, "Domain.self") ];
  check "by other names"
    "open Domainslib\nmodule D = Stdlib.Domain\nopen D\nlet d = (D.self () :> int)\nlet e = (self () :> int)"
    [ (4, "! Domain.self () :> int"); (5, "! Domain.self () :> int") ]

let directives_change () =
  let check name before after = Made_up.check_after name ~name before after in
  check ".ocamlinit" "#use \"topfind\";;\n#require \"domainslib\";;\n"
    "#use \"topfind\";;\n#require \"weft-domainslib\";;\n";
  check "script.ml" "  #require \"unix,domainslib\";; (* domainslib *)\nopen Domainslib"
    "  #require \"unix,weft-domainslib\";; (* domainslib *)\nopen Domainslib";
  check "a.ml" "let s = \"domainslib\"\n#require \"weft-domainslib\""
    "let s = \"domainslib\"\n#require \"weft-domainslib\""

let deques_are_told () =
  check "deques"
    "open Domainslib\nlet q = Ws_deque.create ()\nmodule Q = Domainslib.Ws_deque\nlet q = Q.create ()"
    [ (2, "! Domainslib.Ws_deque.create"); (4, "! Domainslib.Ws_deque.create") ]

let files_without_the_word () =
  let number = "let d = (Domain.self () :> int)" in
  check "beside one that has it" number
    [ (1, "! Domain.self () :> int") ]
    ~files:[ ("dune", "(executable (name a) (libraries domainslib))") ];
  check "beside one that is changed already" number
    [ (1, "! Domain.self () :> int") ]
    ~files:[ ("dune", "(executable (name a) (libraries weft-domainslib))") ];
  check "in another project" number []

let case name f = Testing.Watchdog.case name f

let tests =
  [
    case "calls are found by whatever name" calls_are_found_by_whatever_name;
    case "what is no call is not found" what_is_no_call_is_not_found;
    case "what must be done is told apart" what_must_be_done_is_told_apart;
    case "#require changes" directives_change;
    case "deques are told" deques_are_told;
    case "files without the word" files_without_the_word;
  ]
