module Alcotest = Testing.Checks.Alcotest
open Domainslib

let check_int = Alcotest.(check int)

let with_pool num_domains f =
  let pool = Task.setup_pool ~num_domains () in
  Fun.protect ~finally:(fun () -> Task.teardown_pool pool) (fun () -> f pool)

exception Planned of int

let channels_suspend_tasks () =
  (* There is one domain: a sender or receiver that blocked it would wait for ever. *)
  with_pool 0 @@ fun pool ->
  let there = Chan.make_bounded 0 and back = Chan.make_bounded 0 in
  let n =
    Task.run pool (fun () ->
        let echo =
          Task.async pool (fun () ->
              for _ = 1 to 100 do
                Chan.send back (Chan.recv there + 1)
              done)
        in
        let rec go i n =
          if i = 0 then n
          else begin
            Chan.send there n;
            go (i - 1) (Chan.recv back)
          end
        in
        let n = go 100 0 in
        Task.await pool echo;
        n)
  in
  check_int "rounds" 100 n

let channels_join_tasks_and_domains () =
  with_pool 2 @@ fun pool ->
  let c = Chan.make_bounded 2 in
  let senders =
    List.init 2 (fun _ ->
        Domain.spawn (fun () ->
            for i = 1 to 200 do
              Chan.send c i
            done))
  in
  let take () = List.fold_left (fun n _ -> n + Chan.recv c) 0 (List.init 100 Fun.id) in
  let tasks = List.init 4 (fun _ -> Task.async pool take) in
  let total = Task.run pool (fun () -> List.fold_left (fun n p -> n + Task.await pool p) 0 tasks) in
  List.iter Domain.join senders;
  check_int "sum" (200 * 201) total

let chunk_sizes_that_are_not_positive_mean_the_default () =
  with_pool 2 @@ fun pool ->
  let count chunk_size =
    let n = Atomic.make 0 in
    Task.parallel_for ~chunk_size ~start:1 ~finish:1000 ~body:(fun _ -> Atomic.incr n) pool;
    check_int "for" 1000 (Atomic.get n);
    check_int "reduce" 500500
      (Task.parallel_for_reduce ~chunk_size ~start:1 ~finish:1000 ~body:Fun.id pool ( + ) 0);
    Alcotest.(check (option int))
      "find" (Some 1000)
      (Task.parallel_find ~chunk_size ~start:1 ~finish:1000
         ~body:(fun i -> if i = 1000 then Some i else None)
         pool)
  in
  Task.run pool (fun () -> List.iter count [ 0; -1; min_int; 1; 7; 1000; max_int ])

let empty_ranges_do_nothing () =
  with_pool 1 @@ fun pool ->
  let body _ = Alcotest.fail "called" in
  Task.run pool (fun () ->
      Task.parallel_for ~start:1 ~finish:0 ~body pool;
      Task.parallel_for ~chunk_size:3 ~start:5 ~finish:(-5) ~body pool;
      check_int "init" 7 (Task.parallel_for_reduce ~start:1 ~finish:0 ~body pool ( + ) 7);
      Alcotest.(check (array int)) "scan" [||] (Task.parallel_scan pool ( + ) [||]))

(* Domainslib leaves these tasks behind, still running. *)
let a_failed_loop_leaves_no_iterations_behind () =
  with_pool 3 @@ fun pool ->
  for _ = 1 to 20 do
    let running = Atomic.make 0 in
    let body i =
      Atomic.incr running;
      if i = 50 then begin
        Atomic.decr running;
        raise (Planned i)
      end;
      Thread.delay 0.0002;
      Atomic.decr running
    in
    match Task.run pool (fun () -> Task.parallel_for ~chunk_size:1 ~start:1 ~finish:100 ~body pool) with
    | () -> Alcotest.fail "no exception"
    | exception Planned 50 -> check_int "running" 0 (Atomic.get running)
  done

let exceptions_that_nobody_awaits_are_reported () =
  let reported = Atomic.make 0 in
  Weft.set_uncaught_handler (fun exn _ -> match exn with Planned n -> Atomic.set reported n | _ -> ());
  with_pool 1 (fun pool -> ignore (Task.async pool (fun () -> raise (Planned 8)) : unit Task.promise));
  check_int "the exception" 8 (Atomic.get reported)

let reductions_have_the_same_bits_everywhere () =
  let sum num_domains =
    with_pool num_domains @@ fun pool ->
    Task.run pool (fun () ->
        Task.parallel_for_reduce pool ( +. ) 0. ~start:1 ~finish:10_000 ~body:(fun i -> 1. /. float i))
  in
  let one = sum 0 in
  List.iter
    (fun n -> Alcotest.(check bool) "bits" true (Int64.bits_of_float (sum n) = Int64.bits_of_float one))
    [ 1; 2; 5 ]

(* Awaiting in order removes the deque's entries, even if older tasks are awaited first. *)
let awaiting_in_order_leaves_nothing_in_the_deque () =
  (* A fiber that is preempted leaves its entries below those of the next. *)
  Testing.Watchdog.until_undisturbed "no fiber gives way" @@ fun () ->
  with_pool 0 @@ fun pool ->
  let deepest = ref 0 in
  let here () = Weft_scheduler.Deque.size (Weft_platform.Deque_memory.current ()) in
  let rec fib n =
    deepest := max !deepest (here ());
    if n < 2 then n
    else
      let a = Task.async pool (fun () -> fib (n - 1)) in
      let b = Task.async pool (fun () -> fib (n - 2)) in
      let a = Task.await pool a in
      a + Task.await pool b
  in
  let n, left =
    Task.run pool (fun () ->
        let n = fib 15 in
        (n, here ()))
  in
  check_int "fib" 610 n;
  if left > 0 then Error (Printf.sprintf "%d entries are left" left)
  else if !deepest > 2 * 15 then
    Error (Printf.sprintf "%d entries in the deque, where 30 are enough" !deepest)
  else Ok ()

let tests =
  [
    Testing.Watchdog.case "channels suspend tasks" channels_suspend_tasks;
    Testing.Watchdog.case "channels join tasks and domains" channels_join_tasks_and_domains;
    Testing.Watchdog.case "chunk sizes that are not positive mean the default"
      chunk_sizes_that_are_not_positive_mean_the_default;
    Testing.Watchdog.case "empty ranges do nothing" empty_ranges_do_nothing;
    Testing.Watchdog.case "a failed loop leaves no iterations behind"
      a_failed_loop_leaves_no_iterations_behind;
    Testing.Watchdog.case "exceptions that nobody awaits are reported"
      exceptions_that_nobody_awaits_are_reported;
    Testing.Watchdog.case "reductions have the same bits everywhere" reductions_have_the_same_bits_everywhere;
    Testing.Watchdog.case "awaiting in order leaves nothing in the deque"
      awaiting_in_order_leaves_nothing_in_the_deque;
  ]
