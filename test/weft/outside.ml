open Support
module Pool = Weft.Pool
module Promise = Weft.Promise

(* Everything here is called from threads that are no workers. *)

let every_function_from_outside () =
  Alcotest.(check (pair int int)) "par" (1, 2) (Weft.par (fun () -> 1) (fun () -> 2));
  check_int "fib" (fib_of 15) (fib 15);
  Alcotest.(check (list int)) "all" [ 1; 2 ] (Weft.all [ (fun () -> 1); (fun () -> 2) ]);
  check_int "async, await" 3 (Weft.await (Weft.async (fun () -> 3)));
  Weft.yield ();
  Alcotest.(check string) "the default pool" "default" (Pool.name (Pool.default ()));
  Alcotest.check_raises "exception" (Planned 1) (fun () ->
      ignore (Weft.par (fun () -> raise (Planned 1)) (fun () -> 2)));
  Alcotest.check_raises "exception" (Planned 2) (fun () ->
      Weft.await (Weft.async (fun () -> raise (Planned 2))))

(* Caller [i] runs small programs of its own. *)
let call i () =
  for j = 1 to 10 do
    let n = 5 + ((i + j) mod 8) in
    check_int "fib" (fib_of n) (fib n);
    check_int "async" n (Weft.await (Weft.async (fun () -> n)))
  done

let from_threads_of_one_domain () = List.iter Thread.join (List.init 8 (fun i -> Thread.create (call i) ()))
let from_other_domains () = List.iter Domain.join (List.init 4 (fun i -> Domain.spawn (call i)))

