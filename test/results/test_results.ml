let () =
  (* The build gives the program weft, the stored baseline and the description of the files as arguments. *)
  Program.path := Sys.argv.(1);
  Test_programs.baseline := Sys.argv.(2);
  Test_reading.description := Sys.argv.(3);
  let argv = Array.append [| Sys.argv.(0) |] (Array.sub Sys.argv 4 (Array.length Sys.argv - 4)) in
  Alcotest.run ~argv "results"
    [
      ("reading", Test_reading.tests);
      ("Mann-Whitney", Test_mann_whitney.tests);
      ("comparison", Test_comparison.tests);
      ("forms", Test_forms.tests);
      ("programs", Test_programs.tests);
    ]
