let () =
  Alcotest.run "log"
    [
      ("format", Formats.tests);
      ("use", Uses.tests);
      ("recovery", Recoveries.tests);
      ("segments", Segments.tests);
      ("faults", Faults.tests);
      ("power failures", Power_failures.tests);
      ("batches", Batches.tests);
      ("failures of batches", Batch_failures.tests);
      ("kills", Kills.tests);
    ]
