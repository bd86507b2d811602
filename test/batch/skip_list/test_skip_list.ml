let () =
  Alcotest.run "skip list"
    [
      ("sequential", Sequential.tests);
      ("batches", Batches.tests);
      ("failures", Failures.tests);
      ("tasks", Tasks.tests);
    ]
