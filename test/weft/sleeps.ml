open Support
open Endings
module Cancel = Weft.Cancel
module Pool = Weft.Pool
module Promise = Weft.Promise
module Scope = Weft.Scope

let takes what seconds f =
  let start = Weft.now () in
  f ();
  let took = Weft.now () -. start in
  if took < seconds then Alcotest.failf "%s: %.6f s instead of %.6f" what took seconds

let long_enough () =
  let test () =
    List.iter
      (fun seconds -> takes (string_of_float seconds) (Float.max 0. seconds) (fun () -> Weft.sleep seconds))
      [ -1.; 0.; 1e-9; 1e-6; 1e-4; 0.001; 0.0123; neg_infinity ];
    raises_invalid "nan" "Weft.sleep: " (fun () -> Weft.sleep nan)
  in
  test ();
  in_threads 3 (fun _ -> test ());
  in_each_size test

let at_the_same_time () =
  in_each_size @@ fun () ->
  takes "a hundred" 0.02 (fun () -> ignore (Weft.all (List.init 100 (fun _ () -> Weft.sleep 0.02))))

let in_order () =
  in_each_size @@ fun () ->
  (* The shorter sleeps end while the long ones go on, whichever began first. *)
  let asleep = inside () in
  is_cancelled "the long ones" "enough" (fun () ->
      Scope.run (fun s ->
          let sleep seconds = Scope.async s (fun () -> visit asleep (fun () -> Weft.sleep seconds)) in
          let promises = List.map sleep [ long; 0.05; 2. *. long; 0.002; long ] in
          List.iteri (fun i p -> if i land 1 = 1 then Weft.await p) promises;
          List.iteri (fun i p -> check_bool "has woken" (i land 1 = 1) (Promise.is_settled p)) promises;
          Scope.cancel ~reason:"enough" s;
          Cancel.check ()));
  nobody_inside "all" asleep

let the_clock () =
  let last = ref (Weft.now ()) in
  for _ = 1 to 10_000 do
    let now = Weft.now () in
    if now < !last then Alcotest.fail "goes back";
    last := now
  done;
  let start = Weft.now () in
  let elsewhere = Domain.join (Domain.spawn Weft.now) in
  let after = Weft.now () in
  check_bool "one clock for all" true (start <= elsewhere && elsewhere <= after)

let others_go_on () =
  (* On one domain, a sleeping fiber does not hold up the others. *)
  Weft.run ~domains:1 @@ fun () ->
  takes "beside" 0.02 (fun () ->
      let (), n =
        Weft.par
          (fun () -> Weft.sleep 0.02)
          (fun () ->
            for _ = 1 to 100 do
              Weft.yield ()
            done;
            fib 15)
      in
      check_int "work" (fib_of 15) n)

let many () =
  let n = tries (if is_tiny then 5_000 else 100_000) in
  List.iter
    (fun (domains, n) ->
      Weft.run ~domains @@ fun () ->
      let woken = Atomic.make 0 in
      Scope.run (fun s ->
          for i = 1 to n do
            ignore
              (Scope.async s (fun () ->
                   Weft.sleep (0.1 +. (1e-6 *. float (i * 7919 mod n)));
                   Atomic.incr woken))
          done);
      check_int "woken" n (Atomic.get woken))
    [ (2, n); (8, n / 5) ]

let many_cancelled () =
  let n = tries (if is_tiny then 2_000 else 50_000) in
  Weft.run ~domains:2 @@ fun () ->
  let asleep = inside () in
  is_cancelled "all" "enough" (fun () ->
      Scope.run (fun s ->
          for _ = 1 to n do
            ignore (Scope.async s (fun () -> visit asleep (fun () -> Weft.sleep 1000.)))
          done;
          yield_until "all are asleep" (fun () -> visits asleep = n);
          Scope.cancel ~reason:"enough" s;
          Cancel.check ()));
  nobody_inside "all" asleep

(* --- busy pools --- *)

(* Calls [f ()] beside a computation that keeps all workers busy until [f] has returned. [running] counts
   the busy workers. *)
let with_busy_pool pool busy running f =
  let stop = Atomic.make false in
  let worker () =
    Atomic.incr running;
    while not (Atomic.get stop) do
      busy stop
    done
  in
  let workers = List.init (Pool.domains pool) (fun _ -> Pool.async pool worker) in
  Fun.protect f ~finally:(fun () ->
      Atomic.set stop true;
      List.iter Weft.await workers)

let rec fib_until stop n =
  if n < 2 || Atomic.get stop then n
  else
    let a, b = Weft.par (fun () -> fib_until stop (n - 1)) (fun () -> fib_until stop (n - 2)) in
    a + b

let loop_until stop =
  Weft.parallel_for ~start:1 ~finish:max_int ~body:(fun _ -> if Atomic.get stop then raise Exit) ()

