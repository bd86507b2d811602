let () =
  (match Sys.argv with
  | [| _; "room"; group; domains |] -> Test_room.subject ~group ~is_size_given:(domains <> "")
  | _ -> ());
  (* The build gives the program weft. *)
  Program_weft.path := Sys.argv.(1);
  let argv = Array.append [| Sys.argv.(0) |] (Array.sub Sys.argv 2 (Array.length Sys.argv - 2)) in
  Alcotest.run ~argv "elastic"
    [
      ("pools", Test_pools.tests);
      ("cpu groups", Test_cpu_group.tests);
      ("room", Test_room.tests);
      ("command", Test_elastic_command.tests);
    ]
