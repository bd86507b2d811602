open Support
module Limit = Weft.Limit
module Scope = Weft.Scope

(* How many fibers were inside at once, and how many in all. *)
type meter = { peak : Testing.Peak.t; times : int Atomic.t }

let meter () = { peak = Testing.Peak.create (); times = Atomic.make 0 }

(* Computes for a while, without waiting. *)
let run_for m ns =
  Testing.Peak.within m.peak (fun () ->
      spin ns;
      Atomic.incr m.times)

let start scope f = ignore (Scope.async scope f : unit Weft.promise)

let at_the_end what l m ~limit ~times =
  check_int (what ^ ": nobody is left inside") 0 (Limit.running l);
  check_int (what ^ ": all ran") times (Atomic.get m.times);
  let most = Testing.Peak.most m.peak in
  if most > limit then Alcotest.failf "%s: %d at once, in a limit of %d" what most limit

let calls_are_limited () =
  in_each_size @@ fun () ->
  List.iter
    (fun limit ->
      let l = Limit.create limit and m = meter () in
      Scope.run (fun scope ->
          for _ = 1 to 200 do
            start scope (fun () -> Limit.run l (fun () -> run_for m 2000))
          done);
      at_the_end "calls" l m ~limit ~times:200)
    [ 1; 2; 5 ]

let what_they_start_is_limited () =
  in_each_size @@ fun () ->
  let l = Limit.create 2 and m = meter () in
  let rec forks depth =
    if depth = 0 then run_for m 5000
    else
      let (), () = Weft.par (fun () -> forks (depth - 1)) (fun () -> forks (depth - 1)) in
      ()
  in
  Limit.run l (fun () ->
      forks 6;
      Weft.parallel_for ~chunk_size:1 ~start:1 ~finish:64 ~body:(fun _ -> run_for m 5000) ();
      List.iter Weft.await (List.init 64 (fun _ -> Weft.async (fun () -> run_for m 5000))));
  at_the_end "forks, loops, tasks" l m ~limit:2 ~times:192

let who_waits_makes_room () =
  in_each_size @@ fun () ->
  let l = Limit.create 1 and m = meter () in
  let gate = Weft.Promise.create () in
  Scope.run (fun scope ->
      for _ = 1 to 20 do
        start scope (fun () ->
            Limit.run l (fun () ->
                run_for m 1000;
                Weft.await gate;
                run_for m 1000))
      done;
      (* All of them reach the gate, though the limit has room for one. *)
      yield_until "all wait" (fun () -> Atomic.get m.times = 20);
      Weft.Promise.resolve gate ());
  at_the_end "waiting" l m ~limit:1 ~times:40

let nested () =
  in_each_size @@ fun () ->
  let outer = Limit.create 3 and inner = Limit.create 1 in
  let m = meter () and n = meter () in
  Scope.run (fun scope ->
      for _ = 1 to 50 do
        start scope (fun () ->
            Limit.run outer (fun () ->
                run_for m 1000;
                Limit.run inner (fun () ->
                    run_for n 1000;
                    (* The fiber is inside both limits already. *)
                    Limit.run outer (fun () -> Limit.run inner (fun () -> run_for n 1000)))))
      done);
  at_the_end "outer" outer m ~limit:3 ~times:50;
  at_the_end "inner" inner n ~limit:1 ~times:100

let ends_whatever_happens () =
  in_each_size @@ fun () ->
  let l = Limit.create 1 in
  for n = 1 to 50 do
    match Limit.run l (fun () -> raise (Planned n)) with
    | () -> Alcotest.fail "no exception"
    | exception Planned m -> check_int "the exception" n m
  done;
  (* Fibers that give up in the queue make way for those behind them. *)
  let ran = Atomic.make 0 in
  for _ = 1 to 50 do
    let token = Weft.Cancel.create () in
    Scope.run ~on_failure:Keep_going (fun scope ->
        let go = Weft.Promise.create () in
        start scope (fun () -> Limit.run l (fun () -> Weft.await go));
        for i = 1 to 6 do
          start scope (fun () ->
              let enter () = Limit.run l (fun () -> Atomic.incr ran) in
              if i mod 2 = 0 then enter ()
              else try Weft.Cancel.within token enter with Weft.Cancel.Cancelled _ -> Atomic.incr ran)
        done;
        Weft.yield ();
        Weft.Cancel.cancel token;
        Weft.Promise.resolve go ())
  done;
  check_int "all came or gave up" 300 (Atomic.get ran);
  check_int "nobody is left inside" 0 (Limit.running l)

