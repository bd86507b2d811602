let () =
  Alcotest.run "trace"
    [
      ("wire", Test_wire.tests);
      ("timeline", Test_timeline.tests);
      ("blocked time", Test_blocked_time.tests);
      ("executables", Test_executable.tests);
      ("recent", Test_recent.tests);
      ("processor time", Test_processor_time.tests);
      ("programs", Test_programs.tests);
      ("ends", Test_ends.tests);
      ("dump", Test_dump.tests);
      ("copies", Test_copies.tests);
    ]
