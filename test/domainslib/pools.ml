module Alcotest = Testing.Checks.Alcotest
open Domainslib

let check_int = Alcotest.(check int)
let sum pool n = Task.parallel_for_reduce pool ( + ) 0 ~start:1 ~finish:n ~body:Fun.id

let with_pool ?name num_domains f =
  let pool = Task.setup_pool ?name ~num_domains () in
  Fun.protect ~finally:(fun () -> Task.teardown_pool pool) (fun () -> f pool)

let torn_down what f =
  match f () with
  | _ -> Alcotest.failf "%s: a pool that is torn down was used" what
  | exception Invalid_argument text -> Alcotest.(check string) what "pool already torn down" text

(* More tasks than the pool has domains. *)
let any_domains_share_a_pool () =
  with_pool 1 @@ fun pool ->
  let use k = Domain.spawn (fun () -> Task.run pool (fun () -> sum pool (1000 + k))) in
  let users = List.init 4 use in
  List.iteri (fun k d -> check_int "sum" ((1000 + k) * (1001 + k) / 2) (Domain.join d)) users

let pools_wait_for_each_other () =
  with_pool 1 @@ fun one ->
  with_pool 2 @@ fun two ->
  with_pool 0 @@ fun empty ->
  let rec bounce n a b =
    if n = 0 then 0 else 1 + Task.await a (Task.async b (fun () -> bounce (n - 1) b a))
  in
  check_int "two pools" 50 (Task.run one (fun () -> bounce 50 one two));
  check_int "one of them empty" 50 (Task.run one (fun () -> bounce 50 one empty));
  check_int "runs in each other" 3
    (Task.run one (fun () -> 1 + Task.run two (fun () -> 1 + Task.run empty (fun () -> 1))))

let names_outlive_other_pools_of_that_name () =
  let found () = Task.lookup_pool "twin" in
  let a = Task.setup_pool ~name:"twin" ~num_domains:0 () in
  let b = Task.setup_pool ~name:"twin" ~num_domains:0 () in
  let is what expected =
    Alcotest.(check bool) what true (match found () with Some p -> p == expected | None -> false)
  in
  is "the youngest" b;
  Task.teardown_pool a;
  is "still, once the elder is gone" b;
  Task.teardown_pool b;
  Alcotest.(check bool) "none" true (found () = None);
  (* Names of Weft's own pools do not conflict. *)
  let c = Task.setup_pool ~name:"default" ~num_domains:0 () in
  Task.teardown_pool c

let nothing_needs_run () =
  let try_with num_domains =
    with_pool num_domains @@ fun pool ->
    let p = Task.async pool (fun () -> 41) in
    check_int "await" 41 (Task.await pool p);
    check_int "await again" 41 (Task.await pool p);
    check_int "reduce" 5050 (sum pool 100);
    let a = Task.parallel_scan pool ( + ) [| 1; 2; 3 |] in
    Alcotest.(check (array int)) "scan" [| 1; 3; 6 |] a;
    Alcotest.(check (option int))
      "find" (Some 7)
      (Task.parallel_find pool ~start:1 ~finish:9 ~body:(fun i -> if i = 7 then Some i else None))
  in
  List.iter try_with [ 0; 1; 3 ]

let an_empty_pool_runs_in_the_callers_domain () =
  with_pool 0 @@ fun pool ->
  let where = Array.make 100 (-1) in
  let note i () = where.(i) <- (Domain.self () :> int) in
  let tasks = List.init 100 (fun i -> Task.async pool (note i)) in
  Thread.delay 0.02;
  Alcotest.(check bool) "none has started" true (Array.for_all (( = ) (-1)) where);
  Task.run pool (fun () -> List.iter (Task.await pool) tasks);
  Alcotest.(check bool) "all were run here" true (Array.for_all (( = ) (Domain.self () :> int)) where)

(* The task arrives when the caller of [run] is at work already. *)
let an_empty_pool_takes_tasks_of_others_meanwhile () =
  with_pool 0 @@ fun pool ->
  let inside = Chan.make_bounded 1 and answer = Chan.make_bounded 1 in
  let other =
    Domain.spawn (fun () ->
        Chan.recv inside;
        ignore (Task.async pool (fun () -> Chan.send answer 17) : unit Task.promise))
  in
  let got =
    Task.run pool (fun () ->
        Chan.send inside ();
        Chan.recv answer)
  in
  Domain.join other;
  check_int "answer" 17 got

let a_task_may_tear_its_pool_down () =
  let pool = Task.setup_pool ~name:"own" ~num_domains:2 () in
  let n =
    Task.run pool (fun () ->
        let p = Task.async pool (fun () -> 4) in
        Task.teardown_pool pool;
        torn_down "twice" (fun () -> Task.teardown_pool pool);
        let late = Task.async pool (fun () -> 5) in
        Task.await pool p + Task.await pool late)
  in
  check_int "its tasks end" 9 n;
  torn_down "run" (fun () -> Task.run pool (fun () -> ()));
  torn_down "async" (fun () -> ignore (Task.async pool (fun () -> ())));
  Testing.Watchdog.until "the pool has ended" (fun () -> Task.lookup_pool "own" = None);
  torn_down "await" (fun () -> Task.await pool (Weft.Promise.of_value ()))

let teardown_waits_for_all_tasks () =
  List.iter
    (fun num_domains ->
      let count = Atomic.make 0 in
      let pool = Task.setup_pool ~num_domains () in
      let rec spread n =
        if n = 0 then Atomic.incr count
        else begin
          ignore (Task.async pool (fun () -> spread (n - 1)) : unit Task.promise);
          spread (n - 1)
        end
      in
      ignore (Task.async pool (fun () -> spread 8) : unit Task.promise);
      Task.teardown_pool pool;
      check_int (Printf.sprintf "all have run, %d domains" num_domains) 256 (Atomic.get count))
    [ 0; 2 ]

let num_domains_counts_those_beside_the_caller () =
  List.iter
    (fun n -> with_pool n (fun pool -> check_int "domains" (n + 1) (Task.get_num_domains pool)))
    [ 0; 1; 5 ]

let tests =
  [
    Testing.Watchdog.case "any number of domains share a pool" any_domains_share_a_pool;
    Testing.Watchdog.case "pools wait for each other's tasks" pools_wait_for_each_other;
    Testing.Watchdog.case "a name outlives other pools of that name" names_outlive_other_pools_of_that_name;
    Testing.Watchdog.case "nothing needs run" nothing_needs_run;
    Testing.Watchdog.case "an empty pool runs in the caller's domain" an_empty_pool_runs_in_the_callers_domain;
    Testing.Watchdog.case "an empty pool takes the tasks of others meanwhile"
      an_empty_pool_takes_tasks_of_others_meanwhile;
    Testing.Watchdog.case "a task may tear its pool down" a_task_may_tear_its_pool_down;
    Testing.Watchdog.case "teardown waits for all tasks" teardown_waits_for_all_tasks;
    Testing.Watchdog.case "num_domains counts those beside the caller"
      num_domains_counts_those_beside_the_caller;
  ]
