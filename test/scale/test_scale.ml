let () =
  Commands.weft := Sys.argv.(1);
  Commands.subject := Sys.argv.(2);
  Commands.foreign := Sys.argv.(3);
  Alcotest.run "scale"
    ~argv:(Array.append [| Sys.argv.(0) |] (Array.sub Sys.argv 4 (Array.length Sys.argv - 4)))
    [ ("schedules", Schedules.tests); ("files", Files.tests); ("commands", Commands.tests) ]
