let () =
  let promise = Weft.Promise.create () in
  Weft.Promise.on_settled promise (fun _ -> failwith "in the function");
  Weft.Promise.resolve promise 1;
  print_endline "It goes on."