(* When a waiter learns that a task has ended, the task has left the limit. *)
let left_before_the_end_is_seen () =
  in_each_size @@ fun () ->
  let l = Limit.create 2 and seen = Atomic.make (-1) in
  let go = Weft.Promise.create () in
  let task = Limit.run l (fun () -> Weft.async (fun () -> Weft.await go)) in
  let look = Weft_scheduler.Job.Callback (fun () -> Atomic.set seen (Limit.running l)) in
  assert (Weft_scheduler.Job.add_waiter (Weft.Promise.Private.to_job task) look);
  Weft.Promise.resolve go ();
  yield_until "it has ended" (fun () -> Atomic.get seen >= 0);
  check_int "nobody is left inside" 0 (Atomic.get seen)

let from_outside () =
  let l = Limit.create 2 and m = meter () in
  let threads =
    List.init 4 (fun _ ->
        Thread.create
          (fun () ->
            for _ = 1 to 20 do
              Limit.run l (fun () -> run_for m 2000)
            done)
          ())
  in
  List.iter Thread.join threads;
  at_the_end "threads" l m ~limit:2 ~times:80

(* A task that leaves and returns at once stands behind those that wait. *)
let in_turn () =
  Weft.Pool.with_pool ~domains:2 @@ fun p ->
  Weft.Pool.run p @@ fun () ->
  let l = Limit.create 1 in
  let inside = Atomic.make false and entered = Atomic.make false in
  Scope.run @@ fun scope ->
  for _ = 1 to tries 20 do
    List.iter (fun flag -> Atomic.set flag false) [ inside; entered ];
    (* The task was started outside the limit. *)
    let other =
      Scope.async scope (fun () ->
          wait_until "the limit is full" (fun () -> Atomic.get inside);
          Limit.run l (fun () -> Atomic.set entered true))
    in
    Limit.run l (fun () ->
        Atomic.set inside true;
        fibers_wait p 1);
    Limit.run l (fun () -> check "the other came first" (Atomic.get entered));
    Weft.await other
  done

(* A task that waits for room occupied by another pool is in no queue of its own pool. *)
let across_pools () =
  let l = Limit.create 1 in
  let begun = Atomic.make 0 and ended = Atomic.make 0 in
  let inside = Atomic.make false and stop = Atomic.make false in
  Weft.Pool.with_pool ~domains:2 (fun other ->
      let mine = Weft.Pool.create ~domains:2 () in
      let go = Weft.Promise.create () in
      let task () =
        Atomic.incr begun;
        Fun.protect ~finally:(fun () -> Atomic.incr ended) (fun () -> Weft.await go)
      in
      let tasks = List.init 2 (fun _ -> Weft.Pool.async mine (fun () -> Limit.run l task)) in
      wait_until "both wait" (fun () -> Atomic.get begun = 2 && Limit.running l = 0);
      let occupy () =
        Atomic.set inside true;
        while not (Atomic.get stop) do
          spin 1000
        done
      in
      let occupied = Weft.Pool.async other (fun () -> Limit.run l occupy) in
      wait_until "it is occupied" (fun () -> Atomic.get inside);
      Weft.Promise.resolve go ();
      let state = state_of mine in
      let closer = Thread.create Weft.Pool.close mine in
      closing_begins state;
      Thread.delay 0.05;
      check_int "none can go on" 0 (Atomic.get ended);
      Atomic.set stop true;
      Thread.join closer;
      check_int "both have ended" 2 (Atomic.get ended);
      List.iter Weft.await (occupied :: tasks))

(* --- a call without use goes to the next in the queue --- *)

module Limits = Weft_scheduler.Limit

let stand_as_heir a =
  let called = ref false in
  let heir () =
    called := true;
    true
  in
  check "it is full" (Option.is_some (Limits.enter_as_heir a heir));
  called

let never_called () = Alcotest.fail "called in vain"

let unused_calls_are_passed_on () =
  let a = Limits.make 1 in
  Limits.force [ a ];
  for _ = 1 to 3 do
    check "a fork is refused, and claimed by its joiner" (not (Limits.enter [ a ] ~again:(fun () -> false)));
    check "a caller is refused, and gives up" (Option.is_some (Limits.enter_as_heir a (fun () -> false)))
  done;
  let called = stand_as_heir a in
  Limits.leave [ a ];
  check "a fiber that stands behind them is called" !called;
  check_int "and is inside" 1 (Limits.running a)

