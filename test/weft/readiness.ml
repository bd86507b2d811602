open Support
module Pool = Weft.Pool
module Promise = Weft.Promise
module Scope = Weft.Scope

(* What becomes ready runs while the pool is full of other work: that work goes on until it sees a flag,
   which the ready job sets. If a test fails, it hangs, and the watchdog ends it. *)

(* --- loads that fill the pool: each round is short, or ends soon after the flag is set --- *)

let rec fib_until seen n =
  if n < 2 || Atomic.get seen then n
  else
    let a, b = Weft.par (fun () -> fib_until seen (n - 1)) (fun () -> fib_until seen (n - 2)) in
    a + b

let loop seen body =
  try
    Weft.parallel_for ~start:1 ~finish:max_int
      ~body:(fun i ->
        body i;
        if Atomic.get seen then raise Exit)
      ()
  with Exit -> ()

(* Some iteration in the middle of the loop calls [f]: the loop decides which one comes first. *)
let loop_with seen f =
  let n = Atomic.make 0 in
  loop seen (fun _ -> if Atomic.fetch_and_add n 1 = 1000 then f ())

module Tree = Weft_batch.Red_black.Make (Int)

let numbers = Array.init 20_000 (fun i -> i * 7919 mod 20_011)

let loads =
  [
    ("forks", fun seen -> ignore (fib_until seen 60));
    ("loops", fun seen -> loop seen ignore);
    ("slow loops", fun seen -> loop seen (fun _ -> spin 20_000));
    ( "loops in chunks",
      fun seen ->
        try
          Weft.parallel_for ~chunk_size:50 ~start:1 ~finish:max_int
            ~body:(fun _ -> if Atomic.get seen then raise Exit)
            ()
        with Exit -> () );
    ("sorts", fun _ -> Weft.Array.sort Int.compare (Array.copy numbers));
    ("tasks", fun _ -> Weft.await (Weft.async (fun () -> spin 200)));
    ( "tasks that call nothing",
      fun _ ->
        let l = Weft.Latch.create 200 in
        for _ = 1 to 200 do
          let task () =
            spin 1_000_000;
            Weft.Latch.count_down l
          in
          ignore (Weft.async task : unit Promise.t)
        done;
        Weft.Latch.wait l );
    ("settled promises", fun _ -> Weft.await (Promise.of_value ()));
    ( "failed promises",
      let failed =
        Weft.Once.make (fun () ->
            let p = Promise.create () in
            Promise.reject p Exit;
            p)
      in
      fun _ -> match Weft.await (Weft.Once.get failed) with () -> () | exception Exit -> () );
    ( "open latches",
      let l = Weft.Latch.create 0 in
      fun _ -> Weft.Latch.wait l );
    ( "values that are there",
      let o = Weft.Once.make Fun.id in
      fun _ -> Weft.Once.get o );
    ( "semaphores with time-outs",
      let s = Weft.Semaphore.create 100 in
      fun _ ->
        Weft.Semaphore.acquire_timeout 3600. s;
        spin 1_000;
        Weft.Semaphore.release s );
    ( "mutexes with time-outs",
      fun _ ->
        let m = Weft.Mutex.create () in
        Weft.Mutex.lock_timeout 3600. m;
        spin 1_000;
        Weft.Mutex.unlock m );
    ( "channels with time-outs",
      fun _ ->
        let c = Weft.Chan.bounded 1 in
        Weft.Chan.send ~timeout:3600. c ();
        Weft.Chan.recv ~timeout:3600. c );
    ( "mvars with time-outs",
      fun _ ->
        let m = Weft.Mvar.create () in
        Weft.Mvar.put ~timeout:3600. m ();
        Weft.Mvar.take ~timeout:3600. m );
    ( "semaphores",
      let s = Weft.Semaphore.create 100 in
      fun _ -> Weft.Semaphore.protect s (fun () -> spin 1_000) );
    ("mutexes", fun _ -> Weft.Mutex.protect (Weft.Mutex.create ()) (fun () -> spin 1_000));
    ("rwlocks", fun _ -> Weft.Rwlock.read (Weft.Rwlock.create ()) (fun () -> spin 1_000));
    ( "channels",
      fun _ ->
        let c = Weft.Chan.bounded 1 in
        Weft.Chan.send c ();
        Weft.Chan.recv c );
    ( "ivars",
      let i = Weft.Ivar.create () in
      Weft.Ivar.fill i ();
      fun _ -> Weft.Ivar.read i );
    ( "mvars",
      fun _ ->
        let m = Weft.Mvar.create () in
        Weft.Mvar.put m ();
        Weft.Mvar.take m );
    ( "limits",
      let l = Weft.Limit.create 100 in
      fun _ -> Weft.Limit.run l (fun () -> spin 1_000) );
    ("yields", fun _ -> Weft.yield ());
    ("scopes", fun _ -> Scope.run (fun _ -> spin 1_000));
    ("time-outs", fun _ -> Weft.Cancel.with_timeout 3600. (fun () -> spin 1_000));
    ("tokens", fun _ -> Weft.Cancel.within (Weft.Cancel.create ()) (fun () -> spin 1_000));
    ("shields", fun _ -> Weft.Cancel.shield (fun () -> spin 1_000));
    ("loops over nothing", fun _ -> Weft.Array.iter ignore [||]);
    ("no tasks", fun _ -> ignore (Weft.all [] : unit list));
    ( "batches",
      let tree = Tree.create () and next = Atomic.make 0 in
      fun _ ->
        let i = Atomic.fetch_and_add next 1 in
        if i land 7 = 0 then Tree.add_all tree (Array.init 500 (fun k -> ((i + k) * 7919 land 0xffff, k)))
        else Tree.add tree (i * 7919 land 0xffff) i );
  ]

