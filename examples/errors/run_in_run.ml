let () = Weft.run (fun () -> Weft.run (fun () -> Weft.run ~domains:2 (fun () -> print_endline "It runs.")))
