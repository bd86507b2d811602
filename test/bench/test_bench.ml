let () =
  Alcotest.run "bench"
    [
      ("figures", Test_figures.tests);
      ("command", Test_command.tests);
      ("suites", Test_suites.tests);
      ("batch", Test_batch.tests);
      ("batch runs", Test_batch_runs.tests);
      ("plots", Test_plots.tests);
      ("targets", Test_targets.tests);
      ("plot command", Test_plot_command.tests);
    ]
