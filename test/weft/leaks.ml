open Support
module Effort = Testing.Effort
module Promise = Weft.Promise

(* Operations that have ended leave no memory behind. *)
let grows = Testing.Memory.grows

(* Words that a pool may newly keep for itself now and then, however many operations there were: less than
   one word for each operation. *)
let slack = 1_500

(* Nobody waits for these tasks. The last one is queued behind them: when it has run, all have run. *)
let drained ran expected = yield_until "all tasks have run" (fun () -> Atomic.get ran = expected)

(* [usual] is a number of operations that take a part of half a second. *)
let count_of ?(long = 1_000_000) usual = Effort.count ~quick:(min usual 2_000) ~usual ~long
let on_both_sizes check = List.iter (fun domains -> Weft.Pool.with_pool ~domains check) [ 1; 2 ]

let fails name count pool growth =
  Alcotest.failf "%s: %d words are left of %d times, on %d domains" name growth count (Weft.Pool.domains pool)

(* [ending op] is called at the end of each round. *)
let nothing_is_left ?(usual = 40_000) ?long ?(slack = slack) ?(ending = ignore) name make =
  let count = count_of ?long usual in
  let check pool =
    let op = make () in
    let round () =
      Weft.Pool.run pool @@ fun () ->
      for i = 1 to count do
        op i
      done;
      ending op
    in
    Option.iter (fails name count pool) (grows ~slack round)
  in
  case name (fun () -> on_both_sizes check)

(* The callers are in no pool. *)
let nothing_is_left_outside ?(usual = 4_000) ?(long = 100_000) name op =
  let count = count_of ~long usual in
  let check pool =
    let round () =
      for i = 1 to count do
        op pool i
      done
    in
    Option.iter (fails name count pool) (grows ~slack round)
  in
  case name (fun () -> on_both_sizes check)

let soon = 1e-6
let group = 100

(* [make ()] returns a function around each group of waits, which keeps what lasts, and a wait that does
   not end by itself. All of a group wait at once: time-outs end every other group, a cancellation ends the
   rest. *)
let given_up ?(usual = 4_000) ?slack ?ending name make =
  nothing_is_left ~usual ?slack ?ending (name ^ ", given up") @@ fun () ->
  let around, wait = make () in
  let together wait =
    Weft.Scope.run @@ fun s ->
    for _ = 1 to group do
      ignore (Weft.Scope.async s wait)
    done
  in
  let timed () =
    together (fun () -> try Weft.Cancel.with_timeout soon wait with Weft.Cancel.Timeout -> ())
  in
  let cancelled () =
    let token = Weft.Cancel.create () in
    let waiting = Weft.async (fun () -> Weft.Cancel.within token (fun () -> together wait)) in
    Weft.yield ();
    Weft.Cancel.cancel token;
    try Weft.await waiting with Weft.Cancel.Cancelled _ -> ()
  in
  fun i -> if i mod group = 0 then around (if i / group land 1 = 0 then timed else cancelled)

let alone f = f ()
let lasting () : int Promise.t = Promise.create ()

