let () =
  Alcotest.run "weft.unix"
    [
      Streams.cases;
      Endings.cases;
      Processes.with_descriptors;
      Processes.with_threads;
      Crowds.cases;
      Crowds.outside;
      Absurd_arguments.cases;
    ]