let refused_further_out () =
  let outer = Limits.make 1 and inner = Limits.make 1 in
  Limits.force [ inner ];
  let called_again = ref false in
  let again () =
    called_again := true;
    true
  in
  check "refused by the inner" (not (Limits.enter [ inner; outer ] ~again));
  let called = stand_as_heir inner in
  check_int "nothing is kept of the outer" 0 (Limits.running outer);
  Limits.force [ outer ];
  Limits.leave [ inner ];
  check "called again" !called_again;
  check "refused by the outer" (not (Limits.enter [ inner; outer ] ~again:never_called));
  check "so the next is called" !called

(* A thief has taken the fork and waits in the limit's queue with it; its joiner claims it; and another
   task waits behind it. *)
let claimed_forks () =
  in_each_size @@ fun () ->
  for _ = 1 to 100 do
    let l = Limit.create 1 and comes = Atomic.make false in
    Scope.run (fun scope ->
        start scope (fun () ->
            Limit.run l (fun () ->
                ignore
                  (Weft.par
                     (fun () ->
                       Atomic.set comes true;
                       spin 50_000)
                     ignore)));
        start scope (fun () ->
            yield_until "the other is inside" (fun () -> Atomic.get comes);
            Limit.run l ignore))
  done

(* [f inside outside] runs where one limit, which is full, has refused what [inside] starts, once the fiber
   has yielded. *)
let in_a_full_limit f =
  Weft.run ~domains:1 @@ fun () ->
  let a = Limits.make 1 and outside = Weft_scheduler.Context.current () in
  let inside = Weft_scheduler.Fiber.binding outside (Limits.bind a outside.bindings) in
  Limits.force [ a ];
  f a
    ~inside:(fun g -> Weft_scheduler.Context.within inside g)
    ~outside:(fun g -> Weft_scheduler.Context.within outside g)

let yield_often () =
  for _ = 1 to 10 do
    Weft.yield ()
  done

(* The room goes to the first in line, who will not ask; until then the second is not called. *)
let called_in_vain a =
  let called = stand_as_heir a in
  Limits.leave [ a ];
  check "the first is called" (not !called);
  called

let cancelled_after_the_call () =
  in_a_full_limit @@ fun a ~inside ~outside:_ ->
  let p = inside (fun () -> Weft.Promise.cancellable (fun () -> Alcotest.fail "it runs")) in
  yield_often ();
  let called = called_in_vain a in
  Weft.Promise.cancel p;
  check "the second is called" !called;
  check_int "and is inside" 1 (Limits.running a)

let joined_after_the_call () =
  in_a_full_limit @@ fun a ~inside ~outside ->
  let called = ref (ref false) in
  let left () =
    called :=
      outside (fun () ->
          yield_often ();
          called_in_vain a)
  in
  inside (fun () ->
      ignore
        (Weft.par left (fun () -> check "the second is called before the joiner runs the fork" !(!called))))

let dropped_after_the_call () =
  in_a_full_limit @@ fun a ~inside ~outside ->
  let called = ref (ref false) in
  let left () =
    called :=
      outside (fun () ->
          yield_often ();
          called_in_vain a);
    raise Exit
  in
  (match inside (fun () -> Weft.par left (fun () -> Alcotest.fail "it runs")) with
  | _ -> Alcotest.fail "not raised"
  | exception Exit -> ());
  check "the second is called" !(!called)

let misuse () =
  List.iter
    (fun n -> raises_invalid "no room" "Weft.Limit.create: " (fun () -> Limit.create n))
    [ 0; -1; min_int ]

(* --- deadlocks --- *)

