(* subject CASE...: what test_mpi starts on several ranks. Rank 0 prints what must not depend on their number. *)

open Weft_mpi

let cases = [ ("binding", Binding_cases.run); ("loops", Loop_cases.run); ("failures", Failure_cases.run) ]

(* The others wait for the one that fails. *)
let last_fails w = if rank w = size w - 1 then failwith "the last" else if size w > 1 then barrier w
let first_exits w = if rank w = 0 then exit 0 else barrier w

let same_outside () =
  let c = Mpi.Comm.world () in
  let a = [| 1. |] in
  Mpi.Floats.all_reduce c Sum a;
  Check.same "outside" a [| float (Mpi.Comm.size c) |]

let twice () =
  let one = run (fun w -> Array.length (gather w ())) in
  same_outside ();
  let two = run ~domains:2 (fun w -> Array.length (gather w ())) in
  run (fun w -> Check.say w "twice: %b" (one = two))

let () =
  match List.tl (Array.to_list Sys.argv) with
  | [ "last-fails" ] -> run last_fails
  | [ "first-exits" ] -> run first_exits
  | [ "twice" ] -> twice ()
  | names -> run (fun w -> List.iter (fun name -> (List.assoc name cases) w) names)
