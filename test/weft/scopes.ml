open Support
open Endings
module Cancel = Weft.Cancel
module Chan = Weft.Chan
module Pool = Weft.Pool
module Promise = Weft.Promise
module Scope = Weft.Scope

(* --- ends --- *)

let waits_for_all () =
  let test () =
    let inside = inside () in
    let rec tasks s depth () =
      visit inside (fun () ->
          if depth > 0 then
            for i = 1 to 3 do
              ignore (Scope.async s (tasks s (depth - 1)));
              if i = 2 then Weft.yield ()
            done
          else Weft.sleep 0.001)
    in
    let result =
      Scope.run (fun s ->
          ignore (Scope.async s (tasks s 4));
          ignore (Scope.async s (tasks s 3));
          "result")
    in
    Alcotest.(check string) "result" "result" result;
    nobody_inside "when the scope has ended" inside;
    check_int "tasks" (121 + 40) (visits inside)
  in
  test ();
  in_each_size test

let waits_whatever_happens () =
  in_each_size @@ fun () ->
  let ended = Atomic.make 0 in
  let stubborn () =
    Cancel.shield (fun () ->
        Weft.sleep 0.003;
        Atomic.incr ended)
  in
  let in_scope body =
    let started = Atomic.make 0 in
    let before = Atomic.get ended in
    let run () =
      Scope.run (fun s ->
          for _ = 1 to 5 do
            ignore
              (Scope.async s (fun () ->
                   Atomic.incr started;
                   stubborn ()))
          done;
          yield_until "five tasks have started" (fun () -> Atomic.get started = 5);
          body s)
    in
    (* The time may be over before all have started. *)
    (run, fun what -> check_int what (Atomic.get started) (Atomic.get ended - before))
  in
  let run, all_ended = in_scope ignore in
  run ();
  all_ended "returned";
  let run, all_ended = in_scope (fun _ -> planned 1 ()) in
  fails_with "the body" (Planned 1) run;
  all_ended "the body has failed";
  let run, all_ended =
    in_scope (fun s ->
        Scope.cancel s;
        Cancel.check ())
  in
  is_cancelled "cancelled" "the scope was cancelled" run;
  all_ended "cancelled";
  let run, all_ended = in_scope (fun s -> ignore (Scope.async s (planned 2))) in
  fails_with "a task" (Planned 2) run;
  all_ended "a task has failed";
  let run, all_ended = in_scope (fun _ -> sleep_long ()) in
  times_out "timed out" (fun () -> Cancel.with_timeout 0.001 run);
  all_ended "timed out"

let results () =
  in_each_size @@ fun () ->
  let sum =
    Scope.run (fun s ->
        let tasks =
          List.init 100 (fun i ->
              Scope.async s (fun () ->
                  if i mod 3 = 0 then Weft.yield ();
                  i))
        in
        List.fold_left (fun sum p -> sum + Weft.await p) 0 tasks)
  in
  check_int "sum" 4950 sum;
  (* Promises outlive their scope, and are settled when it ends, even if nobody has awaited them. *)
  for i = 1 to 1_000 do
    let p, q =
      Scope.run (fun s ->
          let p = Scope.async s (fun () -> i) in
          (p, Scope.async s (fun () -> Scope.async s (fun () -> i))))
    in
    let settled what p = if not (Promise.is_settled p) then Alcotest.failf "%s is not settled (%d)" what i in
    settled "a task" p;
    settled "another task" q;
    settled "a task's task" (Weft.await q);
    if Weft.await p <> i then Alcotest.failf "awaited afterwards: %d instead of %d" (Weft.await p) i
  done

(* --- cancelling --- *)

let cancelled_from_anywhere () =
  on_each_size @@ fun pool ->
  let ways =
    [
      ("the body", fun s -> Scope.cancel ~reason:"why" s);
      ("a task", fun s -> ignore (Scope.async s (fun () -> Scope.cancel ~reason:"why" s)));
      ( "a task of a task",
        fun s ->
          ignore (Scope.async s (fun () -> ignore (Scope.async s (fun () -> Scope.cancel ~reason:"why" s))))
      );
      ("a fork", fun s -> ignore (Weft.par Fun.id (fun () -> Scope.cancel ~reason:"why" s)));
      ("a task of nobody", fun s -> ignore (Weft.async (fun () -> Scope.cancel ~reason:"why" s)));
      ("a thread", fun s -> Thread.join (Thread.create (fun () -> Scope.cancel ~reason:"why" s) ()));
      ("a domain", fun s -> Domain.join (Domain.spawn (fun () -> Scope.cancel ~reason:"why" s)));
      ("another pool", fun s -> Weft.run ~domains:1 (fun () -> Scope.cancel ~reason:"why" s));
      ( "the first reason stays",
        fun s ->
          Scope.cancel ~reason:"why" s;
          Scope.cancel ~reason:"other" s );
    ]
  in
  List.iter
    (fun (what, way) ->
      let inside = inside () and scope = ref None in
      is_cancelled what "why" (fun () ->
          returns what (fun () ->
              Pool.run pool (fun () ->
                  Scope.run (fun s ->
                      scope := Some s;
                      for _ = 1 to 4 do
                        ignore (Scope.async s (fun () -> visit inside sleep_long))
                      done;
                      way s;
                      sleep_long ()))));
      nobody_inside what inside;
      check_numbers what [] (Option.get !scope))
    ways

