let () =
  Weft.run ~domains:2 (fun () ->
      let _promise = Weft.async (fun () -> failwith "not seen") in
      print_endline "It goes on.")
