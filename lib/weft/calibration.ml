module Timer_thread = Weft_platform.Timer_thread
module Tsc = Weft_platform.Tsc
module Deque_memory = Weft_platform.Deque_memory

type moment = { ns : int; ticks : int }

let now () = { ns = Timer_thread.now (); ticks = Tsc.now () }

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

(* [f ()] without measuring; on the deque of the only worker of a pool that is profiled. *)
let plainly f =
  let deque = Deque_memory.current () in
  Deque_memory.let_go deque;
  Deque_memory.make_room deque;
  let v = f () in
  Deque_memory.hold deque;
  v

let ticks_of f =
  let before = Tsc.now () in
  f ();
  Tsc.now () - before

(* A fork is four pieces: up to it, its left side, its right side, and from there to the join. *)
let pieces_per_fork = 4

let measure () =
  let session = Span_session.start ~clock:Span_session.ticks ~burden:0 ~grain:max_int ~workers:2 in
  let p = Pools.create ~session ~caller:true "Weft.Profile.run" in
  Fun.protect ~finally:(fun () -> Shutdown.close p "Weft.Profile.run") @@ fun () ->
  let work () =
    let before = Atomic.get session.root.work in
    Pools.run p empty_forks "Weft.Profile.run";
    Atomic.get session.root.work - before
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
