(* Signals are cancellation: a handler runs at a poll of the computation that gets the signal, and an
   exception of the handler ends that computation. *)

open Support
module Pool = Weft.Pool
module Promise = Weft.Promise

exception Handled

let kill signal = Unix.kill (Unix.getpid ()) signal
let never () : unit = Weft.await (Promise.create ())

let with_handler signal handler f =
  let before = Sys.signal signal (Signal_handle handler) in
  Fun.protect f ~finally:(fun () -> Sys.set_signal signal before)

(* [f ()] gets [signal] once [state ()] holds, from a thread that is not in Weft. *)
let signalled ?(signal = Sys.sigint) ~state f =
  let over = Atomic.make false in
  let send () =
    ignore (Thread.sigmask SIG_BLOCK [ signal ] : int list);
    wait_until "the time for a signal" (fun () -> state () || Atomic.get over);
    if not (Atomic.get over) then kill signal
  in
  let sender = Thread.create send () in
  Fun.protect f ~finally:(fun () ->
      Atomic.set over true;
      Thread.join sender)

let is_broken f = match f () with _ -> Alcotest.fail "no exception" | exception Sys.Break -> ()
let with_break f = with_handler Sys.sigint (fun _ -> raise Sys.Break) f
let works_on p = check_int "works on" (fib_of 10) (Pool.run p (fun () -> fib 10))

(* With [body count], [n] fibers wait in [count.inside], and all leave it. *)
type count = { entered : int Atomic.t; left : int Atomic.t }

let inside c f =
  Atomic.incr c.entered;
  Fun.protect f ~finally:(fun () -> Atomic.incr c.left)

let ends_all ?(on = on_each_size) n body () =
  on @@ fun p ->
  with_break @@ fun () ->
  let c = { entered = Atomic.make 0; left = Atomic.make 0 } in
  is_broken (fun () ->
      signalled ~state:(fun () -> Atomic.get c.entered = n) (fun () -> Pool.run p (fun () -> body c)));
  check_int "have left" n (Atomic.get c.left);
  works_on p

let waits c = inside c never

let in_a_scope c =
  Weft.Scope.run (fun s ->
      for _ = 1 to 4 do
        ignore (Weft.Scope.async s (fun () -> waits c) : unit Weft.promise)
      done)

let in_a_channel c = inside c (fun () -> ignore (Weft.Chan.recv (Weft.Chan.bounded 1) : int))

(* The lock is free afterwards. *)
let in_a_critical_section c =
  let m = Weft.Mutex.create () in
  Fun.protect
    (fun () -> Weft.Mutex.protect m (fun () -> waits c))
    ~finally:(fun () -> if not (Weft.Mutex.try_lock m) then Alcotest.fail "the lock is held")

let in_forks c = ignore (Weft.all (List.init 3 (fun _ () -> waits c)))
let in_a_loop c = Weft.parallel_for ~start:1 ~finish:1 ~body:(fun _ -> waits c) ()

(* In the awaiter's place, so that it is part of the computation. Again, if another fiber has begun it:
   the awaiter may be preempted before. *)
let rec in_an_awaited_task c =
  let fiber () = (Weft_scheduler.Context.current ()).fiber in
  let mine = fiber () in
  let task () =
    let in_place = fiber () == mine in
    if in_place then waits c;
    in_place
  in
  if not (Weft.await (Weft.async task)) then in_an_awaited_task c

(* The blocking call is under way: its caller waits for it. *)
let in_a_blocking_call c =
  let go_on = Atomic.make false in
  let call () =
    inside c (fun () -> Weft.blocking (fun () -> wait_until "it may end" (fun () -> Atomic.get go_on)))
  in
  let other () = Fun.protect (fun () -> waits c) ~finally:(fun () -> Atomic.set go_on true) in
  ignore (Weft.par other call)

(* A fiber computes and forks. *)
let while_busy c =
  inside c (fun () ->
      while true do
        ignore (Weft.par ignore ignore)
      done)

let while_looking c =
  inside c (fun () ->
      while true do
        Weft.Cancel.check ()
      done)

(* --- outside of pools: handlers run as in OCaml, and end an await from outside --- *)

