let () = Alcotest.run "datalog" [ ("evaluation", Evaluations.tests) ]
