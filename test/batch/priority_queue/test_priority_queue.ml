let () =
  Alcotest.run "priority queue"
    [
      ("sequential", Sequential.tests);
      ("batches", Batches.tests);
      ("exceptions", Raising.tests);
      ("tasks", Tasks.tests);
    ]
