let () =
  let pool = Weft.Pool.create ~name:"images" ~domains:2 () in
  Weft.Pool.close pool;
  Weft.Pool.run pool (fun () -> print_endline "not reached")
