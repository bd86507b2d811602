(* A task that waits for a message or for the end. What a select has not chosen it leaves as it was. A [Promise.race] in this
   loop would leave a task behind in each round, which takes a message that nobody handles. *)
let rec serve messages the_end handled =
  let next =
    Weft.Select.(select [ recv messages (fun n -> `Message n); await the_end (fun () -> `The_end) ])
  in
  match next with `Message n -> serve messages the_end (handled + n) | `The_end -> handled

let () =
  let messages = Weft.Chan.bounded 0 and the_end = Weft.Promise.create () in
  Weft.Scope.run (fun scope ->
      let server = Weft.Scope.async scope (fun () -> serve messages the_end 0) in
      for n = 1 to 100 do
        Weft.Chan.send messages n
      done;
      Weft.Promise.resolve the_end ();
      Printf.printf "%d\n" (Weft.await server))