let computations =
  [
    ("fib", fun stop -> ignore (fib_until stop 45));
    ("a loop", fun stop -> try loop_until stop with Exit -> ());
    ("promises", fun _ -> ignore (Weft.await (Weft.async (fun () -> spin 50))));
    ("yields", fun _ -> Weft.yield ());
  ]

(* The pool is busy until the test is over, or has failed. *)
let on_busy_pools what test () =
  List.iteri
    (fun i (name, busy) ->
      List.iter
        (fun domains ->
          Pool.with_pool ~domains @@ fun pool ->
          (* All workers are busy only if a caller is in the slot. *)
          let tested = Promise.create () in
          let seated = Atomic.make false and running = Atomic.make 0 in
          let until_tested () =
            Atomic.set seated true;
            Weft.await tested
          in
          let busy_pool () = Pool.run pool (fun () -> with_busy_pool pool busy running until_tested) in
          let root = Thread.create busy_pool () in
          (* Otherwise the test itself would be in the slot, and join the computation. *)
          wait_until "the caller's place is taken" (fun () -> Atomic.get seated);
          let all = min domains (Weft_scheduler.Processors.count ()) in
          wait_until "the pool is busy" (fun () -> Atomic.get running >= all);
          let what = Printf.sprintf "%s beside %s on %d" what name domains in
          let finally () =
            Promise.resolve tested ();
            Thread.join root
          in
          Fun.protect (fun () -> test what pool) ~finally)
        (Testing.Effort.some ~quick:[ 1 + (i mod 2) ] [ 1; 2; 3 ]))
    computations

let sleepers_are_resumed =
  on_busy_pools "a sleeper" (fun what pool ->
      returns what (fun () ->
          Weft.await
            (Pool.async pool (fun () ->
                 for _ = 1 to 3 do
                   Weft.sleep 0.01
                 done))))

let strangers_are_let_in =
  on_busy_pools "a task from outside" (fun what pool ->
      for _ = 1 to 2 do
        returns what (fun () -> Weft.await (Pool.async pool ignore));
        returns what (fun () -> Pool.run pool ignore)
      done)

let time_outs_come =
  on_busy_pools "a time-out" (fun what pool ->
      returns what (fun () ->
          times_out what (fun () -> Pool.run pool (fun () -> Cancel.with_timeout 0.01 sleep_long));
          times_out what (fun () ->
              Pool.run pool (fun () -> Cancel.with_timeout 0.01 (fun () -> ignore (fib 60))))))

(* --- ends --- *)

let closing_waits () =
  List.iter
    (fun domains ->
      let pool = Pool.create ~domains () and woken = Atomic.make 0 in
      for i = 1 to 10 do
        ignore
          (Pool.async pool (fun () ->
               Weft.sleep (0.002 *. float i);
               Weft.yield ();
               Weft.sleep 0.002;
               Atomic.incr woken))
      done;
      returns "closing" (fun () -> Pool.close pool);
      check_int "woken" 10 (Atomic.get woken))
    sizes

let sleeping_for_ever () =
  in_each_size (fun () ->
      times_out "for ever" (fun () -> Cancel.with_timeout 0.002 (fun () -> Weft.sleep infinity)));
  (* Time-outs of others do not end a sleep. *)
  in_each_size @@ fun () ->
  let returned = ref false in
  times_out "the call around" (fun () ->
      Cancel.with_timeout 0.002 (fun () ->
          Weft.sleep long;
          returned := true));
  check_bool "returned" false !returned

let in_signal_handlers () =
  (* A handler sleeps in a worker: the fiber below goes on afterwards. *)
  Pool.with_pool ~domains:1 @@ fun pool ->
  let slept = ref false in
  let handle _ =
    Weft.sleep 0.002;
    slept := true
  in
  let before = Sys.signal Sys.sigusr1 (Signal_handle handle) in
  Fun.protect ~finally:(fun () -> Sys.set_signal Sys.sigusr1 before) @@ fun () ->
  Pool.run pool @@ fun () ->
  Unix.kill (Unix.getpid ()) Sys.sigusr1;
  watched
    (fun () -> "the handler has not slept yet")
    (fun () ->
      while not !slept do
        Weft.sleep 0.0005
      done)

let tests =
  [
    case "sleeps last as long as they should" long_enough;
    case "many sleep at the same time" at_the_same_time;
    case "a fiber that sleeps shorter wakes first" in_order;
    case "one clock, which never goes back" the_clock;
    case "a sleeper holds up nobody" others_go_on;
    case "a hundred thousand sleep" many;
    case "thousands of sleeps are cancelled" many_cancelled;
    case "sleepers are resumed in busy pools" sleepers_are_resumed;
    case "tasks from outside are let into busy pools" strangers_are_let_in;
    case "time-outs come in busy pools" time_outs_come;
    case "closing a pool waits for sleepers" closing_waits;
    case "an endless sleep can be cancelled" sleeping_for_ever;
    case "a signal handler sleeps" in_signal_handlers;
  ]
