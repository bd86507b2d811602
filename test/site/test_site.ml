let () =
  Alcotest.run "site"
    [
      ("documents", Documents.tests);
      ("names", Names.tests);
      ("pages", Folders.tests);
      ("widths", Widths.tests);
    ]