let awaiting_outside () =
  with_break @@ fun () ->
  let p = Promise.create () in
  let before = Atomic.make false in
  is_broken (fun () ->
      signalled
        ~state:(fun () -> Atomic.get before)
        (fun () ->
          Atomic.set before true;
          Weft.await p));
  Promise.resolve p ();
  Weft.await p

let receiving_outside () =
  with_break @@ fun () ->
  let c = Weft.Chan.bounded 1 in
  is_broken (fun () ->
      signalled
        ~state:(fun () -> Weft_scheduler.Signals.computations () = 1)
        (fun () -> (Weft.Chan.recv c : int)));
  Weft.Chan.send c 1;
  check_int "the message" 1 (Weft.Chan.recv c)

(* --- where handlers run --- *)

(* A handler does not run in the middle of a task; another worker may poll meanwhile. *)
let in_no_task's_middle () =
  let nobody = -1 and struck = Atomic.make false and handled = Atomic.make 0 in
  let here () = Thread.id (Thread.self ()) in
  let middle = Atomic.make nobody in
  let handler _ =
    if Atomic.get middle = here () then Atomic.set struck true;
    Atomic.incr handled
  in
  on_each_size @@ fun p ->
  with_handler Sys.sigusr1 handler @@ fun () ->
  Pool.run p (fun () ->
      for i = 1 to 20 do
        let before = Atomic.get handled in
        Atomic.set middle (here ());
        kill Sys.sigusr1;
        ignore (Sys.opaque_identity (List.init 10_000 (fun j -> i + j)));
        Atomic.set middle nobody;
        yield_until "the handler has run" (fun () -> Atomic.get handled > before)
      done);
  if Atomic.get struck then Alcotest.fail "in the middle of a task"