(* --- wakers: functions that make something ready --- *)

(* [wake s seen] is called in the scope, beside the load. It starts or resumes the job that sets [seen]. *)

let set seen = Atomic.set seen true

let with_listener s seen =
  let p = Promise.create () in
  ignore
    (Scope.async s (fun () ->
         Weft.await p;
         set seen)
      : unit Promise.t);
  p

let by_thread f =
  ignore
    (Thread.create
       (fun () ->
         Thread.delay 0.005;
         f ())
       ()
      : Thread.t)

let wakers =
  [
    ( "a thread",
      fun s seen ->
        let p = with_listener s seen in
        by_thread (fun () -> Promise.resolve p ()) );
    ( "a thread's task",
      fun _ seen ->
        let pool = Option.get (Pool.current ()) in
        by_thread (fun () -> ignore (Pool.async pool (fun () -> set seen) : unit Promise.t)) );
    ( "a handler",
      fun s seen ->
        let p = with_listener s seen in
        Sys.set_signal Sys.sigusr1 (Signal_handle (fun _ -> ignore (Promise.try_resolve p () : bool)));
        by_thread (fun () -> Unix.kill (Unix.getpid ()) Sys.sigusr1) );
    ( "a timer",
      fun s seen ->
        ignore
          (Scope.async s (fun () ->
               Weft.sleep 0.005;
               set seen)
            : unit Promise.t) );
    ( "a time-out",
      fun s seen ->
        let for_ever = Promise.create () in
        ignore
          (Scope.async s (fun () ->
               try Weft.Cancel.with_timeout 0.005 (fun () -> Weft.await for_ever)
               with Weft.Cancel.Timeout -> set seen)
            : unit Promise.t) );
    ( "a body",
      fun s seen ->
        let p = with_listener s seen in
        ignore (Scope.async s (fun () -> loop_with seen (fun () -> Promise.resolve p ())) : unit Promise.t) );
    ( "a body's task",
      fun s seen ->
        ignore
          (Scope.async s (fun () ->
               loop_with seen (fun () -> ignore (Weft.async (fun () -> set seen) : unit Promise.t)))
            : unit Promise.t) );
    ( "a body's message",
      fun s seen ->
        let c = Weft.Chan.bounded 1 in
        Scope.start s (fun () ->
            Weft.Chan.recv c;
            set seen);
        Scope.start s (fun () -> loop_with seen (fun () -> Weft.Chan.send c ())) );
    ( "a body's Pool.async",
      fun s seen ->
        let pool = Option.get (Pool.current ()) in
        let start () = ignore (Pool.async pool (fun () -> set seen) : unit Promise.t) in
        Scope.start s (fun () -> loop_with seen start) );
    ( "another pool",
      fun s seen ->
        let p = with_listener s seen in
        by_thread (fun () -> Weft.run ~domains:1 (fun () -> Promise.resolve p ())) );
    ( "a blocking call",
      fun s seen ->
        ignore
          (Scope.async s (fun () ->
               Weft.blocking (fun () -> Thread.delay 0.005);
               set seen)
            : unit Promise.t) );
  ]

