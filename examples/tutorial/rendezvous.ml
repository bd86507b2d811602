module Chan = Weft.Chan

(* [bounded 0] holds nothing: a message goes from hand to hand, and both sides know that it has. So one question at a time
   is asked, and answered, in turn. *)
let () =
  let questions = Chan.bounded 0 and answers = Chan.bounded 0 in
  Weft.Scope.run (fun scope ->
      Weft.Scope.start scope (fun () -> Chan.iter (fun n -> Chan.send answers (n * n)) questions);
      for n = 1 to 5 do
        Chan.send questions n;
        Printf.printf "%d squared is %d\n" n (Chan.recv answers)
      done;
      Chan.close questions)
