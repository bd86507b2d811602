let () =
  let a, b = Weft.par (fun () -> 20) (fun () -> 22) in
  Printf.printf "It runs: %d\n" (a + b)
