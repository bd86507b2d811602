(* A hang is an error, also in a program with threads of its own, if it says so. *)

let () =
  Weft.Deadlock.set_detection Always;
  let c : unit Weft.Chan.t = Weft.Chan.bounded 0 in
  match Weft.run (fun () -> Weft.Chan.recv c) with
  | () -> print_endline "a message?"
  | exception Weft.Deadlock.Deadlock report ->
      List.iter (fun (f : Weft.Deadlock.fiber) -> print_endline f.waits_for) report.fibers
