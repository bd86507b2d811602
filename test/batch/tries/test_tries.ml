let () =
  Alcotest.run "tries"
    [ ("sequential", Sequences.tests); ("batches", Batches.tests); ("callers", Callers.tests) ]
