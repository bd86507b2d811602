let () =
  Alcotest.run "log"
    [
      ("format", Formats.tests);
      ("use", Uses.tests);
      ("recovery", Recoveries.tests);
      ("segments", Segments.tests);
      ("faults", Faults.tests);
      ("power failures", Power_failures.tests);
    ]
