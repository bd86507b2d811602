(* The Datalog database: its language, what rules derive from facts, changes, and batches of all that. *)

let () =
  Alcotest.run "datalog"
    [
      ("parsing", Parsing.tests);
      ("evaluation", Evaluations.tests);
      ("changes", Changing.tests);
      ("batches", Batches.tests);
      ("parts", Divided.tests);
    ]
