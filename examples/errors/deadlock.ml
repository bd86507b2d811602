let next numbers = 1 + Weft.Chan.recv numbers

let () =
  let numbers = Weft.Chan.bounded 8 in
  Weft.run (fun () -> Printf.printf "%d\n" (next numbers))
