let () =
  (* The build gives the program weft and scripts/bench as arguments. *)
  Test_interrupts.program := Sys.argv.(1);
  Test_report.script := Sys.argv.(2);
  let argv = Array.append [| Sys.argv.(0) |] (Array.sub Sys.argv 3 (Array.length Sys.argv - 3)) in
  Alcotest.run ~argv "bench"
    [
      ("figures", Test_figures.tests);
      ("command", Test_command.tests);
      ("failures", Test_failures.tests);
      ("plans", Test_plans.tests);
      ("interrupts", Test_interrupts.tests);
      ("suites", Test_suites.tests);
      ("trees", Test_trees.tests);
      ("rivals", Test_rivals.tests);
      ("foreign", Test_foreign.tests);
      ("batch", Test_batch.tests);
      ("plots", Test_plots.tests);
      ("targets", Test_targets.tests);
      ("plot command", Test_plot_command.tests);
      ("report", Test_report.tests);
    ]
