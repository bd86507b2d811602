(* The example program datalog: its answers, and its messages about input that it cannot read. *)

let run text arguments = Program.in_file text (fun file -> Program.run "datalog" ~stdin:file arguments)
let answer out = { Program.code = 0; out; err = "" }
let edges = "edge(a, b). edge(b, c). edge(c, \"d e\").\n"
let rules = "path(X, Y) :- edge(X, Y).\npath(X, Z) :- edge(X, Y), path(Y, Z).\n"

let answers_are_sorted () =
  List.iter
    (fun arguments ->
      Program.check_answer "answers"
        (answer
           "path(X, \"d e\")?\n\
           \  X = a\n\
           \  X = b\n\
           \  X = c\n\
            path(a, X), X != b?\n\
           \  X = c\n\
           \  X = \"d e\"\n\
            path(c, a)?\n\
           \  no\n\
            path(a, c)?\n\
           \  yes\n\
            path(_, a), path(a, X)?\n\
           \  none\n")
        (run
           (edges ^ rules
          ^ "path(X, \"d e\")?\npath(a, X), X != b? path(c, a)? path(a, c)?\npath(_, a), path(a, X)?")
           arguments))
    [ []; [ "--domains"; "1" ]; [ "--domains"; "3" ] ]

let nothing_is_answered_by_nothing () = Program.check_answer "no text" (answer "") (run "" [])
let check_error what text parts = Program.check_one_line what ~code:1 parts (run text [])

let errors_say_where () =
  check_error "syntax" "edge(a, b).\n\nedge(a b).\n"
    [ "datalog: standard input: line 3, column 8: expected ',' or ')', found the name b" ];
  check_error "meaning"
    (edges ^ "lost(X, Y) :- edge(X, _).\nedge(a, X)?")
    [ "line 2, column 1"; "the variable Y of the head is unsafe" ];
  check_error "negation" "p(X) :- e(X), not p(X)." [ "line 1, column 1"; "not stratified" ];
  check_error "a query" (edges ^ "edge(a)?") [ "line 2, column 1"; "edge has 1 argument here, but 2" ];
  check_error "no text at all" "\000\255" [ "line 1, column 1" ]

let files () =
  Program.check_one_line "no file" ~code:1 [ "datalog: "; "No such file" ]
    (Program.run "datalog" [ "/nonexistent.dl" ]);
  Program.check_one_line "a directory" ~code:1 [ "datalog: /: Is a directory" ]
    (Program.run "datalog" [ "/" ]);
  Program.in_file (edges ^ "edge(X, c)?") (fun file ->
      Program.check_answer "a file" (answer "edge(X, c)?\n  X = b\n") (Program.run "datalog" [ file ]))

let wrong_command_lines () =
  Program.check_refused "datalog" [ "--domains"; "0" ];
  Program.check_refused "datalog" [ "a"; "b" ]

let unwritable () =
  Program.in_file (edges ^ "edge(X, c)?") @@ fun file ->
  Program.check_one_line "full" ~code:1 [ "cannot write the answers" ]
    (Program.run "datalog" ~stdout:(To "/dev/full") [ file ])

let () =
  Alcotest.run "datalog"
    [
      ( "program",
        [
          Testing.Watchdog.case "answers are sorted, whoever computes them" answers_are_sorted;
          Testing.Watchdog.case "nothing" nothing_is_answered_by_nothing;
          Testing.Watchdog.case "errors say where" errors_say_where;
          Testing.Watchdog.case "files" files;
          Testing.Watchdog.case "wrong command lines" wrong_command_lines;
          Testing.Watchdog.case "answers that cannot be written" unwritable;
        ] );
    ]
