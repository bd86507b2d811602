let () =
  Alcotest.run "weft-domainslib"
    [
      ("interfaces", Interfaces.tests);
      ("pools", Pools.tests);
      ("tasks", Tasks.tests);
      ("weft bench compat", Comparisons.tests);
    ]
