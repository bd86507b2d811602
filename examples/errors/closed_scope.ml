let () =
  let scope = Weft.Scope.run (fun scope -> scope) in
  Weft.Scope.start scope (fun () -> print_endline "not reached")
