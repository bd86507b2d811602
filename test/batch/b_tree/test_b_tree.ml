let () =
  Alcotest.run "b_tree"
    [
      ("sequential", Sequential.tests);
      ("batches", Batches.tests);
      ("failures", Failures.tests);
      ("many tasks", Many_tasks.tests);
    ]
