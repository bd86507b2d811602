(* Asks all servers, takes the first answer, and stops the others: they have ended when this returns. If what comes first is
   a failure, that is the outcome. *)
let first_answer ask servers =
  Weft.Scope.run (fun scope ->
      let answers = List.map (fun server -> Weft.Scope.async scope (fun () -> ask server)) servers in
      let first = Weft.await (Weft.Promise.race answers) in
      Weft.Scope.cancel scope;
      first)

let ask (name, seconds) =
  Weft.sleep seconds;
  name

(* Not after an hour. *)
let () = Printf.printf "%s was first\n" (first_answer ask [ ("slow", 3600.); ("fast", 0.001) ])