(* In a quick run, each combination of a load and a waker is tried in one pool only: of one domain or of
   two, in turn. *)
let pools ~load ~waker = if Testing.Effort.level = Quick then [ 1 + ((load + waker) mod 2) ] else [ 1; 2; 8 ]

let each_waker number (what, load) () =
  let handler = Sys.signal Sys.sigusr1 Signal_ignore in
  Fun.protect ~finally:(fun () -> Sys.set_signal Sys.sigusr1 handler) @@ fun () ->
  List.iteri
    (fun waker (who, wake) ->
      List.iter
        (fun domains ->
          watched (fun () -> Printf.sprintf "%s fill a pool of %d, woken by %s" what domains who) @@ fun () ->
          Weft.run ~domains @@ fun () ->
          let seen = Atomic.make false in
          Scope.run @@ fun s ->
          wake s seen;
          for _ = 1 to domains + 1 do
            ignore
              (Scope.async s (fun () ->
                   while not (Atomic.get seen) do
                     load seen
                   done)
                : unit Promise.t)
          done)
        (pools ~load:number ~waker))
    wakers

(* --- threads --- *)

(* Whether the calling thread got its turn beside a worker of its domain that computed, before OCaml's tick of
   50 ms came. *)
let had_turn () =
  let asked = Weft.now () in
  Thread.yield ();
  let waited = Weft.now () -. asked in
  (* A shorter wait shows nothing: the worker did not hold the domain. *)
  if waited > 0.001 && waited < 0.03 then Ok () else Error (Printf.sprintf "waited for %.6f s" waited)

(* The ticks may come at any time, but not four times in a row so early. *)
let thread_has_turns (_, load) () =
  let seen = Atomic.make false in
  let pool () =
    Weft.run ~domains:1 @@ fun () ->
    while not (Atomic.get seen) do
      load seen
    done
  in
  let worker = Thread.create pool () in
  let turns = ref 0 in
  let four_in_a_row () =
    match had_turn () with
    | Ok () ->
        incr turns;
        if !turns = 4 then Ok () else Error (Printf.sprintf "%d turns in a row" !turns)
    | Error _ as e ->
        turns := 0;
        e
  in
  Testing.Watchdog.until_undisturbed "a thread has turns beside a worker" four_in_a_row;
  Atomic.set seen true;
  Thread.join worker

(* --- requests for preemption --- *)

(* Each loop calls [Weft.async] before each [Weft.await]: if [Weft.async] took the requests, the fiber would
   give way by chance. *)
let requests_are_left () =
  List.iter
    (fun (what, operation) ->
      Weft.run ~domains:1 @@ fun () ->
      let pool = Option.get (Pool.current ()) and w = Option.get (Weft_scheduler.Worker.current ()) in
      let has_run = Atomic.make false in
      let outside = Thread.create (fun () -> Pool.async pool (fun () -> Atomic.set has_run true)) () in
      Thread.join outside;
      Weft_scheduler.Deque.request_preempt w.deque;
      operation ();
      Alcotest.(check bool) (what ^ " does not give way") false (Atomic.get has_run);
      Alcotest.(check bool)
        (what ^ " leaves the request") true
        (Weft_scheduler.Deque.is_preempt_requested w.deque);
      Weft.Semaphore.protect (Weft.Semaphore.create 1) ignore;
      Alcotest.(check bool) "what may suspend gives way" true (Atomic.get has_run))
    [ ("async", fun () -> ignore (Weft.async ignore : unit Promise.t)); ("check", Weft.Cancel.check) ]

(* --- fairness --- *)

(* Each of the fibers that share the workers makes as much progress as the others, up to a factor, however
   long that takes. The counts are compared when the first fiber has come far enough. *)