(* A task in a limit's queue counts as waiting too, though its fiber has not begun. *)
let deadlocks_name_the_line () =
  Testing_pools.Deadlocks.detecting @@ fun () ->
  Weft.Pool.with_pool ~domains:2 @@ fun pool ->
  let suspended = (Support.state_of pool).parts.home.suspended in
  let let_go = Weft_scheduler.Suspended_fibers.hold_once suspended in
  match Weft.Pool.run pool (fun () -> Weft.await (Weft.Promise.create ())) with
  | () -> Alcotest.fail "no deadlock"
  | exception (Weft.Deadlock.Deadlock { fibers; pool = _ } as exn) ->
      let_go ();
      Alcotest.(check (list string))
        "who waits" [ "Weft.await"; "Weft.Limit.run" ]
        (List.map (fun (f : Weft.Deadlock.fiber) -> f.waits_for) fibers);
      Support.check "the message" (Testing.Text.contains "all 2 fibers wait" (Printexc.to_string exn))

(* A fiber that is still listed but has been resumed goes on: it is no deadlock, whoever else waits. *)
let resumed_is_no_deadlock () =
  Testing_pools.Deadlocks.detecting @@ fun () ->
  Weft.Pool.with_pool ~domains:2 @@ fun pool ->
  let parts = (Support.state_of pool).parts in
  let resumed =
    Weft_scheduler.Suspended_fibers.entry ~source:true ~what:"a fiber that goes on"
      ~stack:(fun () -> None)
      ignore
  in
  Weft_scheduler.Suspended_fibers.add parts.home.suspended resumed;
  let p = Weft.Promise.create () in
  let caller = Thread.create (fun () -> Weft.Pool.run pool (fun () -> Weft.await p)) () in
  Support.fibers_wait pool 1;
  wait_until "the pool is at rest" (fun () -> Weft_scheduler.Worker.is_idle parts);
  Weft_scheduler.Deadlock.look (Support.state_of pool);
  Support.check "nobody was ended"
    (List.length (Weft_scheduler.Suspended_fibers.waits parts.home.suspended) = 2);
  Weft.Promise.resolve p ();
  Thread.join caller;
  Weft_scheduler.Suspended_fibers.remove parts.home.suspended resumed

(* --- priorities --- *)

let low_comes_last () =
  Weft.Pool.with_pool ~domains:1 @@ fun pool ->
  let order = ref [] in
  let note n () = order := n :: !order in
  let tasks =
    Weft.Pool.run pool (fun () ->
        let low = List.init 3 (fun i -> Weft.Pool.async ~priority:Low pool (note (100 + i))) in
        let normal = List.init 3 (fun i -> Weft.Pool.async pool (note i)) in
        low @ normal)
  in
  (* Awaited by nobody before: a fiber that is preempted may give way to one with low priority. *)
  wait_until "all have run" (fun () -> List.for_all Weft.Promise.is_settled tasks);
  List.iter Weft.await tasks;
  Alcotest.(check bool)
    "the low ones last" true
    (List.for_all (fun n -> n < 100) (List.filteri (fun i _ -> i >= 3) !order))

(* There is always something else to do; the low task still runs. *)
let low_is_not_starved () =
  on_each_size @@ fun pool ->
  Weft.Pool.run pool (fun () ->
      let came = Atomic.make false in
      let low = Weft.Pool.async ~priority:Low pool (fun () -> Atomic.set came true) in
      Scope.run (fun scope ->
          for _ = 1 to 2 * Weft.Pool.domains pool do
            start scope (fun () -> yield_until "the low one has come" (fun () -> Atomic.get came))
          done);
      Weft.await low);
  (* All workers are in the middle of one long computation. *)
  Weft.Pool.run pool (fun () ->
      let came = Atomic.make false in
      let rec forks () =
        if not (Atomic.get came) then begin
          ignore (fib 12);
          forks ()
        end
      in
      let from_outside =
        Thread.create
          (fun () -> Weft.await (Weft.Pool.async ~priority:Low pool (fun () -> Atomic.set came true)))
          ()
      in
      Scope.run (fun scope ->
          for _ = 1 to Weft.Pool.domains pool do
            start scope forks
          done);
      Weft.blocking (fun () -> Thread.join from_outside))

let tests =
  [
    case "at most so many calls run at once" calls_are_limited;
    case "a limit covers what its calls start" what_they_start_is_limited;
    case "a fiber that waits makes room" who_waits_makes_room;
    case "limits in limits" nested;
    case "a limit is left whatever happens" ends_whatever_happens;
    case "a task has left its limit before its end is seen" left_before_the_end_is_seen;
    case "calls from outside are limited" from_outside;
    case "first come, first served" in_turn;
    case "closing a pool waits for those that wait for room" across_pools;
    case "a call that nobody uses goes to the next in line" unused_calls_are_passed_on;
    case "an unused call is passed on, also if an outer limit is full" refused_further_out;
    case "a fork that its joiner has claimed holds nobody up" claimed_forks;
    case "misuse is told" misuse;
    case "a deadlock names those in line" (all_at_once deadlocks_name_the_line);
    case "a fiber that has been resumed is in no deadlock" resumed_is_no_deadlock;
    case "low priority comes last" low_comes_last;
    case "low priority does not starve" low_is_not_starved;
    case "low priority does not starve beside one worker" (one_at_once low_is_not_starved);
    case "a task that is called and cancelled calls the next" cancelled_after_the_call;
    case "a fork that is called and joined calls the next" joined_after_the_call;
    case "a fork that is called and dropped calls the next" dropped_after_the_call;
  ]
