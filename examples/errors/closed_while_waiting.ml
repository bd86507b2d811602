let () =
  let numbers = Weft.Chan.bounded 8 in
  let pool = Weft.Pool.create ~name:"images" ~domains:2 () in
  let _promise = Weft.Pool.async pool (fun () -> Printf.printf "%d\n" (Weft.Chan.recv numbers)) in
  Weft.Pool.close pool