let not_started_are_dropped () =
  (* On one domain, tasks do not start until the body waits. *)
  Weft.run ~domains:1 @@ fun () ->
  let started = ref 0 in
  let promises = ref [] in
  is_cancelled "the scope" "no more" (fun () ->
      Scope.run (fun s ->
          promises := List.init 100 (fun _ -> Scope.async s (fun () -> incr started));
          Scope.cancel ~reason:"no more" s;
          Cancel.check ()));
  check_int "started" 0 !started;
  List.iter (fun p -> is_cancelled "its promise" "no more" (fun () -> Weft.await p)) !promises;
  (* Nothing can be started any more: from inside the call is refused, from outside the task does not run. *)
  is_cancelled "the scope" "no more" (fun () ->
      Scope.run (fun s ->
          Scope.cancel ~reason:"no more" s;
          is_cancelled "async" "no more" (fun () -> Scope.async s (fun () -> incr started));
          Cancel.shield (fun () ->
              let p = Scope.async s (fun () -> incr started) in
              is_cancelled "in a shield" "no more" (fun () -> Weft.await p));
          Cancel.check ()));
  check_int "started" 0 !started

let all_the_same () =
  in_each_size @@ fun () ->
  check_int "a body that returns" 3
    (Scope.run (fun s ->
         Scope.cancel s;
         3));
  check_int "tasks that return" 4
    (Scope.run (fun s ->
         let p = Scope.async s (fun () -> 4) in
         let v = Weft.await p in
         Scope.cancel s;
         v))

let leave_queues () =
  in_each_size @@ fun () ->
  let c : int Chan.t = Chan.bounded 0 and full = Chan.bounded 1 in
  Chan.send full 1;
  for _ = 1 to 10 do
    is_cancelled "waiters" "enough" (fun () ->
        Scope.run (fun s ->
            let waiting = Atomic.make 0 in
            let start f =
              ignore
                (Scope.async s (fun () ->
                     Atomic.incr waiting;
                     f ()))
            in
            for i = 1 to 10 do
              start (fun () -> ignore (Chan.recv c));
              start (fun () -> Chan.send full i)
            done;
            yield_until "all wait" (fun () -> Atomic.get waiting = 20);
            Scope.cancel ~reason:"enough" s;
            Cancel.check ()));
    check_bool "no receiver" false (Chan.send_poll c 1);
    check_bool "no sender" true (Chan.recv_poll full = Some 1 && Chan.recv_poll full = None);
    Chan.send full 1
  done

let seen_after_shields () =
  (* The same if the task has checked inside, when it was called. *)
  in_each_size @@ fun () ->
  let task s () =
    Cancel.shield (fun () ->
        Scope.cancel ~reason:"enough" s;
        ignore (Weft.par Fun.id Fun.id));
    sleep_long ()
  in
  is_cancelled "after the shield" "enough" (fun () ->
      returns "the task" (fun () -> Scope.run (fun s -> Weft.await (Scope.async s (task s)))))

(* --- nesting --- *)

