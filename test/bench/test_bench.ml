let () =
  Alcotest.run "bench"
    [
      ("figures", Test_figures.tests);
      ("command", Test_command.tests);
      ("suites", Test_suites.tests);
      ("rivals", Test_rivals.tests);
      ("foreign", Test_foreign.tests);
      ("batch", Test_batch.tests);
      ("batch runs", Test_batch_runs.tests);
    ]
