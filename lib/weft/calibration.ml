module Alarm = Weft_support.Alarm
module Ticks = Weft_support.Ticks
module Deque_cells = Weft_support.Deque_cells

type moment = { ns : int; ticks : int }

let now () = { ns = Alarm.now (); ticks = Ticks.now () }

let rec ns_per_tick ~since =
  let { ns; ticks } = now () in
  if ns - since.ns < 1_000_000 || ticks <= since.ticks then ns_per_tick ~since
  else float_of_int (ns - since.ns) /. float_of_int (ticks - since.ticks)

let rate = Mutex.create ()
let known_rate = ref None

let once lock known f =
  Mutex.protect lock @@ fun () ->
  match !known with
  | Some v -> v
  | None ->
      let v = f () in
      known := Some v;
      v

let ticks_of_ns ns = int_of_float (ns /. once rate known_rate (fun () -> ns_per_tick ~since:(now ())))

(* --- what a piece costs --- *)

let forks = 256
let batches = 24

let empty_forks () =
  for _ = 1 to forks do
    ignore (Fork_join.par Fun.id Fun.id)
  done

let least_of n f = List.fold_left (fun least _ -> min least (f ())) max_int (List.init n Fun.id)

(* On the deque of the only worker of a pool that is profiled. *)
let plainly f =
  let deque = Deque_cells.current () in
  Deque_cells.let_go deque;
  Deque_cells.make_room deque;
  let v = f () in
  Deque_cells.hold deque;
  v

let ticks_of f =
  let before = Ticks.now () in
  f ();
  Ticks.now () - before

(* A fork is four pieces: up to it, its left side, its right side, and from there to the join. *)
let pieces_per_fork = 4

let measure () =
  let session = Strand.start ~clock:Strand.ticks ~burden:0 ~grain:max_int ~workers:2 in
  let p = Pools.create ~session ~caller:true "Weft.Profile.run" in
  Fun.protect ~finally:(fun () -> Closing.close p "Weft.Profile.run") @@ fun () ->
  let work () =
    let before = Atomic.get (Strand.root session).work in
    Pools.run p empty_forks "Weft.Profile.run";
    Atomic.get (Strand.root session).work - before
  in
  let counted = least_of batches work in
  let plain =
    Pools.run p
      (fun () -> plainly (fun () -> least_of batches (fun () -> ticks_of empty_forks)))
      "Weft.Profile.run"
  in
  max 0 ((counted - plain) / (forks * pieces_per_fork))

let lock = Mutex.create ()
let known = ref None
let per_piece () = once lock known measure
