open Weft_mpi
open Check
module Comm = Mpi.Comm

let next c = (Comm.rank c + 1) mod Comm.size c
let before c = (Comm.rank c + Comm.size c - 1) mod Comm.size c
let one n = ints 1 (fun _ -> n)

let recv c ?tag () =
  let a = one (-1) in
  ignore (Mpi.recv c ?tag ~source:(before c) a : Mpi.status);
  a.{0}

let until_waiting n =
  while Mpi.Private.pending () < n do
    Weft.sleep 0.001
  done

(* Of two fibers that receive, the first to call gets the first message, also where the second finds it there at once. *)
let first_come c =
  let round i =
    until_none_pending ();
    Mpi.barrier c;
    let first () = same "the first to call" (recv c ()) (2 * i) in
    let second () =
      until_waiting 1;
      Mpi.barrier c;
      let send () =
        Mpi.send c ~dest:(next c) (one (2 * i));
        Mpi.send c ~dest:(next c) (one ((2 * i) + 1))
      in
      ignore (Weft.par send (fun () -> same "the second" (recv c ()) ((2 * i) + 1)) : unit * unit)
    in
    ignore (Weft.par first second : unit * unit)
  in
  for i = 1 to 50 do
    round i
  done

(* Of many, in order, while some of them give up. *)
let in_order c =
  let n = 20 in
  until_none_pending ();
  Mpi.barrier c;
  let cancel = Weft.Cancel.create () in
  let got = Array.make n (-1) in
  let receive i = got.(i) <- recv c () in
  let rec each i =
    if i < n then
      let this () =
        if i mod 3 = 1 then
          try Weft.Cancel.within cancel (fun () -> receive i) with Weft.Cancel.Cancelled _ -> ()
        else receive i
      in
      let others () =
        until_waiting (i + 1);
        each (i + 1)
      in
      ignore (Weft.par this others : unit * unit)
    else begin
      Weft.Cancel.cancel cancel;
      while Mpi.Private.pending () > n - ((n + 1) / 3) do
        Weft.sleep 0.001
      done;
      Mpi.barrier c;
      for k = 0 to n - 1 do
        if k mod 3 <> 1 then Mpi.send c ~dest:(next c) (one k)
      done
    end
  in
  each 0;
  same "in order" got (Array.init n (fun i -> if i mod 3 = 1 then -1 else i))

(* The only worker computes until what a suspended fiber receives is there. *)
let beside_work c size =
  until_none_pending ();
  Mpi.barrier c;
  let a = ints size (fun i -> i + 1) and b = ints size (fun _ -> 0) in
  let compute () =
    until_waiting 1;
    Mpi.barrier c;
    let wait_for_contents () =
      while Sys.opaque_identity b.{size - 1} <> size do
        Domain.cpu_relax ()
      done
    in
    ignore (Weft.par (fun () -> Mpi.send c ~dest:(next c) a) wait_for_contents : unit * unit)
  in
  let receive () = same "count" (Mpi.recv c ~source:(before c) b).count size in
  ignore (Weft.par receive compute : unit * unit)

(* A duplicate that is under way holds up neither this rank's other calls nor its workers, though the others do not come. *)
let duplicate_beside_work c =
  let b = ints 1 (fun _ -> 0) and begun = Atomic.make false in
  until_none_pending ();
  Mpi.barrier c;
  let duplicate () =
    Atomic.set begun true;
    Comm.free (Comm.duplicate c)
  in
  let send_all () =
    Weft.sleep 0.05;
    for dest = 1 to Comm.size c - 1 do
      Mpi.send c ~tag:3 ~dest (one 1)
    done
  in
  let receive () = ignore (Mpi.recv c ~tag:3 b : Mpi.status) in
  let compute () =
    let has_come () = Sys.opaque_identity b.{0} <> 0 in
    (* Both may have ended before this begins. *)
    while not (has_come () || (Atomic.get begun && Mpi.Private.pending () > 0)) do
      Weft.sleep 0.001
    done;
    while not (has_come ()) do
      Domain.cpu_relax ()
    done
  in
  ignore
    (Weft.all (if Comm.rank c = 0 then [ duplicate; send_all ] else [ receive; duplicate; compute ])
      : unit list)

(* What does not come from a send of values is no value, whatever its length. *)
let foreign_values c =
  let check n =
    let a = ints n Fun.id in
    let is_wrong = function Mpi.Value.Wrong_type { source; _ } -> source = before c | _ -> false in
    let recv () = raises "no value" is_wrong (fun () -> Mpi.Value.recv c ~source:(before c)) in
    ignore (Weft.par (fun () -> Mpi.send c ~dest:(next c) a) recv : unit * unit)
  in
  List.iter check [ 0; 1; 100; 512; 513; 2000; 100_000 ]

let no_value c =
  let says text = function Invalid_argument t -> t = text | _ -> false in
  let root = Comm.rank c in
  raises "broadcast" (says "Weft_mpi.Mpi.Value.broadcast: the root gives no value") (fun () ->
      Mpi.Value.broadcast c ~root None);
  raises "scatter" (says "Weft_mpi.Mpi.Value.scatter: the root gives no value") (fun () ->
      Mpi.Value.scatter c ~root None)

let run w =
  let c = comm w in
  first_come c;
  in_order c;
  List.iter (beside_work c) [ 10; 1_000_000 ];
  duplicate_beside_work c;
  foreign_values c;
  no_value c;
  say w "receives: done"
