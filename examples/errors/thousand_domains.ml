let () = Weft.run ~domains:1_000 (fun () -> print_endline "It goes on.")