let promises =
  [
    nothing_is_left "a created promise, dropped" (fun () _ -> ignore (lasting ()));
    nothing_is_left "a created promise, resolved and awaited" (fun () i ->
        let p = Promise.create () in
        Promise.resolve p i;
        ignore (Weft.await p));
    nothing_is_left ~usual:20_000 "a promise and its resolver, withdrawn" (fun () _ ->
        let p, r = Promise.make () in
        Promise.on_settled p ignore;
        ignore (Promise.Resolver.withdraw r));
    nothing_is_left ~usual:20_000 "a task, cancelled" (fun () _ ->
        let p = Promise.cancellable (fun () -> Weft.sleep 3600.) in
        Promise.cancel p;
        try Weft.await p with Weft.Cancel.Cancelled _ -> ());
    nothing_is_left ~usual:4_000 "a task that waits, cancelled" (fun () ->
        let lasting : unit Promise.t = Promise.create () in
        fun _ ->
          let p = Promise.cancellable (fun () -> Weft.await lasting) in
          Weft.yield ();
          Promise.cancel p;
          try Weft.await p with Weft.Cancel.Cancelled _ -> ());
    nothing_is_left "a task, awaited" (fun () i -> ignore (Weft.await (Weft.async (fun () -> i))));
    nothing_is_left ~usual:20_000 "a task that raises, awaited" (fun () _ ->
        try Weft.await (Weft.async (fun () -> raise (Planned 1))) with Planned 1 -> ());
    nothing_is_left ~usual:20_000 "a task, dropped, when it has run" (fun () _ ->
        let ran = Atomic.make 0 in
        ignore (Weft.async (fun () -> Atomic.incr ran));
        drained ran 1);
    nothing_is_left ~usual:20_000 "map, both and all" (fun () i ->
        let p = Promise.of_value i in
        ignore (Weft.await (Promise.both (Promise.map succ p) (Promise.all [ p; p ]))));
    given_up "a wait for a lasting promise" (fun () ->
        let p = lasting () in
        (alone, fun () -> ignore (Weft.await p)));
    nothing_is_left ~usual:4_000 "map, both and all, dropped, once what they wait for has come" (fun () _ ->
        let p = lasting () and ended = Atomic.make 0 in
        let note _ = Atomic.incr ended in
        ignore (Promise.map note p);
        ignore (Promise.map note (Promise.both p p));
        ignore (Promise.map note (Promise.all [ p ]));
        Weft.yield ();
        Promise.resolve p 1;
        drained ended 3);
    nothing_is_left ~usual:10_000 "race and any against a lasting promise, won" (fun () ->
        let never = lasting () in
        fun i ->
          let p = Promise.create () in
          let race = Promise.race [ never; p ] and any = Promise.any [ p; never ] in
          Promise.resolve p i;
          ignore (Weft.await race + Weft.await any));
  ]

(* The lasting promise keeps as many of these as have been dropped since a collection. Adding others clears
   them away: at least once for each 4,096 that are there. *)
let undecided =
  let slack = 150_000 in
  let ending op =
    Gc.full_major ();
    Gc.full_major ();
    for i = 1 to 5_000 do
      op i
    done
  in
  let dropped name first_of =
    nothing_is_left ~slack ~ending (name ^ ", undecided, dropped") (fun () ->
        let never = lasting () in
        fun _ -> ignore (first_of [ lasting (); never ] : int Promise.t))
  in
  [
    dropped "race" Promise.race;
    dropped "any" Promise.any;
    given_up ~usual:20_000 ~slack ~ending "a wait for a race" (fun () ->
        let never = lasting () in
        (alone, fun () -> ignore (Weft.await (Promise.race [ never; lasting () ]))));
  ]

