(* Workers retire and return, thousands of times, under load: no job is lost. *)

open Support
module Pool = Weft.Pool

let wanted = Testing.Effort.count ~quick:150 ~usual:1_000 ~long:10_000
let sum count pool = Array.fold_left (fun sum (w : Pool.worker_stats) -> sum + count w) 0 (Pool.stats pool)
let returns = sum (fun w -> w.returns)
let retired = sum (fun w -> w.retired)
let wait_for_all_to_go pool = wait_until "all have retired" (fun () -> Pool.present pool = 0)

(* Two tasks that wait for each other without suspending. *)
let meet () =
  let arrived = Atomic.make 0 in
  let party () =
    Atomic.incr arrived;
    wait_until "the other has come" (fun () -> Atomic.get arrived = 2)
  in
  ignore (Weft.par party party)

(* What is given to a pool and must come back from it. *)
type sums = { tasks : int; timers : int; forks : int }

let none = { tasks = 0; timers = 0; forks = 0 }
let add a b = { tasks = a.tasks + b.tasks; timers = a.timers + b.timers; forks = a.forks + b.forks }

type found = { ran : int Atomic.t; woken : int Atomic.t; kept : int Weft.Local.Worker_local.t }

let task found () =
  Weft.Local.Worker_local.update found.kept succ;
  Atomic.incr found.ran

let one_from_outside pool found =
  Weft.await (Pool.async pool (task found));
  { none with tasks = 1 }

let several_from_outside pool found =
  List.iter Weft.await (List.init 3 (fun _ -> Pool.async pool (task found)));
  { none with tasks = 3 }

let forks pool found =
  Pool.run pool (fun () -> ignore (Weft.all [ task found; task found; task found ]));
  { none with tasks = 3; forks = 2 }

(* No caller is in the pool: its own workers must run the timer. *)
let a_timer pool found =
  let sleep () =
    Weft.sleep 0.0001;
    Atomic.incr found.woken;
    task found ()
  in
  Weft.await (Pool.async pool sleep);
  { none with tasks = 1; timers = 1 }

let a_meeting pool _ =
  Pool.run pool meet;
  { none with forks = 1 }

let loads =
  [|
    one_from_outside;
    several_from_outside;
    forks;
    a_timer;
    one_from_outside;
    several_from_outside;
    forks;
    a_meeting;
  |]

(* Runs until workers have returned so many times. Before every eighth load all workers may retire; the
   other loads meet them at any step. *)
let cycles () =
  with_patience 0. @@ fun () ->
  Pool.with_pool ~domains:3 @@ fun pool ->
  let kept = Weft.Local.Worker_local.create (fun () -> 0) in
  let found = { ran = Atomic.make 0; woken = Atomic.make 0; kept } in
  let rec go i given =
    if returns pool >= wanted then given
    else begin
      let given = add given (loads.(i mod Array.length loads) pool found) in
      if i mod 8 = 0 then wait_for_all_to_go pool else spin (i * 7919 mod 30_000);
      go (i + 1) given
    end
  in
  let given = watched (fun () -> Printf.sprintf "%d returns" (returns pool)) (fun () -> go 0 none) in
  check_int "tasks" given.tasks (Atomic.get found.ran);
  check_int "sleepers" given.timers (Atomic.get found.woken);
  check_int "what workers keep" given.tasks (Weft.Local.Worker_local.fold ( + ) 0 kept);
  check_int "forks counted" given.forks (sum (fun w -> w.forks) pool);
  wait_for_all_to_go pool;
  let in_turns (w : Pool.worker_stats) = abs (w.returns - w.retired) <= 1 in
  check "each retires and returns in turns" (Array.for_all in_turns (Pool.stats pool))

(* Half of the pools are closed at whatever step their workers are, some when all [least] workers that came
   have retired, and some when at least one has, while another may. *)
let closing_while_they_go ~least () =
  with_patience 0. @@ fun () ->
  for i = 1 to Testing.Effort.count ~quick:40 ~usual:120 ~long:1_000 do
    let pool = Pool.create ~domains:3 () in
    let ran = Atomic.make 0 in
    let count () = Atomic.incr ran in
    Pool.run pool (fun () -> ignore (Weft.all [ count; count; count ]));
    let expected =
      match i mod 8 with
      | 0 ->
          wait_until "all have retired" (fun () -> Pool.present pool = 0 && retired pool >= least);
          least
      | 2 | 4 | 6 ->
          (* The pool is closed at once: no other worker gets time to retire, too. *)
          wait_until "one has retired" (fun () -> retired pool > 0);
          1
      | _ ->
          spin (i * 1117 mod 60_000);
          0
    in
    Pool.close pool;
    check_int "ran" 3 (Atomic.get ran);
    check (Printf.sprintf "at least %d retired" expected) (retired pool >= expected)
  done

