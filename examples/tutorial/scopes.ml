exception Broken

(* The first failure cancels the others. They end where they wait, fork or check, and put things in order on the way. *)
let () =
  let tidied = Atomic.make 0 in
  let patient () = Fun.protect ~finally:(fun () -> Atomic.incr tidied) (fun () -> Weft.sleep 3600.) in
  let ready = Weft.Latch.create 3 in
  match
    Weft.Scope.run (fun scope ->
        for _ = 1 to 3 do
          Weft.Scope.start scope (fun () ->
              Weft.Latch.count_down ready;
              patient ())
        done;
        Weft.Scope.start scope (fun () ->
            Weft.Latch.wait ready;
            raise Broken))
  with
  | () -> print_endline "all well"
  | exception Broken -> Printf.printf "broken; %d tasks were tidied up first\n" (Atomic.get tidied)
