let () =
  (* A loop. *)
  Printf.printf "Up to 100000: at most %d steps\n" (Collatz.longest 100_000);
  (* A scope: all its tasks have ended when [run] returns. *)
  let starts = [ 27; 97; 871 ] in
  let found =
    Weft.Scope.run (fun scope ->
        let task n = Weft.Scope.async scope (fun () -> Collatz.steps n) in
        List.map Weft.await (List.map task starts))
  in
  List.iter2 (Printf.printf "From %d: %d steps\n") starts found
