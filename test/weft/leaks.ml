open Support
module Promise = Weft.Promise

(* What is kept of [count] operations, in words each. Each round is begun by what the last one left, and a leak grows in all of
   them. *)
let live () =
  Gc.full_major ();
  Gc.full_major ();
  (Gc.stat ()).live_words

let rounds = 4

let grows ~count ~per round =
  round ();
  let rec go left least =
    if left = 0 then least
    else begin
      let before = live () in
      round ();
      let growth = live () - before in
      if growth <= per * count then growth else go (left - 1) (min least growth)
    end
  in
  let growth = go rounds max_int in
  if growth > per * count then Some growth else None

(* Tasks that nobody waits for have run when all others have. *)
let drained ran expected = yield_until "all tasks have run" (fun () -> Atomic.get ran = expected)

(* Done so often that half a heap block each is more than what a pool keeps now and then of its own. *)
let usual = 3_000

let nothing_is_left ?(count = usual) ?(per = 1) name make =
  let check pool =
    let op = make () in
    let round () =
      Weft.Pool.run pool @@ fun () ->
      for i = 1 to count do
        op i
      done
    in
    match grows ~count ~per round with
    | None -> ()
    | Some growth ->
        Alcotest.failf "%s: %d words are left of %d times, on %d domains" name growth count
          (Weft.Pool.domains pool)
  in
  case name (fun () -> List.iter (fun domains -> Weft.Pool.with_pool ~domains check) [ 1; 2 ])

let expiring wait = try ignore (wait ()) with Weft.Cancel.Timeout -> ()
let soon = 1e-6

(* Gives up waiting for [lasting], which nobody settles. *)
let gives_up wait = expiring (fun () -> Weft.Cancel.with_timeout soon wait)

let promises =
  let lasting () : int Promise.t = Promise.create () in
  [
    nothing_is_left "a created promise, dropped" (fun () _ -> ignore (lasting ()));
    nothing_is_left "a created promise, resolved and awaited" (fun () i ->
        let p = Promise.create () in
        Promise.resolve p i;
        ignore (Weft.await p));
    nothing_is_left "a task, awaited" (fun () i -> ignore (Weft.await (Weft.async (fun () -> i))));
    nothing_is_left "a task, dropped, when it has run" (fun () _ ->
        let ran = Atomic.make 0 in
        ignore (Weft.async (fun () -> Atomic.incr ran));
        drained ran 1);
    nothing_is_left "map, both and all" (fun () i ->
        let p = Promise.of_value i in
        ignore (Weft.await (Promise.both (Promise.map succ p) (Promise.all [ p; p ]))));
    nothing_is_left ~count:300 "a wait for a lasting promise, given up" (fun () ->
        let p = lasting () in
        fun _ -> gives_up (fun () -> Weft.await p));
    nothing_is_left ~count:300 "map, both and all, dropped, once what they wait for has come" (fun () _ ->
        let p = lasting () and ended = Atomic.make 0 in
        let note _ = Atomic.incr ended in
        ignore (Promise.map note p);
        ignore (Promise.map note (Promise.both p p));
        ignore (Promise.map note (Promise.all [ p ]));
        Weft.yield ();
        Promise.resolve p 1;
        drained ended 3);
    nothing_is_left "race and any against a lasting promise, won" (fun () ->
        let never = lasting () in
        fun i ->
          let p = Promise.create () in
          let race = Promise.race [ never; p ] and any = Promise.any [ p; never ] in
          Promise.resolve p i;
          ignore (Weft.await race + Weft.await any));
  ]

(* Of these, as many stay with the lasting promise as have been dropped since a collection and since the last addition that
   cleared away: so many more operations, and collections among them. *)
let dropped name first_of =
  nothing_is_left ~count:10_000 ~per:3 (name ^ ", undecided, dropped") (fun () ->
      let never : int Promise.t = Promise.create () in
      fun i ->
        ignore (first_of [ Promise.create (); never ]);
        if i land 255 = 0 then Gc.minor ())

(* Dropped, but what it decides is not. *)
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
  (* Clears away what is unwanted. *)
  for _ = 1 to 100 do
    ignore (Promise.race [ p; never ])
  done;
  Promise.resolve p 5;
  check_int "decided by what only it refers to" 5 (Weft.await race);
  check_int "decided for a fiber that waits" 5 (Weft.await waiting)

