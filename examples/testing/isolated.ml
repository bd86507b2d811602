(* A test program without a framework. Each test has a pool of its own, of each of these sizes. *)
let sizes = [ 1; 2; 8 ]

(* All ends with the test: the tasks of its scope, and the pool. A task that nobody awaits and that fails has
   been reported by then. *)
let test name f =
  List.iter
    (fun domains ->
      Weft.run ~domains (fun () -> f ());
      Printf.printf "%s, %d domains: passed\n%!" name domains)
    sizes

let () =
  (* An exception that nobody awaits makes the program fail, whatever its tests say. *)
  Weft.exit_on_uncaught 1;
  (* A test that hangs is an error, also where there are threads. *)
  Weft.Deadlock.(set_detection Always)

let () =
  test "a sum" (fun () -> assert (Weft.Array.reduce ( + ) 0 (Weft.Array.init 1000 Fun.id) = 499_500));
  test "a channel" (fun () ->
      let c = Weft.Chan.bounded 1 in
      Weft.Scope.run (fun scope ->
          Weft.Scope.start scope (fun () -> Weft.Chan.iter (fun n -> assert (n = 7)) c);
          Weft.Chan.send c 7;
          Weft.Chan.close c));
  test "nobody sends" (fun () ->
      match Weft.run ~domains:1 (fun () -> Weft.Chan.recv (Weft.Chan.bounded 1)) with
      | () -> assert false
      | exception Weft.Deadlock.Deadlock report -> assert (report.fibers <> []))
