let () =
  Alcotest.run "hash tables"
    [
      ("sequential", Sequential.tests);
      ("batches", Batches.tests);
      ("exceptions", Raising.tests);
      ("tasks", Tasks.tests);
      ("grouping", Groups.tests);
    ]
