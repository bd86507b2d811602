let () =
  Alcotest.run "weft.unix" [ Streams.cases; Endings.cases; Processes.with_descriptors; Processes.with_threads ]