(* The race's result is dropped, but the promise that it decides is not. *)
let races_of_races () =
  in_each_size @@ fun () ->
  let p = Promise.create () and never = Promise.create () in
  let[@inline never] outer () =
    Promise.race [ Promise.any [ never; Promise.race [ p; never ] ]; Promise.create () ]
  in
  let race = outer () in
  let waiting = Weft.async (fun () -> Weft.await (Promise.race [ p; never ])) in
  Weft.yield ();
  Gc.full_major ();
  Gc.full_major ();
  (* Adding waiters clears away those that nobody needs. *)
  for _ = 1 to 100 do
    ignore (Promise.race [ p; never ])
  done;
  Promise.resolve p 5;
  check_int "decided by what only it refers to" 5 (Weft.await race);
  check_int "decided for a fiber that waits" 5 (Weft.await waiting)

let scopes_and_tokens =
  let failing scope_of =
    try scope_of (fun s -> ignore (Weft.Scope.async s (fun () -> raise (Planned 1)))) with Planned 1 -> ()
  in
  [
    nothing_is_left "a scope" (fun () _ -> Weft.Scope.run ignore);
    nothing_is_left ~usual:10_000 "a scope with a task" (fun () _ ->
        Weft.Scope.run (fun s -> ignore (Weft.Scope.async s ignore)));
    nothing_is_left ~usual:10_000 "a scope that fails" (fun () _ -> failing Weft.Scope.run);
    nothing_is_left ~usual:10_000 "a scope that keeps going" (fun () _ ->
        failing (Weft.Scope.run ~on_failure:Keep_going));
    nothing_is_left ~usual:10_000 "a scope, cancelled" (fun () _ ->
        try
          Weft.Scope.run (fun s ->
              ignore (Weft.Scope.async s (fun () -> Weft.await (lasting ())));
              Weft.Scope.cancel s)
        with Weft.Cancel.Cancelled _ -> ());
    nothing_is_left "a token" (fun () _ -> Weft.Cancel.within (Weft.Cancel.create ()) ignore);
    nothing_is_left "a token, cancelled" (fun () _ ->
        let t = Weft.Cancel.create () in
        Weft.Cancel.cancel t);
    nothing_is_left "a token, cancelled from inside" (fun () _ ->
        let t = Weft.Cancel.create () in
        try
          Weft.Cancel.within t (fun () ->
              Weft.Cancel.cancel t;
              Weft.Cancel.check ())
        with Weft.Cancel.Cancelled _ -> ());
    nothing_is_left "scopes in one token" (fun () ->
        let t = Weft.Cancel.create () in
        fun _ -> Weft.Cancel.within t (fun () -> Weft.Scope.run ignore));
    nothing_is_left "a shield" (fun () _ -> Weft.Cancel.shield ignore);
  ]

let timers =
  [
    nothing_is_left "a time-out that does not come" (fun () _ -> Weft.Cancel.with_timeout 1000. ignore);
    nothing_is_left "a deadline that does not come" (fun () _ ->
        Weft.Cancel.with_deadline (Unix.gettimeofday () +. 1000.) ignore);
    nothing_is_left ~usual:4_000 "sleeps" (fun () i ->
        if i mod group = 0 then ignore (Weft.all (List.init group (fun _ () -> Weft.sleep soon))));
    nothing_is_left "time-outs at a mutex" (fun () ->
        let m = Weft.Mutex.create () in
        (* Never unlocked. *)
        Weft.Mutex.lock m;
        fun _ -> try Weft.Mutex.lock_timeout 0. m with Weft.Cancel.Timeout -> ());
    given_up "a sleep" (fun () -> (alone, fun () -> Weft.sleep 1000.));
    nothing_is_left ~usual:4_000 "blocking calls" (fun () i ->
        if i mod group = 0 then ignore (Weft.all (List.init group (fun _ () -> Weft.blocking ignore))));
  ]

let channels =
  [
    nothing_is_left ~usual:20_000 "a channel" (fun () i ->
        let c = Weft.Chan.bounded 4 in
        Weft.Chan.send c i;
        ignore (Weft.Chan.recv c));
    nothing_is_left ~usual:20_000 "a channel, dropped with a message" (fun () i ->
        Weft.Chan.send (Weft.Chan.bounded 1) i);
    nothing_is_left ~usual:20_000 "a channel without bound, closed and emptied" (fun () i ->
        let c = Weft.Chan.unbounded () in
        Weft.Chan.send c i;
        Weft.Chan.close c;
        Weft.Chan.iter ignore c);
    nothing_is_left ~usual:20_000 "messages through one channel without bound" (fun () ->
        let c = Weft.Chan.unbounded () in
        fun i ->
          Weft.Chan.send c i;
          ignore (Weft.Chan.recv c));
    nothing_is_left ~usual:20_000 "a channel of domainslib, dropped with a message" (fun () i ->
        let c = Domainslib.Chan.make_unbounded () in
        Domainslib.Chan.send c i;
        Domainslib.Chan.send c i;
        ignore (Domainslib.Chan.recv c));
    given_up "a receive" (fun () ->
        let c : int Weft.Chan.t = Weft.Chan.bounded 0 in
        (alone, fun () -> ignore (Weft.Chan.recv c)));
    given_up "a send" (fun () ->
        let c = Weft.Chan.bounded 0 in
        (alone, fun () -> Weft.Chan.send c 1));
    given_up ~usual:2_000 "a select" (fun () ->
        let c : int Weft.Chan.t = Weft.Chan.bounded 0 and unsettled = lasting () in
        (* Each select has cases of its own: it must not meet another's offer. *)
        let into = Weft.Chan.bounded 0 and m = Weft.Mutex.create () in
        let cases =
          Weft.Select.
            [ recv c ignore; send into 1 ignore; await unsettled ignore; lock m ignore; timeout 1000. ignore ]
        in
        (Weft.Mutex.protect m, fun () -> Weft.Select.select cases));
    nothing_is_left ~usual:2_000 "a select whose time is over" (fun () ->
        let unsettled = lasting () in
        fun _ -> Weft.Select.(select [ await unsettled ignore; timeout soon ignore ]));
    nothing_is_left ~usual:20_000 "a select, done" (fun () ->
        let c = Weft.Chan.bounded 1 and unsettled = lasting () in
        fun i ->
          Weft.Chan.send c i;
          Weft.Select.(select [ recv c ignore; await unsettled ignore; timeout 1000. ignore ]));
    nothing_is_left ~usual:20_000 "a select that does not wait" (fun () ->
        let unsettled = lasting () in
        fun _ -> ignore Weft.Select.(poll [ await unsettled ignore ]));
  ]

let locks =
  [
    nothing_is_left ~usual:20_000 "locks" (fun () _ ->
        Weft.Mutex.protect (Weft.Mutex.create ()) ignore;
        Weft.Semaphore.protect (Weft.Semaphore.create 1) ignore;
        let rw = Weft.Rwlock.create () in
        Weft.Rwlock.read rw ignore;
        Weft.Rwlock.write rw ignore;
        Weft.Condition.broadcast (Weft.Condition.create ()));
    nothing_is_left ~usual:20_000 "ivars, mvars, latches, barriers, onces" (fun () i ->
        let ivar = Weft.Ivar.create () in
        Weft.Ivar.fill ivar i;
        let mvar = Weft.Mvar.create ~value:(Weft.Ivar.read ivar) () in
        ignore (Weft.Mvar.take mvar);
        let latch = Weft.Latch.create 1 in
        Weft.Latch.count_down latch;
        Weft.Latch.wait latch;
        ignore (Weft.Barrier.wait (Weft.Barrier.create 1));
        Weft.Once.get (Weft.Once.make ignore));
    nothing_is_left ~usual:20_000 "a once that raises" (fun () _ ->
        try Weft.Once.get (Weft.Once.make (fun () -> raise (Planned 1))) with Planned 1 -> ());
    given_up "a semaphore" (fun () ->
        let s = Weft.Semaphore.create 0 in
        (alone, fun () -> Weft.Semaphore.acquire s));
    given_up "a mutex" (fun () ->
        let m = Weft.Mutex.create () in
        (Weft.Mutex.protect m, fun () -> Weft.Mutex.lock m));
    given_up "a lock for writers" (fun () ->
        let rw = Weft.Rwlock.create () in
        (Weft.Rwlock.read rw, fun () -> Weft.Rwlock.write_lock rw));
    given_up "a lock for readers" (fun () ->
        let rw = Weft.Rwlock.create () in
        (Weft.Rwlock.write rw, fun () -> Weft.Rwlock.read_lock rw));
    given_up "a condition" (fun () ->
        let m = Weft.Mutex.create () and c = Weft.Condition.create () in
        (alone, fun () -> Weft.Mutex.protect m (fun () -> Weft.Condition.wait c m)));
    given_up "an ivar" (fun () ->
        let ivar : int Weft.Ivar.t = Weft.Ivar.create () in
        (alone, fun () -> ignore (Weft.Ivar.read ivar)));
    given_up "a full mvar" (fun () ->
        let mvar = Weft.Mvar.create ~value:1 () in
        (alone, fun () -> Weft.Mvar.put mvar 2));
    given_up "an empty mvar" (fun () ->
        let mvar : int Weft.Mvar.t = Weft.Mvar.create () in
        (alone, fun () -> ignore (Weft.Mvar.take mvar + Weft.Mvar.read mvar)));
    given_up "a latch" (fun () ->
        let latch = Weft.Latch.create 1 in
        (alone, fun () -> Weft.Latch.wait latch));
    given_up "a barrier" (fun () ->
        let barrier = Weft.Barrier.create (group + 1) in
        (alone, fun () -> ignore (Weft.Barrier.wait barrier)));
    nothing_is_left ~usual:20_000 "poisoning mutexes, broadcasts" (fun () i ->
        let m = Weft.Poisoning_mutex.create () in
        (try Weft.Poisoning_mutex.protect m (fun () -> raise (Planned 1)) with Planned 1 -> ());
        Weft.Poisoning_mutex.repair m ignore;
        let c = Weft.Broadcast.create 1 in
        let s = Weft.Broadcast.subscribe c in
        Weft.Broadcast.send c i;
        ignore (Weft.Broadcast.recv s));
    given_up "a broadcast" (fun () ->
        let c : int Weft.Broadcast.t = Weft.Broadcast.create 1 in
        let s = Weft.Broadcast.subscribe c in
        (alone, fun () -> ignore (Weft.Broadcast.recv s)));
    given_up ~usual:2_000 "a select of all kinds" (fun () ->
        let answer : int Weft.Ivar.t = Weft.Ivar.create () and doors = Weft.Latch.create 1 in
        let mvar : int Weft.Mvar.t = Weft.Mvar.create () and full = Weft.Mvar.create ~value:1 () in
        let s = Weft.Semaphore.create 0 in
        let cases =
          Weft.Select.
            [
              ivar answer ignore;
              latch doors ignore;
              take mvar ignore;
              read mvar ignore;
              put full 2 ignore;
              acquire s ignore;
            ]
        in
        (alone, fun () -> Weft.Select.select cases));
    given_up "a select of a condition" (fun () ->
        let m = Weft.Mutex.create () and c = Weft.Condition.create () in
        ( alone,
          fun () -> Weft.Mutex.protect m (fun () -> Weft.Select.(select [ condition c m ignore; never ])) ));
    given_up "a once" (fun () ->
        let never = lasting () in
        let once = Weft.Once.make (fun () -> Weft.await never) in
        (alone, fun () -> ignore (Weft.Once.get once)));
    given_up "a limit" (fun () ->
        let limit = Weft.Limit.create 1 in
        (Weft.Limit.run limit, fun () -> Weft.Limit.run limit (fun () -> ignore (Weft.await (lasting ())))));
  ]

(* What the program gives to Weft: functions, and effect handlers around tasks, which continue, raise, or
   drop a task. *)
let handlers =
  let asked (answer : (int, unit) Effect.Deep.continuation -> unit) () _ =
    let ask () = ignore (Weft.await (Weft.async Effects.ask) : int) in
    try Effects.asked answer ask with Planned 1 -> ()
  in
  [
    nothing_is_left "functions for failures" (fun () _ ->
        with_reports ~own:(fun _ -> false) (fun _ -> Weft.set_suppressed_handler (fun _ _ -> ())));
    nothing_is_left "expectations of what comes from outside" (fun () _ -> Weft.Deadlock.expect ignore);
    nothing_is_left ~usual:10_000 "effects of tasks, answered" (asked (fun k -> Effect.Deep.continue k 1));
    nothing_is_left ~usual:10_000 "effects of tasks, refused"
      (asked (fun k -> Effect.Deep.discontinue k (Planned 1)));
    (* Each leaves a stack to the collector, which does not know how large it is, and a task that ends some
       time after a collection. *)
    nothing_is_left ~usual:2_000 ~long:2_000 ~slack:10_000 "effects of tasks, dropped" (asked ignore);
  ]

module Table = Weft_batch.Hash_table.Make (Int)
module Queue = Weft_batch.Priority_queue.Make (Int)
module Tree = Weft_batch.Treap.Make (Int)
module Skip = Weft_batch.Skip_list.Make (Int)

let batched =
  [
    nothing_is_left ~usual:4_000 "batched structures, dropped" (fun () i ->
        let c = Weft_batch.Counter.create () in
        Weft_batch.Counter.incr c;
        let table = Table.create () in
        Table.add table i i;
        let queue = Queue.create () in
        Queue.push queue i i);
    nothing_is_left "keys of a table, a queue, a tree and a list, removed" ~usual:4_000 (fun () ->
        let table = Table.create () and queue = Queue.create () in
        let tree = Tree.create () and list = Skip.create () in
        fun i ->
          Table.add table i i;
          ignore (Table.remove table i);
          Queue.push queue i i;
          ignore (Queue.pop_min queue);
          Tree.exec tree (Add (i, i));
          ignore (Tree.exec tree (Remove i));
          Skip.exec list (Add (i, i));
          ignore (Skip.exec list (Remove i)));
    nothing_is_left ~usual:10_000 "operations on a counter that meet" (fun () ->
        let c = Weft_batch.Counter.create () in
        fun _ ->
          Weft.Scope.run (fun s ->
              ignore (Weft.Scope.async s (fun () -> Weft_batch.Counter.incr c));
              Weft_batch.Counter.decr c));
  ]

let others =
  [
    nothing_is_left ~usual:20_000 "a fork that raises" (fun () _ ->
        try ignore (Weft.par (fun () -> raise (Planned 1)) ignore) with Planned 1 -> ());
    nothing_is_left ~usual:20_000 "loops" (fun () _ ->
        Weft.parallel_for ~start:1 ~finish:10 ~body:(fun i -> ignore (Sys.opaque_identity i)) ();
        ignore (Weft.parallel_for_reduce ~start:1 ~finish:10 ~body:Fun.id ( + ) 0);
        ignore (Weft.parallel_find ~start:1 ~finish:10 ~body:Option.some ()));
    nothing_is_left ~usual:20_000 "a loop that raises" (fun () _ ->
        try Weft.parallel_for ~start:1 ~finish:10 ~body:(fun i -> raise (Planned i)) () with Planned _ -> ());
    nothing_is_left ~usual:10_000 "arrays, lists and sequences" (fun () _ ->
        let a = Weft.Array.init 10 (fun i -> -i) in
        Weft.Array.sort compare a;
        ignore (Weft.List.map succ (Weft.Seq.to_list (Weft.Seq.map succ (Weft.Seq.of_array a)))));
    nothing_is_left "a limit" (fun () _ -> Weft.Limit.run (Weft.Limit.create 1) ignore);
    nothing_is_left "bindings of one key of tasks" (fun () ->
        let key = Weft.Local.Task_local.create ~default:0 in
        fun i -> Weft.Local.Task_local.with_value key i (fun () -> ignore (Weft.Local.Task_local.get key)));
    nothing_is_left "keys of tasks" (fun () i ->
        let key = Weft.Local.Task_local.create ~default:0 in
        Weft.Local.Task_local.with_value key i (fun () -> ignore (Weft.Local.Task_local.get key)));
    nothing_is_left ~usual:10_000 "values of workers" (fun () i ->
        let value = Weft.Local.Worker_local.create (fun () -> 0) in
        Weft.Local.Worker_local.set value i;
        ignore (Weft.Local.Worker_local.fold ( + ) 0 value));
    nothing_is_left "generators of random numbers" (fun () i ->
        ignore (Weft.Random.bits (Weft.Random.split (Weft.Random.make i))));
    nothing_is_left ~usual:500 ~long:100_000 "pipelines" (fun () _ ->
        let left = ref 4 in
        let produce () =
          decr left;
          if !left < 0 then None else Some !left
        in
        Weft.pipeline produce Weft.Stage.(serial succ >>> in_order ignore));
    nothing_is_left ~usual:500 ~long:100_000 "pipelines that raise" (fun () _ ->
        try
          Weft.pipeline
            (fun () -> Some 1)
            Weft.Stage.(parallel (fun i -> raise (Planned i)) >>> in_order ignore)
        with Planned _ -> ());
    nothing_is_left "regions of traces and profiles, that nobody records" (fun () _ ->
        Weft.Trace.region "region" ignore;
        Weft.Profile.region "region" ignore);
  ]

let from_outside =
  [
    nothing_is_left_outside "calls" ~long:1_000_000 (fun pool _ -> Weft.Pool.run pool ignore);
    nothing_is_left_outside "tasks, awaited" ~long:1_000_000 (fun pool i ->
        ignore (Weft.await (Weft.Pool.async pool (fun () -> i))));
    nothing_is_left_outside "threads that call" ~usual:2_000 (fun pool _ ->
        Thread.join (Thread.create (fun () -> Weft.Pool.run pool ignore) ()));
    nothing_is_left_outside "domains that call" ~usual:100 ~long:10_000 (fun pool _ ->
        Domain.join (Domain.spawn (fun () -> Weft.Pool.run pool ignore)));
    nothing_is_left_outside "pools of one" ~usual:2_000 (fun _ _ ->
        Weft.Pool.with_pool ~domains:1 (fun p -> Weft.Pool.run p ignore));
    nothing_is_left_outside "pools of two" ~usual:100 ~long:10_000 (fun _ _ ->
        Weft.Pool.with_pool ~domains:2 (fun p -> Weft.Pool.run p ignore));
    nothing_is_left_outside "pools of domainslib" ~usual:100 ~long:10_000 (fun _ _ ->
        let p = Domainslib.Task.setup_pool ~num_domains:1 () in
        Domainslib.Task.run p ignore;
        Domainslib.Task.teardown_pool p);
    nothing_is_left_outside "pools that tasks make" ~usual:100 ~long:10_000 (fun pool _ ->
        Weft.Pool.run pool (fun () -> Weft.Pool.with_pool ~domains:1 (fun p -> Weft.Pool.run p ignore)));
  ]

(* --- memory that stays, and how long --- *)

let tasks_wait_to_begin () =
  let count = count_of 20_000 in
  let ran = Atomic.make 0 and begun = ref 0 in
  Weft.Pool.with_pool ~domains:2 @@ fun pool ->
  let round () =
    Weft.Pool.run pool @@ fun () ->
    for _ = 1 to count do
      ignore (Weft.async (fun () -> Atomic.incr ran))
    done;
    begun := !begun + count;
    drained ran !begun
  in
  Option.iter (fails "tasks" count pool) (grows ~slack round)

let waits_end_with_their_pool () =
  let count = count_of ~long:100_000 2_000 in
  let round () =
    Weft.Pool.with_pool ~domains:1 @@ fun pool ->
    for _ = 1 to count do
      let wait () = try Weft.await (Promise.create ()) with Weft.Pool.Closed _ -> () in
      ignore (Weft.Pool.async pool wait)
    done;
    fibers_wait pool count
  in
  Option.iter (Alcotest.failf "%d words are left") (grows ~slack round)

let tests =
  promises @ undecided
  @ [ case "a race that only another one refers to decides it" races_of_races ]
  @ scopes_and_tokens @ timers @ channels @ locks @ handlers @ batched @ others @ from_outside
  @ [
      case "tasks that nobody waits for: nothing, once they have run" tasks_wait_to_begin;
      case "fibers that wait for ever: nothing, once their pool is closed" waits_end_with_their_pool;
    ]
