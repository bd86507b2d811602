let () =
  Alcotest.run "weft migrate"
    [
      ("dune files", Dune_files.tests);
      ("packages", Packages.tests);
      ("notes", Notes.tests);
      ("trees", Trees.tests);
      ("command", Commands.tests);
    ]
