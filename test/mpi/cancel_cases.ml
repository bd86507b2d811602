open Weft_mpi
open Check
module Comm = Mpi.Comm
module Value = Mpi.Value

(* --- a rank is stopped while it waits for the others, who come afterwards --- *)

let next c = (Comm.rank c + 1) mod Comm.size c
let signal c = if next c <> 0 then Mpi.send c ~tag:99 ~dest:(next c) (ints 1 Fun.id)
let await_signal c = ignore (Mpi.recv c ~tag:99 ~source:(Comm.rank c - 1) (ints 1 Fun.id) : Mpi.status)

let rec until p =
  if not (p ()) then begin
    Weft.sleep 0.001;
    until p
  end

let until_pending () = until (fun () -> Mpi.Private.pending () > 0)

let cancelled c f =
  let cancel = Weft.Cancel.create () in
  let stop () =
    until_pending ();
    Weft.Cancel.cancel cancel;
    signal c
  in
  let wait () = try Weft.Cancel.within cancel f with Weft.Cancel.Cancelled _ -> () in
  ignore (Weft.par wait stop : unit * unit)

let closed c f =
  let pool = Weft.Pool.create ~domains:1 () in
  let p = Weft.Pool.async pool (fun () -> try f () with Weft.Pool.Closed _ -> ()) in
  until_pending ();
  let late () =
    Weft.sleep 0.02;
    signal c
  in
  ignore (Weft.par (fun () -> Weft.Pool.close pool) late : unit * unit);
  Weft.await p

(* All come out of [f], and to the barrier behind it. *)
let alone w stopped f =
  let c = comm w in
  until_none_pending ();
  Mpi.barrier c;
  if Comm.rank c = 0 then stopped c f
  else begin
    await_signal c;
    signal c;
    try f () with Elsewhere _ -> ()
  end;
  Mpi.barrier c

(* --- what is stopped: each collective, and each function of several steps --- *)

let long k = List.init 9000 (fun i -> i + k)

let of_values c =
  let n = Comm.size c and me = Comm.rank c in
  let all = Array.init n long in
  let at root v = if me = root then Some v else None in
  [
    (fun () -> same "broadcast" (Value.broadcast c ~root:1 (at 1 (long 3))) (long 3));
    (fun () -> same "broadcast of little" (Value.broadcast c ~root:1 (at 1 3)) 3);
    (fun () -> same "gather" (Value.gather c ~root:0 (long me)) (at 0 all));
    (fun () -> same "all_gather" (Value.all_gather c (long me)) all);
    (fun () -> same "scatter" (Value.scatter c ~root:1 (at 1 all)) (long me));
    (fun () -> same "all_to_all" (Value.all_to_all c (Array.make n (long me))) all);
  ]

let of_arrays c =
  let n = Comm.size c in
  let one () = ints 30 Fun.id and all () = ints (30 * n) Fun.id in
  let copy a = Bigarray.Array1.(sub a 0 (dim a)) in
  [
    (fun () -> Mpi.barrier c);
    (fun () -> Mpi.broadcast c ~root:1 (one ()));
    (fun () -> Mpi.Floats.broadcast c ~root:1 (Array.make 30 0.));
    (fun () -> Mpi.Bytes.broadcast c ~root:1 (Bytes.make 30 ' '));
    (fun () -> Mpi.Floats.all_reduce c Sum (Array.make 30 0.));
    (fun () -> Mpi.all_reduce c Sum (one ()) (one ()));
    (fun () -> Mpi.reduce c Sum ~root:0 (one ()) (one ()));
    (fun () -> Mpi.all_gather c (one ()) (all ()));
    (fun () -> Mpi.scatter c ~root:1 (all ()) (one ()));
    (fun () -> Mpi.all_to_all c (all ()) (copy (all ())));
  ]

