let () =
  Alcotest.run "profile"
    [
      ("shapes", Shapes.tests);
      ("promises and waits", Promises_and_waits.tests);
      ("regions", Regions.tests);
      ("stats", Stats.tests);
      ("dumps", Dumps.tests);
      ("holders", Holders.tests);
    ]
