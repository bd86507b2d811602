(* The second argument is the number of domains. *)

open Weft_scheduler

exception Died

let domains () = int_of_string Sys.argv.(2)

let in_pool f =
  let n = domains () in
  Processors.assume (Some n);
  let pool = Weft.Pool.create ~name:"mortal" ~domains:n () in
  f pool (Option.get (Pool_state.find "mortal"))

(* So many tasks run at once, each of which waits for all others and holds its domain meanwhile. They fork:
   a worker that has died before it did anything is only started again when another one polls
   (doc/faq.md). *)
let is_whole pool =
  let n = domains () in
  let there = Atomic.make 0 in
  Weft.Pool.run pool (fun () ->
      Weft.parallel_for ~chunk_size:1 ~start:1 ~finish:n
        ~body:(fun _ ->
          Atomic.incr there;
          while Atomic.get there < n do
            ignore (Weft.par Domain.cpu_relax Domain.cpu_relax)
          done)
        ());
  Printf.printf "whole: %b\n%!" (Atomic.get there = n)

let rec fib n =
  if n < 2 then n
  else
    let a, b = Weft.par (fun () -> fib (n - 1)) (fun () -> fib (n - 2)) in
    a + b

let tasks = 50

(* Waits without helping: the pool's own domains do the work. *)
let wait_for promises = Places.until (fun () -> List.for_all Weft.Promise.is_settled promises)

(* Each task forks, waits for another one, and ends normally. *)
let batch pool =
  let meet = Weft.Latch.create tasks in
  let task i () =
    Weft.Latch.count_down meet;
    Weft.Latch.wait meet;
    i + fib 10
  in
  let promises = List.init tasks (fun i -> Weft.Pool.async pool (task i)) in
  wait_for promises;
  assert (List.mapi (fun i p -> Weft.await p = i + 55) promises |> List.for_all Fun.id)

let deaths = 10

(* Each worker but the first calls [f] when it is about to wait. *)
let before_sleep f =
  Trace_hooks.install
    { !Trace_hooks.listener with look = (fun () -> if not (Domain.is_main_domain ()) then f ()) }

(* A worker that is about to wait dies. *)
let when_idle () =
  in_pool @@ fun pool _ ->
  let left = Atomic.make 0 in
  before_sleep (fun () -> if Atomic.fetch_and_add left (-1) > 0 then raise Died);
  for _ = 1 to deaths do
    Atomic.set left 1;
    while Atomic.get left > 0 do
      batch pool
    done
  done;
  is_whole pool

(* A worker between two jobs dies, with others in its deque, at the point at which it runs timers. *)
let with_jobs () =
  in_pool @@ fun pool p ->
  let died = Atomic.make 0 in
  let die () =
    let w = Option.get (Worker.current ()) in
    (* In the middle of a task the exception would be the task's. *)
    let between_jobs = Spawn_context.here w.deque == Spawn_context.nobody in
    if between_jobs && w.index > 0 && Deque.size w.deque > 0 then begin
      Atomic.incr died;
      raise Died
    end
  in
  let task () =
    let children = List.init 20 (fun i -> Weft.async (fun () -> i + fib 5)) in
    ignore (Timers.add p.parts.timers ~at:0 die : Timers.timer);
    while not (Timers.is_due p.parts.timers || Timers.is_empty p.parts.timers) do
      Domain.cpu_relax ()
    done;
    children
  in
  (* Another worker may run the timer: then the test repeats. *)
  while Atomic.get died < deaths do
    let parent = Weft.Pool.async pool task in
    wait_for [ parent ];
    let children = Weft.await parent in
    wait_for children;
    assert (List.mapi (fun i p -> Weft.await p = i + 5) children |> List.for_all Fun.id)
  done;
  is_whole pool

let signal_until_settled promises =
  while not (List.for_all Weft.Promise.is_settled promises) do
    Unix.kill (Unix.getpid ()) Sys.sigusr1;
    Unix.sleepf 0.001
  done

(* A task has unmasked a signal whose handler raises. The first thread, which is in no pool, masks the
   signal, so it stays pending. *)
let by_signal () =
  in_pool @@ fun pool _ ->
  ignore (Thread.sigmask SIG_BLOCK [ Sys.sigusr1 ]);
  Sys.set_signal Sys.sigusr1 (Signal_handle (fun _ -> raise Died));
  (* From here on Weft knows the handler. *)
  Weft.Pool.run pool ignore;
  let succeeded = Atomic.make 0 in
  let task i () =
    if i mod 10 = 0 then ignore (Thread.sigmask SIG_UNBLOCK [ Sys.sigusr1 ]);
    ignore (fib 12);
    Atomic.incr succeeded
  in
  let settled = ref 0 and returned = ref 0 in
  for _ = 1 to 20 do
    let promises = List.init tasks (fun i -> Weft.Pool.async pool (task i)) in
    signal_until_settled promises;
    List.iter
      (fun p ->
        incr settled;
        match Weft.await p with () -> incr returned | exception Died -> ())
      promises
  done;
  Printf.printf "settled: %d, returned as counted: %b\n%!" !settled (!returned <= Atomic.get succeeded);
  Sys.set_signal Sys.sigusr1 Signal_ignore;
  is_whole pool

(* No worker can even begin: the pool does not start domains again and again, and the caller does
   everything. *)
let at_once () =
  in_pool @@ fun pool _ ->
  before_sleep (fun () -> raise Died);
  for _ = 1 to 20 do
    Weft.Pool.run pool (fun () -> ignore (fib 15))
  done;
  Printf.printf "done\n%!"

(* A blocking call has unmasked the signal, on a helper's thread. *)
let in_blocking () =
  in_pool @@ fun pool _ ->
  ignore (Thread.sigmask SIG_BLOCK [ Sys.sigusr1 ]);
  Sys.set_signal Sys.sigusr1 (Signal_handle (fun _ -> raise Died));
  Weft.Pool.run pool ignore;
  let call () =
    Weft.blocking (fun () ->
        ignore (Thread.sigmask SIG_UNBLOCK [ Sys.sigusr1 ]);
        Unix.sleepf 0.002)
  in
  let promises = List.init 200 (fun _ -> Weft.Pool.async pool call) in
  signal_until_settled promises;
  List.iter (fun p -> match Weft.await p with () -> () | exception Died -> ()) promises;
  Printf.printf "settled\n%!"

let programs =
  [
    ("dies-when-idle", when_idle);
    ("dies-with-jobs", with_jobs);
    ("dies-by-signal", by_signal);
    ("dies-at-once", at_once);
    ("dies-in-blocking", in_blocking);
  ]
