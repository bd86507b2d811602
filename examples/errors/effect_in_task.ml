type _ Effect.t += Ask : int Effect.t

let () = Weft.run (fun () -> Printf.printf "%d\n" (Effect.perform Ask))
