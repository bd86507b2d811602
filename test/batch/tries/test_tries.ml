let () =
  Alcotest.run "tries"
    [
      ("tables", Tables.tests);
      ("sequential", Sequences.tests);
      ("repairs", Repairs.tests);
      ("batches", Batches.tests);
      ("callers", Callers.tests);
    ]
