let () = Weft.run ~domains:0 (fun () -> print_endline "not reached")