let scopes_and_tokens =
  [
    nothing_is_left "a scope" (fun () _ -> Weft.Scope.run ignore);
    nothing_is_left "a scope with a task" (fun () _ ->
        Weft.Scope.run (fun s -> ignore (Weft.Scope.async s ignore)));
    nothing_is_left "a scope that fails" (fun () _ ->
        try Weft.Scope.run (fun s -> ignore (Weft.Scope.async s (fun () -> raise (Planned 1))))
        with Planned 1 -> ());
    nothing_is_left "a token" (fun () _ -> Weft.Cancel.within (Weft.Cancel.create ()) ignore);
    nothing_is_left "a token, cancelled" (fun () _ ->
        let t = Weft.Cancel.create () in
        Weft.Cancel.cancel t);
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
    nothing_is_left ~count:300 "a sleep" (fun () _ -> Weft.sleep soon);
    nothing_is_left ~count:300 "a sleep, given up" (fun () _ -> gives_up (fun () -> Weft.sleep 1000.));
    nothing_is_left ~count:300 "a blocking call" (fun () _ -> Weft.blocking ignore);
  ]

let channels =
  [
    nothing_is_left "a channel" (fun () i ->
        let c = Weft.Chan.bounded 4 in
        Weft.Chan.send c i;
        ignore (Weft.Chan.recv c));
    nothing_is_left "a channel, dropped with a message" (fun () i -> Weft.Chan.send (Weft.Chan.bounded 1) i);
    nothing_is_left ~count:300 "a receive and a send, given up" (fun () ->
        let c : int Weft.Chan.t = Weft.Chan.bounded 0 in
        fun i ->
          expiring (fun () -> Weft.Chan.recv ~timeout:soon c);
          expiring (fun () -> Weft.Chan.send ~timeout:soon c i));
    nothing_is_left ~count:300 "a select, given up" (fun () ->
        let c : int Weft.Chan.t = Weft.Chan.bounded 0 and never = Promise.create () in
        let m = Weft.Mutex.create () in
        fun _ ->
          Weft.Mutex.protect m @@ fun () ->
          Weft.Scope.run @@ fun s ->
          let cases =
            Weft.Select.
              [ recv c ignore; send c 1 ignore; await never ignore; lock m ignore; timeout soon ignore ]
          in
          Weft.await (Weft.Scope.async s (fun () -> Weft.Select.select cases)));
    nothing_is_left "a select, done" (fun () ->
        let c = Weft.Chan.bounded 1 and never = Promise.create () in
        fun i ->
          Weft.Chan.send c i;
          Weft.Select.(select [ recv c ignore; await never ignore; timeout 1000. ignore ]));
  ]

let locks =
  let given_up name make = nothing_is_left ~count:300 (name ^ ", given up") make in
  [
    nothing_is_left "locks" (fun () _ ->
        Weft.Mutex.protect (Weft.Mutex.create ()) ignore;
        Weft.Semaphore.protect (Weft.Semaphore.create 1) ignore;
        let rw = Weft.Rwlock.create () in
        Weft.Rwlock.read rw ignore;
        Weft.Rwlock.write rw ignore;
        Weft.Condition.broadcast (Weft.Condition.create ()));
    nothing_is_left "ivars, mvars, latches, barriers, onces" (fun () i ->
        let ivar = Weft.Ivar.create () in
        Weft.Ivar.fill ivar i;
        let mvar = Weft.Mvar.create ~value:(Weft.Ivar.read ivar) () in
        ignore (Weft.Mvar.take mvar);
        let latch = Weft.Latch.create 1 in
        Weft.Latch.count_down latch;
        Weft.Latch.wait latch;
        ignore (Weft.Barrier.wait (Weft.Barrier.create 1));
        Weft.Once.get (Weft.Once.make ignore));
    given_up "a semaphore" (fun () ->
        let s = Weft.Semaphore.create 0 in
        fun _ -> expiring (fun () -> Weft.Semaphore.acquire ~timeout:soon s));
    given_up "a mutex" (fun () ->
        let m = Weft.Mutex.create () in
        fun _ ->
          Weft.Mutex.protect m @@ fun () ->
          Weft.Scope.run (fun s ->
              ignore (Weft.Scope.async s (fun () -> expiring (fun () -> Weft.Mutex.lock ~timeout:soon m)))));
    given_up "a lock for writers" (fun () ->
        let rw = Weft.Rwlock.create () in
        fun _ ->
          Weft.Rwlock.read rw @@ fun () ->
          Weft.Scope.run (fun s ->
              ignore
                (Weft.Scope.async s (fun () -> expiring (fun () -> Weft.Rwlock.write_lock ~timeout:soon rw)))));
    given_up "a condition" (fun () ->
        let m = Weft.Mutex.create () and c = Weft.Condition.create () in
        fun _ -> Weft.Mutex.protect m (fun () -> expiring (fun () -> Weft.Condition.wait ~timeout:soon c m)));
    given_up "an ivar, an mvar, a latch, a barrier" (fun () ->
        let ivar : int Weft.Ivar.t = Weft.Ivar.create () and mvar : int Weft.Mvar.t = Weft.Mvar.create () in
        let latch = Weft.Latch.create 1 and barrier = Weft.Barrier.create 2 in
        fun _ ->
          expiring (fun () -> Weft.Ivar.read ~timeout:soon ivar);
          expiring (fun () -> Weft.Mvar.take ~timeout:soon mvar);
          expiring (fun () -> Weft.Latch.wait ~timeout:soon latch);
          expiring (fun () -> Weft.Barrier.wait ~timeout:soon barrier));
  ]

