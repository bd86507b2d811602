open Weft_containers
open Datalog

(* The language: what the parser reads, and where it reports errors. *)

let message f = match f () with _ -> Alcotest.fail "no error" | exception Error e -> error_message e

let check_error expected text =
  Alcotest.(check string) text expected (message (fun () -> ignore (parse text)))

let check_create expected text =
  Alcotest.(check string) text expected (message (fun () -> ignore (of_string text)))

(* --- errors in a text --- *)

let tokens () =
  List.iter
    (fun (expected, text) -> check_error expected text)
    [
      ("line 1, column 3: '#' starts nothing that could stand here", "p(#).");
      ("line 2, column 2: the byte 1 starts nothing that could stand here", "p.\n \001");
      ("line 1, column 1: the byte 195 starts nothing that could stand here", "\xc3\xa9(1).");
      ("line 1, column 2: ':' starts nothing that could stand here", "p: q.");
      ("line 1, column 2: '-' starts nothing that could stand here", "p-q.");
      ("line 1, column 5: '!' starts nothing that could stand here", "X = !.");
      ("line 1, column 3: expected \" before the end of the line", "p(\"abc");
      ("line 2, column 4: expected \" before the end of the line", "% one\np( \"abc\n\").");
      ("line 1, column 3: expected ' before the end of the line", "p('it).");
      ("line 1, column 5: expected \\n, \\t, \\r, \\\\, \\\", \\' or \\x with two digits", {|p("a\q").|});
      ("line 1, column 4: expected two hexadecimal digits after \\x", {|p("\x4g").|});
      ("line 1, column 4: expected two hexadecimal digits after \\x", {|p("\x4_").|});
      ("line 1, column 4: the text ends within an escape sequence", "p(\"\\");
      ("line 1, column 3: this comment has no end", "p./* q(1).\n");
      ("line 1, column 3: the number 99999999999999999999 is out of range", "p(99999999999999999999).");
      ("line 1, column 3: the number -4611686018427387905 is out of range", "p(-4611686018427387905).");
      ("line 1, column 5: expected the end of the number 12", "p(12ab).");
    ]

let a_term = "a variable, a number, a string, a symbol or '_'"

let sentences () =
  List.iter
    (fun (expected, text) -> check_error expected text)
    [
      ("line 1, column 9: expected ',' or ')', found '.'", "edge(1,2.");
      ("line 3, column 14: expected ',' or ')', found the number 2", "p(1).\n\nedge(\"\xc3\xa9\", 1  2).");
      ("line 1, column 6: expected " ^ a_term ^ ", found ')'", "edge().");
      ("line 1, column 3: expected " ^ a_term ^ ", found 'not'", "p(not).");
      ("line 1, column 5: expected '.', ':-', ',' or '?', found the end of the text", "p(1)");
      ("line 2, column 1: expected '.', ':-', ',' or '?', found the name q", "p(1)\nq(1).");
      ("line 1, column 6: expected '.', ':-', ',' or '?', found '('", "p(1) (");
      ("line 1, column 15: expected ',' or '.', found '?'", "p(X) :- q(X,Y)?");
      ("line 1, column 9: expected an atom, 'not' or a comparison, found '.'", "p(X) :- .");
      ("line 1, column 12: expected an atom, 'not' or a comparison, found ','", "p(X) :- q, , r.");
      ("line 1, column 13: expected the name of a predicate, found the variable X", "p(X) :- not X.");
      ("line 1, column 11: expected a comparison, found '.'", "p(X) :- X .");
      ("line 1, column 12: expected " ^ a_term ^ ", found '.'", "p(X) :- X <.");
      ("line 1, column 1: expected an atom, 'not' or a comparison, found '.'", ".");
      ("line 1, column 1: expected an atom, 'not' or a comparison, found ':-'", ":- p.");
      ("line 1, column 1: expected an atom as the head, found not p(1)", "not p(1).");
      ("line 1, column 1: expected an atom as the head, found X < 1", "X < 1 :- p(X).");
      ("line 1, column 11: expected ',' or '?', found '.'", "p(X), q(X).");
      ("line 1, column 8: expected ',' or '?', found the end of the text", "1 < X  ");
      ("line 1, column 3: expected a comparison, found '?'", "X ?");
    ]

