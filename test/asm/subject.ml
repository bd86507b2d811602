let () = ignore (Weft.par (fun () -> Weft.await (Weft.async (fun () -> 1))) (fun () -> 2))