let of_communicators c =
  let made = ref None in
  let free () =
    Option.iter Comm.free !made;
    made := None
  in
  [
    (fun () -> made := Some (Comm.duplicate c));
    (fun () -> free ());
    (fun () -> made := Some (Comm.split c 0));
    (fun () -> free ());
    (fun () -> made := Some (Comm.split_by_node c));
    (fun () -> free ());
  ]

let of_windows c =
  let made = ref None in
  [ (fun () -> made := Some (Mpi.Window.create c ~slots:1)); (fun () -> Mpi.Window.free (Option.get !made)) ]

let of_worlds w =
  let n = size w and me = rank w in
  let fresh = of_comm (comm w) in
  [
    (* The first loop of a world makes its counter. *)
    (fun () -> parallel_for fresh ~start:1 ~finish:100 ~body:ignore ());
    (fun () -> parallel_for fresh ~start:1 ~finish:100 ~body:ignore ());
    (fun () -> same "gather" (gather w (long me)) (Array.init n long));
    (fun () -> same "broadcast" (broadcast w ~root:1 (long me)) (long 1));
    (fun () -> ignore (sort w Int.compare (Array.init 1000 (fun i -> -i)) : int array));
    (fun () -> ignore (group_by w ~key:Fun.id (Array.init 1000 (fun i -> i / 2)) : (int * int array) array));
    (fun () -> ignore (scan w ( + ) (Array.init 1000 Fun.id) : int array));
    (fun () -> barrier w);
    (fun () -> free fresh);
  ]

let each w stopped make = List.iter (alone w stopped) make

let collectives w stopped =
  let c = comm w in
  each w stopped (of_values c);
  each w stopped (of_arrays c);
  (* The same in pieces. *)
  Mpi.Private.set_max_count 4000;
  each w stopped (of_values c);
  Mpi.Private.set_max_count 7;
  each w stopped (List.filteri (fun i _ -> i < 7) (of_arrays c));
  Mpi.Private.set_max_count (1 lsl 30);
  each w stopped (of_communicators c);
  each w stopped (of_windows c);
  each w stopped (of_worlds w)

(* --- cancelled before it begins --- *)

(* The functions for all take part, or fail on all ranks. *)
let cancelled_before w =
  let f g () =
    let cancel = Weft.Cancel.create () in
    let stopped () =
      Weft.Cancel.cancel cancel;
      g ()
    in
    if rank w = 0 then try Weft.Cancel.within cancel stopped with Weft.Cancel.Cancelled _ -> ()
    else try g () with Elsewhere _ -> ()
  in
  List.iter
    (fun g ->
      f g ();
      Mpi.barrier (comm w))
    (of_worlds w)

(* --- a long value is sent whole or not at all --- *)

(* The time-out comes while the pieces are posted. *)
let sent_whole c =
  let value = String.make 20_000_000 'x' in
  Mpi.Private.set_max_count 10_000;
  let send seconds =
    match Weft.Cancel.with_timeout seconds (fun () -> Value.send c ~tag:5 ~dest:(next c) value) with
    | () -> ()
    | exception Weft.Cancel.Timeout -> ()
  in
  let receive () =
    let rec each () =
      match (Value.recv c ~tag:Mpi.any_tag : string * Mpi.status) with
      | v, { tag = 5; _ } ->
          same "a value that was cancelled" v value;
          each ()
      | v, _ -> same "the last" v "end"
    in
    each ()
  in
  let send_all () =
    List.iter send [ 0.0003; 0.0006; 0.001; 0.002; 0.004; 0.01 ];
    Value.send c ~tag:6 ~dest:(next c) "end"
  in
  ignore (Weft.par send_all receive : unit * unit);
  (* No piece is left that nobody receives. *)
  until_none_pending ();
  Mpi.Private.set_max_count (1 lsl 30);
  Mpi.barrier c

let run w =
  sent_whole (comm w);
  if size w > 1 then begin
    collectives w cancelled;
    collectives w closed;
    cancelled_before w
  end;
  say w "cancellation: done"