let shares ~domains ~fibers ~turns step =
  Weft.run ~domains @@ fun () ->
  let counts = Array.init fibers (fun _ -> Atomic.make 0) in
  let over = Atomic.make false and at_the_end = ref [||] in
  let began = Weft.Latch.create fibers in
  Scope.run (fun s ->
      Array.iter
        (fun count ->
          ignore
            (Scope.async s (fun () ->
                 Weft.Latch.count_down began;
                 Weft.Latch.wait began;
                 while not (Atomic.get over) do
                   step ();
                   Atomic.incr count;
                   if Atomic.get count = turns && Atomic.compare_and_set over false true then
                     at_the_end := Array.map Atomic.get counts
                 done)
              : unit Promise.t))
        counts);
  !at_the_end

(* If the system gives a worker no processor, the fiber that it runs is held up: so the test repeats until
   the counts were alike once. *)
let yields_alike () =
  let turns = Testing.Effort.count ~quick:5_000 ~usual:100_000 ~long:500_000 in
  List.iter
    (fun (domains, fibers) ->
      let rec until_alike () =
        let counts = shares ~domains ~fibers ~turns Weft.yield in
        if Array.exists (fun n -> 3 * n < 2 * turns) counts then until_alike ()
      in
      watched (fun () -> Printf.sprintf "%d fibers on %d domains get alike shares" fibers domains) until_alike)
    [ (1, 2); (1, 5); (2, 3); (2, 5); (2, 16); (3, 8) ]

(* Repeats for the same reason. The turns must last much longer than 5 ms for each fiber. *)
let all_get_on () =
  let turns = Testing.Effort.count ~quick:1_000 ~usual:2_000 ~long:2_000 in
  List.iter
    (fun domains ->
      let sem = Weft.Semaphore.create 2 in
      let rec until_all () =
        let counts =
          shares ~domains ~fibers:8 ~turns (fun () -> Weft.Semaphore.protect sem (fun () -> spin 100_000))
        in
        if Array.mem 0 counts then until_all ()
      in
      watched (fun () -> Printf.sprintf "every fiber gets a turn on %d domains" domains) until_all)
    [ 1; 2; 3 ]

(* It lies behind all others that yield, and then before them. *)
let cancelled_yields_are_ready () =
  Pool.with_pool ~domains:1 @@ fun pool ->
  let is_ready () = Weft_scheduler.Injector.is_ready (state_of pool).parts.injector in
  Pool.run pool @@ fun () ->
  let token = Weft.Cancel.create () and yields = ref 0 in
  let loop () =
    while true do
      incr yields;
      Weft.yield ()
    done
  in
  let task = Weft.async (fun () -> Weft.Cancel.within token loop) in
  yield_until "the task yields" (fun () -> !yields > 0);
  check "nothing else is ready" (not (is_ready ()));
  Weft.Cancel.cancel token;
  check "it is ready" (is_ready ());
  match Weft.await task with
  | () -> Alcotest.fail "the loop has ended"
  | exception Weft.Cancel.Cancelled _ -> ()

(* There the worker would seldom find it. *)
let not_in_a_long_deque () =
  Pool.with_pool ~domains:1 @@ fun pool ->
  let is_ready () = Weft_scheduler.Injector.is_ready (state_of pool).parts.injector in
  Pool.run pool @@ fun () ->
  let wake () =
    let p = Promise.create () in
    let waiter = start_waiting (fun () -> Weft.await p) in
    let start _ = Weft.async ignore in
    (waiter, List.init 10 start, fun () -> Promise.resolve p ())
  in
  let waiter, few, resolve = wake () in
  resolve ();
  check "a short deque" (not (is_ready ()));
  List.iter Weft.await (waiter :: few);
  let waiter, few, resolve = wake () in
  let many = List.init 10_000 (fun _ -> Weft.async ignore) in
  resolve ();
  check "a long one" (is_ready ());
  List.iter Weft.await ((waiter :: few) @ many)

let tests =
  List.mapi
    (fun number ((what, _) as load) -> case ("what is ready runs, beside " ^ what) (each_waker number load))
    loads
  @ List.map
      (fun ((what, _) as load) -> case ("a thread has turns beside " ^ what) (thread_has_turns load))
      loads
  @ [
      case "an operation that may not suspend leaves the request to the next that may" requests_are_left;
      case "yields are shared alike" yields_alike;
      case "semaphores are passed on" all_get_on;
      case "a fiber that yields is ready when it is cancelled" cancelled_yields_are_ready;
      case "a fiber that is resumed does not lie in a long deque" not_in_a_long_deque;
    ]