let others =
  [
    nothing_is_left "a fork that raises" (fun () _ ->
        try ignore (Weft.par (fun () -> raise (Planned 1)) ignore) with Planned 1 -> ());
    nothing_is_left "a loop" (fun () _ ->
        Weft.parallel_for ~start:1 ~finish:10 ~body:(fun i -> ignore (Sys.opaque_identity i)) ());
    nothing_is_left "a limit" (fun () _ -> Weft.Limit.run (Weft.Limit.create 1) ignore);
    nothing_is_left "locals of tasks" (fun () i ->
        let key = Weft.Local.Task_local.create ~default:0 in
        Weft.Local.Task_local.with_value key i (fun () -> ignore (Weft.Local.Task_local.get key)));
    nothing_is_left ~count:500 "a pipeline" (fun () _ ->
        let left = ref 4 in
        let produce () =
          decr left;
          if !left < 0 then None else Some !left
        in
        Weft.pipeline produce Weft.Stage.(serial succ >>> in_order ignore));
    nothing_is_left "batched counters" (fun () _ ->
        let c = Weft_batch.Counter.create () in
        Weft_batch.Counter.incr c);
    nothing_is_left "a batched counter" (fun () ->
        let c = Weft_batch.Counter.create () in
        fun _ ->
          Weft.Scope.run (fun s ->
              ignore (Weft.Scope.async s (fun () -> Weft_batch.Counter.incr c));
              Weft_batch.Counter.decr c));
    nothing_is_left ~count:20 "pools"
      (fun () _ -> Weft.Pool.with_pool ~domains:1 (fun p -> Weft.Pool.run p ignore))
      ~per:100;
  ]

(* --- what stays, and how long --- *)

let tasks_wait_to_begin () =
  let ran = Atomic.make 0 and begun = ref 0 in
  Weft.Pool.with_pool ~domains:2 @@ fun pool ->
  let round () =
    Weft.Pool.run pool @@ fun () ->
    for _ = 1 to usual do
      ignore (Weft.async (fun () -> Atomic.incr ran))
    done;
    begun := !begun + usual;
    drained ran !begun
  in
  Option.iter (Alcotest.failf "%d words are left") (grows ~count:usual ~per:1 round)

let waits_end_with_their_pool () =
  let count = 300 in
  let round () =
    Weft.Pool.with_pool ~domains:1 @@ fun pool ->
    for _ = 1 to count do
      let wait () = try Weft.await (Promise.create ()) with Weft.Pool.Closed _ -> () in
      ignore (Weft.Pool.async pool wait)
    done;
    fibers_wait pool count
  in
  Option.iter (Alcotest.failf "%d words are left") (grows ~count ~per:10 round)

let tests =
  promises
  @ [
      dropped "race" Promise.race;
      dropped "any" Promise.any;
      case "a race that only another one refers to decides it" races_of_races;
    ]
  @ scopes_and_tokens @ timers @ channels @ locks @ others
  @ [
      case "tasks that nobody waits for: nothing, once they have run" tasks_wait_to_begin;
      case "fibers that wait for ever: nothing, once their pool is closed" waits_end_with_their_pool;
    ]
