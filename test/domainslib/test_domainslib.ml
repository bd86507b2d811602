let () =
  Alcotest.run "weft-domainslib"
    [
      ("interfaces", Interfaces.tests);
      ("absurd arguments", Absurd_arguments.tests);
      ("pools", Pools.tests);
      ("tasks", Tasks.tests);
      ("weft bench compat", Comparisons.tests);
    ]