let threads_of_a_worker_s_domain () =
  (* A thread made by a task runs on a worker's domain, and still counts as outside. *)
  in_each_size @@ fun () ->
  let results = Array.make 4 0 in
  let threads =
    List.init 4 (fun i -> Thread.create (fun () -> results.(i) <- Weft.run (fun () -> fib (8 + i))) ())
  in
  check_int "the task itself" (fib_of 14) (fib 14);
  List.iter Thread.join threads;
  Array.iteri (fun i r -> check_int "a thread" (fib_of (8 + i)) r) results

let detached_tasks_run () =
  (* Nobody awaits the tasks and no caller helps: they run in a pool without a domain of its own, too. *)
  on_each_size @@ fun p ->
  let done_ = Atomic.make 0 in
  for _ = 1 to 10 do
    ignore
      (Pool.async p (fun () ->
           Weft.yield ();
           ignore (fib 10);
           Atomic.incr done_))
  done;
  wait_until "all have run" (fun () -> Atomic.get done_ = 10)

let resumed_when_nobody_is_there () =
  (* The fiber waits after its caller has gone; the thread that resumes it must find a worker to run it. *)
  on_each_size @@ fun p ->
  let source = Promise.create () in
  let end_ = Pool.async p (fun () -> Weft.await source + 1) in
  fibers_wait p 1;
  Promise.resolve source 1;
  wait_until "it has ended" (fun () -> Promise.is_settled end_);
  check_int "value" 2 (Weft.await end_)

let leftovers_of_a_caller () =
  (* A caller leaves promises behind in its deque; other workers must run them. *)
  on_each_size @@ fun p ->
  let ps = Pool.run p (fun () -> List.init 100 (fun i -> Weft.async (fun () -> i))) in
  wait_until "all have run" (fun () -> List.for_all Promise.is_settled ps);
  check_int "sum" 4950 (List.fold_left (fun s q -> s + Weft.await q) 0 ps)

let many_callers_one_slot () =
  on_each_size @@ fun p ->
  let calls = Atomic.make 0 in
  let caller i () =
    for _ = 1 to 25 do
      check_int "fib"
        (fib_of (6 + i))
        (Pool.run p (fun () ->
             Weft.yield ();
             fib (6 + i)));
      Atomic.incr calls
    done
  in
  let domains = List.init 2 (fun i -> Domain.spawn (caller i)) in
  let threads = List.init 4 (fun i -> Thread.create (caller i) ()) in
  List.iter Thread.join threads;
  List.iter Domain.join domains;
  check_int "calls" 150 (Atomic.get calls)

let a_caller_blocks_only_itself () =
  Pool.with_pool ~domains:1 @@ fun p ->
  let source = Promise.create () in
  let ticks = ref 0 in
  let t =
    Thread.create
      (fun () ->
        for _ = 1 to 20 do
          Unix.sleepf 0.002;
          incr ticks
        done;
        Promise.resolve source ())
      ()
  in
  Pool.run p (fun () -> Weft.await source);
  Thread.join t;
  check_int "the other thread went on" 20 !ticks

(* --- the runtime's corners --- *)

let through_c_code () =
  (* A fiber cannot be suspended below C code, such as a finaliser called by the collector: it must wait
     all the same. A minor collection may call the finaliser at any time, on any thread of this domain; so
     another domain resolves the promise. *)
  Weft.run ~domains:2 @@ fun () ->
  let outcome = Atomic.make 0 and waits = Atomic.make false in
  let source = Promise.create () in
  let resolver =
    Domain.spawn (fun () ->
        wait_until "the finaliser is called" (fun () -> Atomic.get waits);
        Unix.sleepf 0.02;
        Promise.resolve source 1)
  in
  let[@inline never] attach () =
    Gc.finalise_last
      (fun () ->
        Atomic.set waits true;
        Atomic.set outcome (Weft.await source + fib 10))
      (Sys.opaque_identity (ref 0))
  in
  attach ();
  Gc.full_major ();
  Gc.full_major ();
  Domain.join resolver;
  wait_until "the finaliser ends" (fun () -> Atomic.get outcome <> 0);
  check_int "in a finaliser" (1 + fib_of 10) (Atomic.get outcome)

(* On all workers with a domain of their own; so a job that the closing queues runs on top of such a wait. *)
let closing_while_waiting_below_c_code () =
  let check domains close =
    let p = Pool.create ~domains () in
    let never = Promise.create () in
    let n = max 1 (domains - 1) in
    let begun = Atomic.make 0 and waiting = Atomic.make 0 and seen = Atomic.make 0 in
    let finaliser () =
      Atomic.incr waiting;
      match Weft.await never with () -> () | exception Pool.Closed _ -> Atomic.incr seen
    in
    let work () =
      let[@inline never] attach () = Gc.finalise_last finaliser (Sys.opaque_identity (ref 0)) in
      Atomic.incr begun;
      while Atomic.get begun < n do
        Domain.cpu_relax ()
      done;
      attach ();
      Gc.full_major ();
      Gc.full_major ()
    in
    let tasks = List.init n (fun _ -> Pool.async p work) in
    wait_until "the finalisers are called" (fun () -> Atomic.get waiting = n);
    close p;
    Alcotest.(check bool) "the tasks ended" true (List.for_all Promise.is_settled tasks);
    check_int "the finalisers were told" n (Atomic.get seen)
  in
  List.iter (fun domains -> check domains Pool.close) [ 1; 2 ];
  List.iter (fun domains -> check domains (fun p -> Weft.run (fun () -> Pool.close p))) [ 1; 2; 3; 4 ]

let users_own_effects () =
  (* The user's handlers and Weft's do not disturb each other. *)
  let module E = struct
    type _ Effect.t += Ask : int Effect.t
  end in
  in_each_size @@ fun () ->
  let asked = ref 0 in
  let answer =
    Effect.Deep.match_with
      (fun () ->
        let p =
          Weft.async (fun () ->
              spin 1000;
              1)
        in
        Weft.yield ();
        let x = Effect.perform E.Ask in
        let y = Weft.await p in
        Weft.yield ();
        x + y + Effect.perform E.Ask)
      ()
      {
        retc = Fun.id;
        exnc = raise;
        effc =
          (fun (type a) (e : a Effect.t) ->
            match e with
            | E.Ask ->
                Some
                  (fun (k : (a, _) Effect.Deep.continuation) ->
                    incr asked;
                    Effect.Deep.continue k 10)
            | _ -> None);
      }
  in
  check_int "answer" 21 answer;
  check_int "asked" 2 !asked;
  match Weft.await (Weft.async (fun () -> Effect.perform E.Ask)) with
  | _ -> Alcotest.fail "nobody handles it"
  | exception Effect.Unhandled E.Ask -> ()

let domain_local_await () =
  in_each_size @@ fun () ->
  (* One worker is enough: the trigger suspends only the fiber. *)
  let trigger = Domain_local_await.prepare_for_await () in
  let (), () =
    Weft.par
      (fun () -> trigger.await ())
      (fun () ->
        trigger.release ();
        trigger.release ())
  in
  let early = Domain_local_await.prepare_for_await () in
  early.release ();
  early.await ();
  let ts = List.init 50 (fun _ -> Domain_local_await.prepare_for_await ()) in
  let waiters = List.map (fun (t : Domain_local_await.t) -> Weft.async t.await) ts in
  Weft.yield ();
  let outside = Thread.create (fun () -> List.iter (fun (t : Domain_local_await.t) -> t.release ()) ts) () in
  List.iter Weft.await waiters;
  Thread.join outside

let break_reaches_the_caller () =
  (* Sys.Break goes to the user's thread, also while that thread is parked inside a pool. *)
  on_each_size @@ fun p ->
  let before = Sys.signal Sys.sigint (Signal_handle (fun _ -> raise Sys.Break)) in
  Fun.protect ~finally:(fun () -> Sys.set_signal Sys.sigint before) @@ fun () ->
  let never = Promise.create () in
  let killer =
    Thread.create
      (fun () ->
        ignore (Thread.sigmask SIG_BLOCK [ Sys.sigint ]);
        fibers_wait p 1;
        Unix.kill (Unix.getpid ()) Sys.sigint)
      ()
  in
  (match Pool.run p (fun () -> (Weft.await never : int)) with
  | _ -> Alcotest.fail "no exception"
  | exception Sys.Break -> ());
  Thread.join killer;
  check_int "works on" (fib_of 10) (Pool.run p (fun () -> fib 10));
  Promise.resolve never 1

let signals_at_one_kilohertz () =
  on_each_size @@ fun p ->
  let handled = Atomic.make 0 in
  let before = Sys.signal Sys.sigalrm (Signal_handle (fun _ -> Atomic.incr handled)) in
  let timer i = ignore (Unix.setitimer ITIMER_REAL { it_interval = i; it_value = i }) in
  timer 0.001;
  Fun.protect ~finally:(fun () ->
      timer 0.;
      Sys.set_signal Sys.sigalrm before)
  @@ fun () ->
  for _ = 1 to 10 do
    check_int "fib" (fib_of 18) (Pool.run p (fun () -> fib 18))
  done;
  wait_until "a handler has run" (fun () -> Atomic.get handled > 0)

let tests =
  [
    case "every function works from outside" every_function_from_outside;
    case "calls from threads of one domain" from_threads_of_one_domain;
    case "calls from other domains" from_other_domains;
    case "calls from threads on a worker's domain" threads_of_a_worker_s_domain;
    case "tasks nobody awaits run" detached_tasks_run;
    case "a fiber is resumed though nobody is there" resumed_when_nobody_is_there;
    case "what a caller leaves behind runs" leftovers_of_a_caller;
    case "many callers, one slot" many_callers_one_slot;
    case "a caller blocks only its own thread" a_caller_blocks_only_itself;
    case "waiting below C code" through_c_code;
    case "closing a pool that waits below C code" closing_while_waiting_below_c_code;
    case "the user's effects" users_own_effects;
    case "Domain_local_await suspends the fiber only" domain_local_await;
    case "Sys.Break reaches the caller" break_reaches_the_caller;
    case "signals at 1 kHz" signals_at_one_kilohertz;
  ]
