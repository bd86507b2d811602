let () =
  Alcotest.run "trace"
    [
      ("wire", Test_wire.tests);
      ("timeline", Test_timeline.tests);
      ("programs", Test_programs.tests);
      ("ends", Test_ends.tests);
    ]