(* --- errors in its meaning --- *)

let unsafe x what =
  Printf.sprintf "the variable %s of %s is unsafe: no atom of the body that is not negated has it" x what

let meaning () =
  List.iter
    (fun (expected, text) -> check_create expected text)
    [
      ("line 2, column 3: " ^ unsafe "Z" "the head", "q(1).\n  p(X, Z) :- q(X).");
      ("line 1, column 1: " ^ unsafe "X" "the head", "p(X).");
      ("line 1, column 1: " ^ unsafe "Y" "not r(Y)", "p(X) :- q(X), not r(Y).");
      ("line 1, column 1: " ^ unsafe "Y" "X < Y", "p(X) :- q(X), X < Y.");
      ("line 1, column 1: " ^ unsafe "X" "X = 1", "p(1) :- X = 1.");
      ("line 1, column 1: '_' cannot stand in a head", "p(_) :- q(_).");
      ("line 1, column 1: '_' cannot stand in a comparison", "p(X) :- q(X), X < _.");
      ( "line 3, column 1: edge has 3 arguments here, but 2 in line 1, column 1",
        "edge(1, 2).\n\nedge(1, 2, 3)." );
      ("line 2, column 1: p has 1 argument here, but 0 in line 1, column 1", "p.\nq(X) :- p(X).");
      ("line 2, column 1: edge has 1 argument here, but 2 in line 1, column 1", "edge(1, 2).\nedge(X)?");
      ( "line 2, column 1: not stratified: win depends on its own negation, through not win(Y)",
        "move(1, 2).\nwin(X) :- move(X, Y), not win(Y)." );
      ( "line 2, column 1: not stratified: q depends on its own negation, through not p(X)",
        "p(X) :- e(X), q(X).\nq(X) :- e(X), not p(X)." );
      ("line 2, column 1: " ^ unsafe "Y" "not p(Y)", "p(1).\np(X), not p(Y)?");
      ( "line 1, column 1: p has more than 60 arguments",
        "p(" ^ String.concat ", " (List.init 61 string_of_int) ^ ")." );
    ]

let without_place () =
  let check what expected f = Alcotest.(check string) what expected (message f) in
  let x = Variable "X" and y = Variable "Y" in
  check "a rule"
    (unsafe "Y" "the head" ^ ", in the rule p(Y) :- q(X).")
    (fun () -> create { rules = [ rule (atom "p" [ y ]) [ Holds (atom "q" [ x ]) ] ]; queries = [] });
  let db = of_string "p(1)." in
  check "a variable in a fact" "p(X) is not a fact: its arguments must be values" (fun () ->
      assert_fact db (atom "p" [ x ]));
  check "a wildcard" "p(_) is not a fact: its arguments must be values" (fun () ->
      retract db (atom "p" [ Wildcard ]));
  check "the number of arguments" "p has 2 arguments here, but 1 in the database" (fun () ->
      assert_fact db (fact "p" [ Int 1; Int 2 ]));
  check "in a query" "line 1, column 1: p has 2 arguments here, but 1 in the database" (fun () ->
      holds db (parse_query "p(1, 2)"));
  check "an unsafe query" (unsafe "X" "X < 1") (fun () -> query db (ask [ Compare (x, Less, Value (Int 1)) ]));
  check "too wide" "q has more than 60 arguments" (fun () ->
      assert_fact db (fact "q" (List.init 61 (fun i -> Int i))));
  check "a query that goes on" "line 1, column 5: expected ',', '?' or the end of the text, found '.'"
    (fun () -> parse_query "p(1).");
  Alcotest.(check int) "nothing has changed" 1 (length db "p" + length db "q")

(* --- what is read --- *)

