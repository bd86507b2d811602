module Alcotest = Testing.Checks.Alcotest

exception Planned of int

let sizes = match Testing.Effort.level with Quick -> [ 1; 3 ] | Usual | Long -> [ 1; 2; 3; 8 ]
let on_each_size test = List.iter (fun domains -> Weft.Pool.with_pool ~domains test) sizes
let in_each_size test = on_each_size (fun p -> Weft.Pool.run p test)

let rec fib n =
  if n < 2 then n
  else
    let a, b = Weft.par (fun () -> fib (n - 1)) (fun () -> fib (n - 2)) in
    a + b

let fib_of n =
  let rec go n a b = if n = 0 then a else go (n - 1) b (a + b) in
  go n 0 1

let spin n =
  for _ = 1 to n do
    ignore (Sys.opaque_identity n)
  done

let case name test = Testing.Watchdog.case name test
let watched = Testing.Watchdog.during
let check = Testing.Checks.check
let check_bool = Testing.Checks.check_bool
let check_int = Testing.Checks.check_int

(* Each minor collection scans the whole stack: with a tiny minor heap, a million frames would take
   minutes. *)
let tries n = Testing.Effort.count ~quick:((n + 9) / 10) ~usual:n ~long:(3 * n)
let is_tiny = (Gc.get ()).minor_heap_size < 65536

let deep =
  if is_tiny then Testing.Effort.count ~quick:10_000 ~usual:30_000 ~long:30_000
  else Testing.Effort.count ~quick:100_000 ~usual:1_000_000 ~long:1_000_000

let with_small_stacks f =
  let before = Gc.get () in
  Gc.set { before with stack_limit = before.stack_limit / 16 };
  Fun.protect f ~finally:(fun () -> Gc.set { (Gc.get ()) with stack_limit = before.stack_limit })

let with_deep_in_each_size test =
  on_each_size @@ fun pool ->
  let n = if Weft.Pool.domains pool <= 2 then deep else deep / 10 in
  Weft.Pool.run pool (fun () -> test n)

let raises_invalid what prefix f =
  match f () with
  | _ -> Alcotest.failf "%s: no exception" what
  | exception Invalid_argument message ->
      if not (String.starts_with ~prefix message) then
        Alcotest.failf "%s: the message is %S, expected to start with %S" what message prefix

let wait_until = Testing.Watchdog.until

let yield_until what condition =
  if not (condition ()) then
    watched
      (fun () -> "a fiber waits until " ^ what)
      (fun () ->
        while not (condition ()) do
          Weft.yield ()
        done)

let state_of pool = Option.get (Weft_scheduler.Pool_state.find (Weft.Pool.name pool))

let start_waiting f =
  let fiber = Atomic.make None in
  let run () =
    Atomic.set fiber (Some (Weft_scheduler.Context.current ()).fiber);
    f ()
  in
  let p = Weft.async run in
  let open Weft_scheduler in
  let suspended = (state_of (Option.get (Weft.Pool.current ()))).parts.home.suspended in
  (* A fiber that gives way at a poll is suspended, too, but not listed. One that asks is listed otherwise. *)
  let is_its cancel e =
    Suspended_fibers.cancel e == cancel || Suspended_fibers.what e = "the answer to an effect"
  in
  let is_listed cancel = List.exists (is_its cancel) (Suspended_fibers.waits suspended) in
  let waits () =
    match Atomic.get fiber with
    | Some { Fiber.state = Suspended { cancel; _ }; _ } -> is_listed cancel
    | Some { Fiber.state = Suspended_cancelled _; _ } -> true
    | _ -> false
  in
  yield_until "a task waits" (fun () -> waits () || Weft.Promise.is_settled p);
  p

