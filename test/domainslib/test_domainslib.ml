let () =
  Alcotest.run "weft-domainslib"
    [ ("interfaces", Interfaces.tests); ("pools", Pools.tests); ("tasks", Tasks.tests) ]