(* If several threads could poll, the caller's thread runs the handler. *)
let while_all_sleep () =
  on_each_size @@ fun p ->
  let told = Promise.create () in
  with_handler Sys.sigusr1 (fun _ -> Promise.resolve told 3) @@ fun () ->
  check_int "told" 3
    (signalled ~signal:Sys.sigusr1
       ~state:(fun () -> (state_of p).parts.home.suspended |> Weft_scheduler.Suspended_fibers.waits <> [])
       (fun () -> Pool.run p (fun () -> Weft.await told)))

(* The only worker computes until the handler has run, and never polls: the thread that waits outside runs
   the handler, or an extra worker does. *)
let while_the_worker_is_busy () =
  Pool.with_pool ~domains:1 @@ fun p ->
  let handled = Atomic.make false and begun = Atomic.make false in
  with_handler Sys.sigusr1 (fun _ -> Atomic.set handled true) @@ fun () ->
  let busy () =
    Pool.run p (fun () ->
        Atomic.set begun true;
        wait_until "the handler has run" (fun () -> Atomic.get handled))
  in
  let other = Thread.create busy () in
  wait_until "the other one works" (fun () -> Atomic.get begun);
  signalled ~signal:Sys.sigusr1
    ~state:(fun () -> (state_of p).waiting <> [])
    (fun () -> Pool.run p (fun () -> yield_until "the handler has run" (fun () -> Atomic.get handled)));
  Thread.join other

(* A task blocks the pool's only worker: it joins a thread whose own call an extra worker runs. That worker
   polls. *)
let while_an_extra_worker_works () =
  Pool.with_pool ~domains:1 @@ fun p ->
  let inside = Atomic.make false and handled = Atomic.make false in
  let handler _ =
    Atomic.set handled true;
    raise Sys.Break
  in
  with_handler Sys.sigint handler @@ fun () ->
  let call () =
    Pool.run p (fun () ->
        Atomic.set inside true;
        yield_until "the handler has run" (fun () -> Atomic.get handled))
  in
  is_broken (fun () ->
      signalled
        ~state:(fun () -> Atomic.get inside)
        (fun () -> Pool.run p (fun () -> Thread.join (Thread.create call ()))));
  works_on p

(* The thread that watches for the others runs a handler, which waits for something that only an extra
   worker can do: another thread must watch. *)
let while_looking_out () =
  Pool.with_pool ~domains:1 @@ fun p ->
  let begun = Atomic.make false and in_handler = Atomic.make false and done_ = Atomic.make false in
  let told = Promise.create () in
  let handler _ =
    Atomic.set in_handler true;
    wait_until "the call of the other thread" (fun () -> Atomic.get done_);
    Promise.resolve told ()
  in
  with_handler Sys.sigusr1 handler @@ fun () ->
  let call () = Pool.run p (fun () -> Atomic.set done_ true) in
  let block () =
    Pool.run p (fun () ->
        Atomic.set begun true;
        wait_until "the handler has begun" (fun () -> Atomic.get in_handler);
        Thread.join (Thread.create call ()))
  in
  let blocked = Thread.create block () in
  wait_until "the worker is blocked" (fun () -> Atomic.get begun);
  (* By then it is probably in the queue. *)
  let waits () =
    Weft_scheduler.Signals.computations () = 2
    && begin
         Unix.sleepf 0.02;
         true
       end
  in
  signalled ~signal:Sys.sigusr1 ~state:waits (fun () -> Weft.await told);
  Thread.join blocked

(* Sys.signal returns the handler: if the program puts it back, it is called again. *)
let put_back () =
  let handled = Atomic.make 0 in
  on_each_size @@ fun p ->
  with_handler Sys.sigusr1 (fun _ -> Atomic.incr handled) @@ fun () ->
  let once () =
    let before = Atomic.get handled in
    Pool.run p (fun () ->
        kill Sys.sigusr1;
        yield_until "the handler has run" (fun () -> Atomic.get handled > before))
  in
  once ();
  let other = Atomic.make 0 in
  let mine = Sys.signal Sys.sigusr1 (Signal_handle (fun _ -> Atomic.incr other)) in
  Pool.run p (fun () ->
      kill Sys.sigusr1;
      yield_until "the other handler has run" (fun () -> Atomic.get other > 0));
  Sys.set_signal Sys.sigusr1 mine;
  once ()

let installed_by_a_task () =
  on_each_size @@ fun p ->
  let before = Sys.signal Sys.sigusr1 Signal_ignore in
  Fun.protect ~finally:(fun () -> Sys.set_signal Sys.sigusr1 before) @@ fun () ->
  match
    Pool.run p (fun () ->
        Sys.set_signal Sys.sigusr1 (Signal_handle (fun _ -> raise Handled));
        (* The handler is known from the next entry on, whichever thread enters. *)
        let enter () = Pool.run p ignore in
        let t = Thread.create enter () in
        Weft.blocking (fun () -> Thread.join t);
        kill Sys.sigusr1;
        never ())
  with
  | () -> Alcotest.fail "no exception"
  | exception Handled -> works_on p

(* --- whose --- *)

let of_the_first_thread () =
  on_each_size @@ fun p ->
  with_break @@ fun () ->
  let go_on = Promise.create () and waiting = Atomic.make 0 in
  let wait q =
    Atomic.incr waiting;
    Weft.await q
  in
  let other = Thread.create (fun () -> Pool.run p (fun () -> wait go_on)) () in
  wait_until "the other one waits" (fun () -> Atomic.get waiting = 1);
  is_broken (fun () ->
      signalled
        ~state:(fun () -> Atomic.get waiting = 2)
        (fun () -> Pool.run p (fun () -> wait (Promise.create ()))));
  (* The signal does not end the elder computation. *)
  Promise.resolve go_on ();
  Thread.join other;
  works_on p

let of_the_eldest () =
  on_each_size @@ fun p ->
  with_break @@ fun () ->
  let go_on = Promise.create () and waiting = Atomic.make 0 in
  let outcomes = Array.make 2 "" in
  let call i () =
    outcomes.(i) <-
      (match
         Pool.run p (fun () ->
             Atomic.incr waiting;
             Weft.await go_on)
       with
      | () -> "returned"
      | exception Sys.Break -> "broken")
  in
  let start i =
    let t = Thread.create (call i) () in
    wait_until "it waits" (fun () -> Atomic.get waiting = i + 1);
    t
  in
  let first = start 0 in
  let second = start 1 in
  kill Sys.sigint;
  Thread.join first;
  Promise.resolve go_on ();
  Thread.join second;
  Alcotest.(check (array string)) "outcomes" [| "broken"; "returned" |] outcomes;
  works_on p

(* --- the second signal --- *)

let leaves_at_the_second () =
  on_each_size @@ fun p ->
  with_break @@ fun () ->
  let waiting = Atomic.make false and cancelled = Atomic.make false and go_on = Promise.create () in
  let shielded = Atomic.make false in
  let body () =
    let left () =
      Weft.Cancel.shield (fun () -> Weft.await go_on);
      Atomic.set shielded true
    and right () =
      Atomic.set waiting true;
      Fun.protect never ~finally:(fun () -> Atomic.set cancelled true)
    in
    ignore (Weft.par right left)
  in
  is_broken (fun () ->
      signalled
        ~state:(fun () -> Atomic.get waiting)
        (fun () -> signalled ~state:(fun () -> Atomic.get cancelled) (fun () -> Pool.run p body)));
  works_on p;
  (* The tasks end by themselves. *)
  Promise.resolve go_on ()

(* A pool that was left in this way is closed in a new domain, which is no computation: there handlers run
   as in OCaml. The closing waits for a blocking call, and only for that. *)
let while_closed_apart () =
  List.iter
    (fun domains ->
      let here () = Thread.id (Thread.self ()) in
      let cancelled = Atomic.make false and handled_by = Atomic.make (-1) and go_on = Atomic.make false in
      let handler _ =
        Atomic.set handled_by (here ());
        raise Sys.Break
      in
      with_handler Sys.sigint handler @@ fun () ->
      let waiting = Atomic.make false and pool = ref None in
      let body () =
        let finally () =
          Atomic.set cancelled true;
          Weft.Cancel.shield @@ fun () ->
          Weft.blocking (fun () -> wait_until "it may end" (fun () -> Atomic.get go_on))
        in
        Atomic.set waiting true;
        Fun.protect never ~finally
      in
      let leave () =
        Pool.with_pool ~domains (fun p ->
            pool := Some (state_of p);
            Pool.run p body)
      in
      is_broken (fun () ->
          signalled
            ~state:(fun () -> Atomic.get waiting)
            (fun () -> signalled ~state:(fun () -> Atomic.get cancelled) leave));
      let p = Option.get !pool in
      wait_until "it is being closed" (fun () -> locked p (fun () -> p.being_closed));
      check_int "computations" 0 (Weft_scheduler.Signals.computations ());
      Atomic.set handled_by (-1);
      is_broken (fun () ->
          kill Sys.sigint;
          wait_until "the handler has run" (fun () -> Atomic.get handled_by >= 0));
      check_int "by this thread" (here ()) (Atomic.get handled_by);
      Atomic.set go_on true;
      wait_until "it is closed" (fun () -> locked p (fun () -> p.state = Ended)))
    [ 1; 2 ]

(* [with_pool] waits for a blocking call when the handler raises, and its caller leaves; the pool is closed
   all the same. *)
let leaves_while_closing () =
  List.iter
    (fun domains ->
      List.iter
        (fun outcome ->
          with_break @@ fun () ->
          let go_on = Atomic.make false and pool = ref None in
          let is_being_closed () =
            match !pool with Some (p : Weft_scheduler.Pool_state.t) -> p.being_closed | None -> false
          in
          let call () = Weft.blocking (fun () -> wait_until "it may end" (fun () -> Atomic.get go_on)) in
          is_broken (fun () ->
              signalled ~state:is_being_closed (fun () ->
                  Pool.with_pool ~domains (fun p ->
                      pool := Some (state_of p);
                      ignore (Pool.async p call : unit Weft.promise);
                      outcome ())));
          Atomic.set go_on true;
          let p = Option.get !pool in
          wait_until "it is closed" (fun () -> locked p (fun () -> p.state = Ended)))
        [ ignore; (fun () -> raise Handled) ])
    [ 1; 2 ]

(* --- masks; effects of handlers --- *)

(* The first thread masks the signal, and its task does not. *)
let unmasked_by_the_task () =
  let handled = Atomic.make 0 in
  with_handler Sys.sigusr1 (fun _ -> Atomic.incr handled) @@ fun () ->
  let before = Thread.sigmask SIG_BLOCK [ Sys.sigusr1 ] in
  Fun.protect ~finally:(fun () -> ignore (Thread.sigmask SIG_SETMASK before : int list)) @@ fun () ->
  Pool.with_pool ~domains:1 @@ fun p ->
  Pool.run p (fun () ->
      ignore (Thread.sigmask SIG_UNBLOCK [ Sys.sigusr1 ] : int list);
      kill Sys.sigusr1;
      yield_until "the handler has run" (fun () -> Atomic.get handled > 0))

let performs _ = ignore (Effects.ask () : int)

let is_unhandled f =
  match f () with _ -> Alcotest.fail "no exception" | exception Effect.Unhandled Effects.Ask -> ()

let performs_in_a_sleep () =
  on_each_size @@ fun p ->
  with_handler Sys.sigusr1 performs @@ fun () ->
  let asleep = Atomic.make false in
  is_unhandled (fun () ->
      signalled ~signal:Sys.sigusr1
        ~state:(fun () -> Atomic.get asleep)
        (fun () ->
          Pool.run p (fun () ->
              Atomic.set asleep true;
              never ())));
  works_on p

(* The task that polls would drop the effect. *)
let performs_under_a_handler () =
  on_each_size @@ fun p ->
  with_handler Sys.sigusr1 performs @@ fun () ->
  let forks () =
    kill Sys.sigusr1;
    while true do
      ignore (Weft.par ignore ignore)
    done;
    0
  in
  let effc (type a) (e : a Effect.t) : ((a, int) Effect.Deep.continuation -> int) option =
    match e with Effects.Ask -> Some (fun _ -> 7) | _ -> None
  in
  is_unhandled (fun () -> Pool.run p (fun () -> Effect.Deep.try_with forks () { effc }));
  works_on p

(* The worker finds the signal at any step. *)
let that_waits () =
  on_each_size @@ fun p ->
  let handled = Atomic.make 0 and over = Atomic.make false in
  let handler _ =
    Weft.sleep 0.0002;
    Atomic.incr handled
  in
  with_handler Sys.sigusr1 handler @@ fun () ->
  let send () =
    ignore (Thread.sigmask SIG_BLOCK [ Sys.sigusr1 ] : int list);
    for i = 1 to tries 100 do
      kill Sys.sigusr1;
      wait_until "the handler has run" (fun () -> Atomic.get handled >= i)
    done;
    Atomic.set over true
  in
  let sender = Thread.create send () in
  Pool.run p (fun () ->
      watched
        (fun () -> Printf.sprintf "%d handled" (Atomic.get handled))
        (fun () ->
          while not (Atomic.get over) do
            Weft.sleep 0.0001
          done));
  Thread.join sender

let returned_all_the_same () =
  (* The body returns in spite of the exception: the caller gets it. *)
  on_each_size @@ fun p ->
  with_break @@ fun () ->
  let waiting = Atomic.make false in
  is_broken (fun () ->
      signalled
        ~state:(fun () -> Atomic.get waiting)
        (fun () ->
          Pool.run p (fun () ->
              Atomic.set waiting true;
              try never () with Sys.Break -> ())))

(* A handler that is not known yet raises wherever it strikes, also where signals are masked for a moment.
   Each round uses a new pool, since no thread of Weft may be there: the exception would end it. *)
let nothing_stays_masked () =
  let rounds = Testing.Effort.count ~quick:100 ~usual:1_000 ~long:100_000 in
  let over = Atomic.make false and wanted = Atomic.make 0 in
  let send () =
    ignore (Thread.sigmask SIG_BLOCK [ Sys.sigusr1 ] : int list);
    while not (Atomic.get over) do
      if Atomic.get wanted > 0 then begin
        Atomic.decr wanted;
        kill Sys.sigusr1
      end
      else Thread.yield ()
    done
  in
  let masked () = Thread.sigmask SIG_BLOCK [] in
  let before = masked () and was = Sys.signal Sys.sigusr1 Signal_ignore in
  let sender = Thread.create send () in
  let round k =
    let raised = Atomic.make false in
    (* Each time a new handler. *)
    let handler _ =
      Atomic.set raised true;
      raise (Planned k)
    in
    let rec enter p =
      Pool.run p ignore;
      if not (Atomic.get raised) then enter p
    in
    Pool.with_pool ~name:"nothing-stays-masked" ~domains:1 @@ fun p ->
    try
      Sys.set_signal Sys.sigusr1 (Signal_handle handler);
      Atomic.incr wanted;
      enter p
    with Planned _ -> ()
  in
  Fun.protect
    ~finally:(fun () ->
      Atomic.set over true;
      Thread.join sender;
      Sys.set_signal Sys.sigusr1 was)
    (fun () ->
      for k = 1 to rounds do
        round k;
        if masked () <> before then Alcotest.failf "in round %d signals stay masked" k
      done)

let raises what expected f =
  match f () with _ -> Alcotest.failf "%s: no exception" what | exception exn -> check what (exn = expected)

let the_mask_comes_back () =
  let open Weft_platform in
  let usr1 = Signal_mask.of_list [ Sys.sigusr1 ] in
  let is_masked () = Signal_mask.mem Sys.sigusr1 (Signal_mask.current ()) in
  let masked f = Signal_mask.while_blocked usr1 (fun before -> f (Signal_mask.mem Sys.sigusr1 before)) in
  (* A call of an earlier test may have unmasked it on a thread that is still there: that would get the signal. *)
  wait_until "no thread of Weft.blocking is left" (fun () -> Weft_scheduler.Blocking.helpers () = 0);
  with_handler Sys.sigusr1 (fun _ -> raise Handled) @@ fun () ->
  check "masked inside, not before" (masked (fun before -> is_masked () && not before));
  check "nor afterwards" (not (is_masked ()));
  raises "an exception" Exit (fun () -> masked (fun _ -> raise Exit));
  check "nor after an exception" (not (is_masked ()));
  raises "a handler, afterwards" Handled (fun () ->
      masked (fun _ ->
          kill Sys.sigusr1;
          check "not inside" (is_masked ())));
  check "nor after a handler's" (not (is_masked ()))

(* A domain of Weft has received the signal, and the program has restored the default meanwhile. Besides
   the first thread, another thread masks the signal. *)
let sent_after_its_handler_has_gone () =
  for _ = 1 to 20 do
    let called = Atomic.make false in
    let until_called () = wait_until "the handler has been called" (fun () -> Atomic.get called) in
    let compute () =
      ignore (Thread.sigmask SIG_BLOCK [ Sys.sigusr2 ] : int list);
      until_called ()
    in
    let other = Thread.create compute () in
    Domain.join
      (Domain.spawn (fun () ->
           Weft_platform.Handlers.send_to_first_thread Sys.sigusr2 (fun _ -> Atomic.set called true)));
    Thread.join other
  done

let tests =
  [
    case "Ctrl-C ends run" (ends_all 1 waits);
    case "Ctrl-C ends a scope's tasks" (ends_all 4 in_a_scope);
    case "Ctrl-C ends a channel's wait" (ends_all 1 in_a_channel);
    case "Ctrl-C in a critical section" (ends_all 1 in_a_critical_section);
    case "Ctrl-C in forks" (ends_all 3 in_forks);
    case "Ctrl-C in a loop" (ends_all 1 in_a_loop);
    case "Ctrl-C in a task that is awaited" (ends_all ~on:(Pool.with_pool ~domains:1) 1 in_an_awaited_task);
    case "Ctrl-C waits for a blocking call" (ends_all 2 in_a_blocking_call);
    case "Ctrl-C while forking" (ends_all 1 while_busy);
    case "Ctrl-C while checking" (ends_all 1 while_looking);
    case "Ctrl-C ends an await from outside" awaiting_outside;
    case "Ctrl-C ends a channel's wait from outside" receiving_outside;
    case "no handler in the middle of a task" in_no_task's_middle;
    case "a handler while all sleep" while_all_sleep;
    case "a handler while the worker is busy" while_the_worker_is_busy;
    case "a handler that an extra worker runs" while_an_extra_worker_works;
    case "a handler that the thread that looks out runs" while_looking_out;
    case "a handler that waits" that_waits;
    case "a handler is put back" put_back;
    case "a handler that a task installs" installed_by_a_task;
    case "the first thread's computation gets the signal" of_the_first_thread;
    case "if the first thread is in none, the eldest computation gets the signal" of_the_eldest;
    case "the second signal: the caller leaves" leaves_at_the_second;
    case "a pool that is closed apart" while_closed_apart;
    case "with_pool is left while it closes" leaves_while_closing;
    case "a task has unmasked it" unmasked_by_the_task;
    case "effects of a handler while all sleep" performs_in_a_sleep;
    case "effects of a handler below a task's own" performs_under_a_handler;
    case "a fiber that returns all the same" returned_all_the_same;
    case "no signal stays masked" nothing_stays_masked;
    case "the mask comes back" the_mask_comes_back;
    case "a signal sent on after its handler has gone" sent_after_its_handler_has_gone;
  ]