let nested () =
  in_each_size @@ fun () ->
  (* The inner scope's failure is raised by the inner call. *)
  check_int "caught" 5
    (Scope.run (fun outer ->
         let p =
           Scope.async outer (fun () ->
               Weft.sleep 0.003;
               5)
         in
         fails_with "inner" (Planned 1) (fun () ->
             Scope.run (fun inner ->
                 ignore (Scope.async inner sleep_long);
                 ignore (Scope.async inner (planned 1))));
         is_cancelled "inner" "only here" (fun () ->
             Scope.run (fun inner ->
                 Scope.cancel ~reason:"only here" inner;
                 sleep_long ()));
         Weft.yield ();
         Weft.await p));
  (* The outer scope's failure cancels the inner one. *)
  let inside = inside () in
  let rec nest depth () =
    visit inside (fun () ->
        Scope.run (fun s ->
            if depth > 0 then ignore (Scope.async s (nest (depth - 1)));
            sleep_long ()))
  in
  fails_with "the outermost" (Planned 2) (fun () ->
      returns "nested" (fun () ->
          Scope.run (fun s ->
              ignore (Scope.async s (nest 20));
              yield_until "all 21 are inside" (fun () -> visits inside = 21);
              planned 2 ())));
  nobody_inside "all left" inside;
  (* The innermost scope's failure ends all, if nobody catches it. *)
  let rec nest depth () =
    visit inside (fun () ->
        Scope.run (fun s ->
            ignore (Scope.async s (if depth > 0 then nest (depth - 1) else planned 3));
            sleep_long ()))
  in
  fails_with "from inside" (Planned 3) (fun () -> returns "nested" (nest 20));
  nobody_inside "all left" inside;
  let rec deep_nest n =
    if n = 0 then 0 else Scope.run (fun s -> 1 + Weft.await (Scope.async s (fun () -> deep_nest (n - 1))))
  in
  check_int "deep" 300 (deep_nest 300)

let among_forks_and_loops () =
  in_each_size @@ fun () ->
  let inside = inside () in
  let rec tree n =
    visit inside (fun () ->
        if n = 0 then 1
        else
          Scope.run (fun s ->
              let a = Scope.async s (fun () -> tree (n - 1)) in
              let b, c = Weft.par (fun () -> tree (n - 1)) (fun () -> Scope.run (fun _ -> tree (n - 1))) in
              let d = Weft.parallel_for_reduce ~start:1 ~finish:2 ~body:(fun _ -> tree (n - 1)) ( + ) 0 in
              b + c + d + Weft.await a))
  in
  check_int "tree" 625 (tree 4);
  nobody_inside "tree" inside;
  (* The same, with a failure somewhere: no task is left. *)
  for i = 1 to 10 do
    let left = Atomic.make (i * 20) in
    let rec failing n =
      visit inside (fun () ->
          if Atomic.fetch_and_add left (-1) = 0 then planned i ();
          if n = 0 then Weft.yield ()
          else
            Scope.run (fun s ->
                ignore (Scope.async s (fun () -> failing (n - 1)));
                let (), () =
                  Weft.par (fun () -> failing (n - 1)) (fun () -> Scope.run (fun _ -> failing (n - 1)))
                in
                Weft.parallel_for ~start:1 ~finish:2 ~body:(fun _ -> failing (n - 1)) ()))
    in
    fails_with "failing" (Planned i) (fun () -> failing 4);
    nobody_inside "failing" inside
  done

(* The scope may be clean-up: so its body is called, though the caller is cancelled and asked to give way. *)
let opened_when_cancelled () =
  in_each_size @@ fun () ->
  let token = Cancel.create () and is_called = ref false in
  let clean_up () =
    Weft_scheduler.Deque.request_preempt (Option.get (Weft_scheduler.Worker.current ())).deque;
    Scope.run (fun _ -> is_called := true)
  in
  is_cancelled "the scope" "why" (fun () ->
      Cancel.within token (fun () ->
          Cancel.cancel ~reason:"why" token;
          clean_up ()));
  check_bool "called" true !is_called

let cancelled_from_around () =
  (* A scope in either side of a fork, and in a loop, ends with it. *)
  in_each_size @@ fun () ->
  let inside = inside () in
  let scope () =
    Scope.run (fun s ->
        ignore (Scope.async s (fun () -> visit inside sleep_long));
        visit inside sleep_long)
  in
  let fail () =
    yield_until "a call is inside" (fun () -> visits inside > 0);
    Weft.sleep 0.001;
    planned 1 ()
  in
  let test what f =
    fails_with what (Planned 1) (fun () -> returns what f);
    nobody_inside what inside
  in
  test "left" (fun () -> Weft.par scope fail);
  test "right" (fun () -> Weft.par fail scope);
  test "all" (fun () -> Weft.all [ scope; scope; fail; scope ]);
  test "scope" (fun () ->
      Scope.run (fun s ->
          ignore (Scope.async s scope);
          fail ()));
  times_out "time-out" (fun () -> returns "time-out" (fun () -> Cancel.with_timeout 0.002 scope));
  nobody_inside "time-out" inside

let tests =
  [
    case "a scope waits for all its tasks" waits_for_all;
    case "whatever happens" waits_whatever_happens;
    case "promises of tasks" results;
    case "whoever has a scope can cancel it" cancelled_from_anywhere;
    case "tasks that have not started are dropped" not_started_are_dropped;
    case "a body that returns all the same" all_the_same;
    case "cancelled tasks leave the queues they wait in" leave_queues;
    case "a task sees after a shield what came meanwhile" seen_after_shields;
    case "scopes in scopes" nested;
    case "scopes among forks and loops" among_forks_and_loops;
    case "a scope ends with the call around it" cancelled_from_around;
    case "a caller that is cancelled has its body called" opened_when_cancelled;
  ]
