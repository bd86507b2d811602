(* Libraries that wait through Domain_local_await: a wait suspends its own fiber and blocks nobody else. *)

open Support
module Pool = Weft.Pool

let trigger = Domain_local_await.prepare_for_await

let many_on_few () =
  on_each_size @@ fun pool ->
  let n = 2_000 in
  let triggers = Array.make n (fun () -> ()) and waiting = Atomic.make 0 and woken = Atomic.make 0 in
  let wait i () =
    let t = trigger () in
    triggers.(i) <- t.release;
    Atomic.incr waiting;
    t.await ();
    Atomic.incr woken
  in
  let fibers = List.init n (fun i -> Pool.async pool (wait i)) in
  wait_until "all wait" (fun () -> Atomic.get waiting = n);
  check_int "woken" 0 (Atomic.get woken);
  check_int "other work goes on" (fib_of 15) (Pool.run pool (fun () -> fib 15));
  let release from = Array.iteri (fun i release -> if i land 1 = from then release ()) triggers in
  let thread = Thread.create release 0 and domain = Domain.spawn (fun () -> release 1) in
  List.iter Weft.await fibers;
  Thread.join thread;
  Domain.join domain;
  check_int "woken" n (Atomic.get woken)

let early_and_often () =
  in_each_size @@ fun () ->
  let t = trigger () in
  t.release ();
  t.release ();
  t.await ();
  for _ = 1 to 500 do
    (* The release and the wait happen at the same time. *)
    let t = trigger () in
    let (), () = Weft.par t.await t.release in
    t.release ()
  done

let who_is_ended () =
  in_each_size @@ fun () ->
  let release = Atomic.make ignore in
  waits_and_is_ended
    ~then_:(fun () -> wait_until "it waits" (fun () -> Atomic.get release != ignore))
    (fun () ->
      let t = trigger () in
      Atomic.set release t.release;
      t.await ());
  (* The other library does not know that the fiber has stopped waiting. *)
  Atomic.get release ();
  Atomic.get release ()

let outside () =
  (* A thread that is no worker blocks, as if there were no pool. *)
  on_each_size @@ fun pool ->
  let t = trigger () in
  let releaser = Pool.async pool t.release in
  t.await ();
  Weft.await releaser

(* A bounded queue that waits, made from saturn's parts. A fiber that must wait adds itself to the list,
   then looks again; a fiber that changes the queue releases all on the list. *)
module Waiting_queue = struct
  type 'a t = { items : 'a Saturn.Bounded_queue.t; waiting : (unit -> unit) Saturn.Stack.t }

  let create capacity = { items = Saturn.Bounded_queue.create ~capacity (); waiting = Saturn.Stack.create () }
  let changed q = List.iter (fun release -> release ()) (Saturn.Stack.pop_all q.waiting)

  let rec until_some q f =
    match f () with
    | Some v ->
        changed q;
        v
    | None -> (
        let t = trigger () in
        Saturn.Stack.push q.waiting t.release;
        match f () with
        | Some v ->
            changed q;
            v
        | None ->
            t.await ();
            until_some q f)

  let pop q = until_some q (fun () -> Saturn.Bounded_queue.pop_opt q.items)
  let push q v = until_some q (fun () -> if Saturn.Bounded_queue.try_push q.items v then Some () else None)
end

(* Each value goes from one producer to one consumer, in order. *)
let carry q ~start ~join ~producers ~consumers =
  let n = 600 in
  let sums = Array.make consumers 0 in
  let produce k () =
    for i = 1 to n do
      Waiting_queue.push q (k, i)
    done
  and consume c () =
    let last = Array.make producers 0 in
    for _ = 1 to producers * n / consumers do
      let k, i = Waiting_queue.pop q in
      if i <= last.(k) then Alcotest.failf "%d after %d" i last.(k);
      last.(k) <- i;
      sums.(c) <- sums.(c) + i
    done
  in
  let consumers = List.init consumers (fun c -> start (consume c)) in
  let producers' = List.init producers (fun k -> start (produce k)) in
  List.iter join (producers' @ consumers);
  check_int "sum" (producers * n * (n + 1) / 2) (Array.fold_left ( + ) 0 sums)

let saturn () =
  in_each_size @@ fun () ->
  List.iter
    (fun (capacity, producers, consumers) ->
      carry (Waiting_queue.create capacity) ~start:Weft.async ~join:Weft.await ~producers ~consumers)
    [ (1, 1, 1); (1, 4, 4); (16, 1, 6); (16, 6, 1); (1000, 5, 3) ]

let saturn_from_outside () =
  on_each_size @@ fun pool ->
  let turn = ref 0 in
  let start f =
    incr turn;
    if !turn land 1 = 0 then
      let p = Pool.async pool f in
      fun () -> Weft.await p
    else
      let t = Thread.create f () in
      fun () -> Thread.join t
  in
  carry (Waiting_queue.create 4) ~start ~join:(fun join -> join ()) ~producers:3 ~consumers:3

let tests =
  [
    case "Domain_local_await: many fibers wait on few workers" many_on_few;
    case "Domain_local_await: released before, at once, twice" early_and_often;
    case "Domain_local_await: a fiber that is ended may be released later" who_is_ended;
    case "Domain_local_await: a thread waits for a pool" outside;
    case "saturn: producers and consumers are fibers" saturn;
    case "saturn: fibers and threads" saturn_from_outside;
  ]