let with_reports ~own f =
  let seen = Atomic.make [] in
  let rec add exn =
    let was = Atomic.get seen in
    if not (Atomic.compare_and_set seen was (exn :: was)) then add exn
  in
  Weft.set_uncaught_handler (fun exn _ -> if own exn then add exn);
  let print exn _ = prerr_endline ("uncaught: " ^ Printexc.to_string exn) in
  Fun.protect
    ~finally:(fun () -> Weft.set_uncaught_handler print)
    (fun () ->
      f (fun () ->
          Gc.full_major ();
          Gc.full_major ();
          Atomic.get seen))

let fibers_wait pool n =
  let state = state_of pool in
  (* A resumed fiber stays listed until the one that resumed it removes its entry. *)
  let suspended = state.parts.home.suspended in
  let waits e = Option.is_some (Weft_scheduler.Suspended_fibers.stack suspended e) in
  wait_until (Printf.sprintf "%d fibers wait" n) (fun () ->
      List.length (List.filter waits (Weft_scheduler.Suspended_fibers.waits suspended)) >= n)

let locked (state : Weft_scheduler.Pool_state.t) f = Weft_platform.Lock.protect state.lock f

let closing_begins state =
  wait_until "the pool is being closed" (fun () -> locked state (fun () -> state.state <> Open))

let interrupting signal ~grows:x f =
  let words () = Obj.reachable_words (Obj.repr x) in
  let before = words () and over = Atomic.make false in
  let interrupt () =
    ignore (Thread.sigmask SIG_BLOCK [ signal ] : int list);
    wait_until "it stands in line" (fun () -> words () > before || Atomic.get over);
    if not (Atomic.get over) then Unix.kill (Unix.getpid ()) signal
  in
  let interrupter = Thread.create interrupt () in
  Fun.protect f ~finally:(fun () ->
      Atomic.set over true;
      Thread.join interrupter)

let waits_and_is_ended ?(then_ = ignore) f =
  let started = Atomic.make false and ended = Atomic.make false in
  let p = Weft.Pool.create ~domains:1 () in
  let task () =
    Atomic.set started true;
    match f () with
    | () -> Alcotest.fail "it did not wait"
    | exception Weft.Pool.Closed _ -> Atomic.set ended true
  in
  let task = Weft.Pool.async p task in
  wait_until "the task started" (fun () -> Atomic.get started);
  then_ ();
  let closer = Thread.create Weft.Pool.close p in
  Thread.join closer;
  Weft.await task;
  if not (Atomic.get started && Atomic.get ended) then Alcotest.fail "it was not ended"

let property test () =
  let in_pool pool =
    Weft.Pool.run pool (fun () -> QCheck.Test.check_exn ~rand:(Random.State.make [| 5 |]) test)
  in
  on_each_size in_pool

let[@inline never] mortal () =
  let block = Array.make 1000 0 in
  let weak = Weak.create 1 in
  Weak.set weak 0 (Some block);
  (block, weak)

let is_dead weak =
  Gc.full_major ();
  Gc.full_major ();
  not (Weak.check weak 0)

let wait_for_death what weak =
  wait_until (what ^ " to be dead") (fun () ->
      Weft.yield ();
      is_dead weak)

let with_processors n f () =
  let before = Weft_scheduler.Processors.assumed () in
  Weft_scheduler.Processors.assume (Some n);
  Fun.protect f ~finally:(fun () -> Weft_scheduler.Processors.assume before)

let all_at_once f = with_processors 1024 f
let one_at_once f = with_processors 1 f

let keeping_alive limits f =
  let keep_alive = Weft_scheduler.Worker_thread.keep_alive in
  let before = Atomic.get keep_alive in
  Atomic.set keep_alive limits;
  Fun.protect f ~finally:(fun () -> Atomic.set keep_alive before)

let with_patience seconds f = keeping_alive { least = seconds; most = seconds } f

(* --- loops that are known to be short --- *)

module Known_cost = Weft_loops.Known_cost

let rec known code =
  let k = Known_cost.of_code code in
  if not (Known_cost.is_short k code 1000) then begin
    Known_cost.learn k code 1_000_000;
    known code
  end

(* The function, known to be cheap. *)
let cheap f =
  known (Weft_platform.Closure.code f);
  f
