let () = Weft.run (fun () -> print_endline "It goes on.")