let reads () =
  let text =
    {|% facts
edge(a, -1). edge('It\'s', "\x41\n\t\"").  /* two
  lines */ p.
far(X, _Y) :- edge(X, _Y), not edge(_, X), X != _Y, X >= 3, p.
edge(X, _), a < X?|}
  in
  let { rules; queries } = parse text in
  Alcotest.(check (list string))
    "rules"
    [
      "edge(a, -1).";
      {|edge('It\'s', "A\n\t\"").|};
      "p.";
      "far(X, _Y) :- edge(X, _Y), not edge(_, X), X != _Y, X >= 3, p.";
    ]
    (List.map rule_to_string rules);
  let places = List.map (fun (r : rule) -> Option.map (fun p -> (p.line, p.column)) r.place) rules in
  Alcotest.(check (list (option (pair int int))))
    "places"
    [ Some (2, 1); Some (2, 14); Some (3, 12); Some (4, 1) ]
    places;
  match queries with
  | [
   {
     body = [ Holds _; Compare (Value (Symbol "a"), Less, Variable "X") ];
     place = Some { line = 5; column = 1 };
   };
  ] ->
      ()
  | _ -> Alcotest.fail "the query"

let reads_extremes () =
  let db = of_string (Printf.sprintf "p(%d). p(%d). p(0)." max_int min_int) in
  let rows = rows (query db (parse_query "p(X)")) in
  let sorted = List.sort compare (Array.to_list rows) in
  Alcotest.(check bool) "the integers" true (sorted = [ [| Int min_int |]; [| Int 0 |]; [| Int max_int |] ]);
  Alcotest.(check int) "compared" 2 (count db (parse_query (Printf.sprintf "p(X), X > %d" min_int)))

(* Any string can stand in quotes. *)
let values_round_trip =
  QCheck.Test.make ~count:1000 ~name:"values are printed as they are read"
    QCheck.(pair string string)
    (fun (a, b) ->
      let written = fact "p" [ String a; Symbol b ] in
      match parse (atom_to_string written ^ ".") with
      | { rules = [ { head; _ } ]; _ } -> head = written
      | _ -> false)

let rules_round_trip =
  QCheck.Test.make ~count:1000 ~name:"rules are printed as they are read"
    (QCheck.make Random_programs.program) (fun rules ->
      let text = String.concat "\n" (List.map rule_to_string rules) in
      List.map (fun (r : rule) -> { r with place = None }) (parse text).rules = rules)

(* The parser ends on every text, and fails in no other way. *)
let any_text =
  let pieces =
    [
      "p";
      "X";
      "(";
      ")";
      ",";
      ".";
      "?";
      ":-";
      "not ";
      "<";
      "=";
      "!";
      "_";
      "'";
      "\"";
      "\\";
      "/*";
      "*/";
      "%";
      "\n";
      "1";
      "-";
      "\xc3";
    ]
  in
  let gen = QCheck.Gen.(map (String.concat "") (list_size (int_bound 20) (oneofl pieces))) in
  QCheck.Test.make ~count:(Testing.Effort.few 20000) ~name:"any text is read or refused"
    (QCheck.make ~print:String.escaped gen) (fun text ->
      match of_string text with _ -> true | exception Error { place; _ } -> place <> None)

let property test () = QCheck.Test.check_exn test

let tests =
  [
    Testing.Watchdog.case "errors of tokens say where" tokens;
    Testing.Watchdog.case "errors of sentences say where" sentences;
    Testing.Watchdog.case "errors of meaning say in which rule" meaning;
    Testing.Watchdog.case "errors without a place" without_place;
    Testing.Watchdog.case "all kinds of tokens are read" reads;
    Testing.Watchdog.case "the extreme integers" reads_extremes;
    Testing.Watchdog.case "values, printed and read" (property values_round_trip);
    Testing.Watchdog.case "rules, printed and read" (property rules_round_trip);
    Testing.Watchdog.case "any text" (property any_text);
  ]