let resident () = Option.value (Testing.Memory.resident_bytes ()) ~default:0

(* Fifty fibers at a time run in a domain that then ends. What OCaml would keep of their stacks:
   test/platform/test_stack_cache. *)
let memory () =
  with_patience 0. @@ fun () ->
  Pool.with_pool ~domains:2 @@ fun pool ->
  let cycle () =
    let opened = Weft.Promise.create () and waiting = Atomic.make 0 in
    let fiber () =
      Atomic.incr waiting;
      Weft.await opened
    in
    let task () =
      let fibers = List.init 50 (fun _ -> Weft.async fiber) in
      while Atomic.get waiting < 50 do
        Weft.yield ()
      done;
      Weft.Promise.resolve opened ();
      List.iter Weft.await fibers
    in
    let task = Pool.async pool task in
    (* If this thread awaited the task, it might run it itself: the task shall end in the pool's domain. *)
    wait_until "it has ended" (fun () -> Weft.Promise.is_settled task);
    Weft.await task;
    wait_for_all_to_go pool
  in
  let cycles n =
    for _ = 1 to n do
      cycle ()
    done
  in
  cycles 100;
  let growth () =
    let before = resident () and retired_before = retired pool in
    cycles 400;
    check "as many have retired" (retired pool - retired_before >= 400);
    resident () - before
  in
  Option.iter
    (Alcotest.failf "%d bytes more after 400 domains")
    (Testing.Memory.always_above (8 * 1024 * 1024) growth)

(* --- collections --- *)

module Idle_period = Weft_scheduler.Idle_period
module Deque_memory = Weft_platform.Deque_memory
module Parker = Weft_platform.Parker

let for_long : Idle_period.limits = { least = 0.; most = 3600. }

let collect times =
  for _ = 1 to times do
    Gc.minor ()
  done

(* Others may collect meanwhile. *)
let some_collections_end_it () =
  Weft.run ~domains:1 @@ fun () ->
  let w = Option.get (Weft_scheduler.Worker.current ()) in
  let parker = Parker.create ~interruptible:false in
  let period = Idle_period.begin_ for_long w.deque parker in
  check "it goes on" (Idle_period.left period > 1_000. || Deque_memory.collections_left w.deque = 0);
  collect 3;
  check "it is over" (Idle_period.left period <= 0.);
  check "the parker has a token" (Parker.park_for parker 0. = Token);
  ignore (Idle_period.begin_ for_long w.deque parker : Idle_period.t);
  Idle_period.end_ w.deque;
  collect 3;
  check "and no other one" (Parker.park_for parker 0. = Timed_out)

let a_period_that_is_postponed () =
  Weft.run ~domains:1 @@ fun () ->
  let w = Option.get (Weft_scheduler.Worker.current ()) in
  let parker = Parker.create ~interruptible:false in
  let period = Idle_period.begin_ { least = 1_000.; most = 1_000. } w.deque parker in
  let left = Idle_period.left period in
  check "it lasts" (left > 0. && left <= 1_000.);
  collect 3;
  let left = Idle_period.left period in
  check "as long as it shall at least" (left > 0. && left <= 1_000.);
  Idle_period.postpone period;
  let left = Idle_period.left period in
  check "and once more" (left > 0. && left <= 1_000.);
  check "or it is over at once" (Idle_period.left (Idle_period.begin_ Idle_period.none w.deque parker) <= 0.);
  Idle_period.end_ w.deque

let they_go_when_the_program_collects () =
  keeping_alive for_long @@ fun () ->
  Pool.with_pool ~domains:3 @@ fun pool ->
  Pool.run pool meet;
  wait_until "all have retired" (fun () ->
      Gc.minor ();
      Pool.present pool = 0)

let tests =
  [
    case "an idle period ends when there were collections" some_collections_end_it;
    case "an idle period ends after its longest time" a_period_that_is_postponed;
    case "workers without work go when the program collects" they_go_when_the_program_collects;
    case "nothing is lost while workers retire and return, again and again" cycles;
    case "pools are closed while workers retire" (all_at_once (closing_while_they_go ~least:2));
    case "a pool is closed while a spare retires" (one_at_once (closing_while_they_go ~least:1));
    case "workers that come and go leave no memory behind" memory;
  ]
