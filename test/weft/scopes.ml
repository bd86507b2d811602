open Support
open Endings
module Cancel = Weft.Cancel
module Chan = Weft.Chan
module Pool = Weft.Pool
module Promise = Weft.Promise
module Scope = Weft.Scope

let planned n () = raise (Planned n)
let numbers failures = List.map (function Planned n, _ -> n | exn, _ -> raise exn) failures
let check_numbers what expected s = Alcotest.(check (list int)) what expected (numbers (Scope.failures s))

(* Calls [f] with the list of what goes to the handler of suppressed exceptions. *)
let noting_suppressed f =
  let noted = Atomic.make [] in
  let rec add exn =
    let was = Atomic.get noted in
    if not (Atomic.compare_and_set noted was (exn :: was)) then add exn
  in
  Weft.set_suppressed_handler (fun exn _ -> add exn);
  Fun.protect f ~finally:(fun () -> Weft.set_suppressed_handler (fun _ _ -> ()));
  Atomic.get noted

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
          wait_until (fun () -> Atomic.get started = 5);
          body s)
    in
    (run, fun what -> check_int what 5 (Atomic.get ended - before))
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
  (* Promises outlive their scope. *)
  let p = Scope.run (fun s -> Scope.async s (fun () -> 7)) in
  check_bool "settled" true (Promise.is_settled p);
  check_int "awaited afterwards" 7 (Weft.await p)

(* --- failures --- *)

let waits =
  let busy_loop () = Weft.parallel_for ~start:1 ~finish:max_int ~body:ignore () in
  [
    ("sleep", sleep_long);
    ("await", fun () -> Weft.await (Promise.create ()));
    ("recv", fun () -> Chan.recv (Chan.unbounded ()));
    ( "yield",
      fun () ->
        while true do
          Weft.yield ()
        done );
    ("loop", busy_loop);
    ("fib", fun () -> ignore (fib 60));
    ("fork", fun () -> ignore (Weft.par sleep_long sleep_long));
    ("scope", fun () -> Scope.run (fun s -> ignore (Scope.async s sleep_long)));
    ("time-out", fun () -> Cancel.with_timeout long sleep_long);
  ]

let first_cancels_rest () =
  in_each_size @@ fun () ->
  let is_alone = Option.fold ~none:false ~some:(fun p -> Pool.domains p = 1) (Pool.current ()) in
  let busy what = is_alone && (what = "loop" || what = "fib") in
  List.iter
    (fun (what, wait) ->
      let inside = inside () in
      let cancelled = Atomic.make 0 in
      let scope = ref None in
      let task () =
        match visit inside wait with
        | () -> Alcotest.failf "%s has ended" what
        | exception (Cancel.Cancelled _ as exn) ->
            Atomic.incr cancelled;
            raise exn
      in
      fails_with what (Planned 3) (fun () ->
          soon what (fun () ->
              Scope.run (fun s ->
                  scope := Some s;
                  ignore (Scope.async s task);
                  ignore (Scope.async s task);
                  ignore
                    (Scope.async s (fun () ->
                         Weft.sleep 0.002;
                         planned 3 ()));
                  sleep_long ())));
      nobody_inside what inside;
      check_int what (visits inside) (Atomic.get cancelled);
      (* That others were cancelled is no failure. *)
      check_numbers what [ 3 ] (Option.get !scope))
    (List.filter (fun (what, _) -> not (busy what)) waits);
  (* The body's failure as well. *)
  fails_with "the body" (Planned 4) (fun () ->
      soon "the body" (fun () ->
          Scope.run (fun s ->
              List.iter (fun (what, wait) -> if not (busy what) then ignore (Scope.async s wait)) waits;
              Weft.sleep 0.001;
              planned 4 ())))

let nobody_need_await () =
  let uncaught = Atomic.make 0 in
  Weft.set_uncaught_handler (fun _ _ -> Atomic.incr uncaught);
  Fun.protect ~finally:(fun () ->
      Weft.set_uncaught_handler (fun exn _ -> prerr_endline (Printexc.to_string exn)))
  @@ fun () ->
  in_each_size (fun () ->
      fails_with "unawaited" (Planned 1) (fun () -> Scope.run (fun s -> ignore (Scope.async s (planned 1))));
      (* Nor does it help to have awaited it. *)
      fails_with "caught" (Planned 2) (fun () ->
          Scope.run (fun s -> try Weft.await (Scope.async s (planned 2)) with Planned 2 -> ()));
      fails_with "awaited" (Planned 3) (fun () -> Scope.run (fun s -> Weft.await (Scope.async s (planned 3))));
      match Scope.run ~on_failure:Keep_going (fun s -> Scope.async s (planned 4)) with
      | _ -> Alcotest.fail "no failure"
      | exception Planned 4 -> ());
  Gc.full_major ();
  Gc.full_major ();
  check_int "uncaught" 0 (Atomic.get uncaught)

let keep_going () =
  in_each_size @@ fun () ->
  let ended = Atomic.make 0 and scope = ref None in
  let task s n =
    ignore
      (Scope.async s (fun () ->
           (* The later ones fail first. *)
           Weft.sleep (0.001 *. float (6 - n));
           Atomic.incr ended;
           if n mod 2 = 0 then planned n ()))
  in
  let noted =
    noting_suppressed (fun () ->
        fails_with "the leftmost" (Planned 2) (fun () ->
            Scope.run ~on_failure:Keep_going (fun s ->
                scope := Some s;
                for n = 1 to 5 do
                  task s n
                done)))
  in
  check_int "all ran" 5 (Atomic.get ended);
  check_numbers "in order" [ 2; 4 ] (Option.get !scope);
  check_bool "the other is told" true (noted = [ Planned 4 ]);
  let noted =
    noting_suppressed (fun () ->
        fails_with "the body's is the leftmost" (Planned 0) (fun () ->
            Scope.run ~on_failure:Keep_going (fun s ->
                scope := Some s;
                for n = 1 to 5 do
                  task s n
                done;
                planned 0 ())))
  in
  check_int "all ran" 10 (Atomic.get ended);
  check_numbers "in order" [ 0; 2; 4 ] (Option.get !scope);
  check_bool "the others are told" true (List.sort compare noted = [ Planned 2; Planned 4 ]);
  (* Cancelling ends it all the same. *)
  is_cancelled "cancelled" "the scope was cancelled" (fun () ->
      soon "cancelled" (fun () ->
          Scope.run ~on_failure:Keep_going (fun s ->
              ignore (Scope.async s sleep_long);
              ignore (Scope.async s (fun () -> Scope.cancel s));
              sleep_long ())))

let failures_in_order () =
  in_each_size @@ fun () ->
  let scope = ref None in
  let barrier = Atomic.make 0 in
  let stubborn n () =
    Cancel.shield (fun () ->
        Atomic.incr barrier;
        wait_until (fun () -> Atomic.get barrier = 6);
        if n < 6 then Weft.sleep (0.0005 *. float n));
    planned n ()
  in
  (match
     Scope.run (fun s ->
         scope := Some s;
         for n = 1 to 6 do
           ignore (Scope.async s (stubborn n))
         done;
         wait_until (fun () -> Atomic.get barrier = 6))
   with
  | () -> Alcotest.fail "no failure"
  | exception Planned n -> check_bool "one of them" true (n >= 1 && n <= 6));
  check_numbers "all of them" [ 1; 2; 3; 4; 5; 6 ] (Option.get !scope);
  (* The first in time is raised. *)
  fails_with "the first in time" (Planned 2) (fun () ->
      Scope.run (fun s ->
          let failed = Promise.create () in
          ignore
            (Scope.async s (fun () ->
                 Cancel.shield (fun () -> Weft.await failed);
                 Cancel.shield (fun () -> Weft.sleep 0.002);
                 planned 1 ()));
          ignore
            (Scope.async s (fun () ->
                 Promise.resolve failed ();
                 planned 2 ()));
          ()))

let backtraces () =
  let[@inline never] origin () = if Sys.opaque_identity true then raise (Planned 1) in
  Printexc.record_backtrace true;
  in_each_size @@ fun () ->
  let names text what =
    let found = ref false in
    String.iteri
      (fun i _ -> if i + 9 <= String.length text && String.sub text i 9 = "scopes.ml" then found := true)
      text;
    if not !found then Alcotest.failf "%s: no trace of this file in %S" what text
  in
  let scope = ref None in
  match
    Scope.run (fun s ->
        scope := Some s;
        ignore (Scope.async s origin))
  with
  | () -> Alcotest.fail "no failure"
  | exception Planned 1 ->
      names (Printexc.get_backtrace ()) "raised";
      List.iter
        (fun (_, backtrace) -> names (Printexc.raw_backtrace_to_string backtrace) "failures")
        (Scope.failures (Option.get !scope))

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
          soon what (fun () ->
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
  (* On one domain, tasks do not start before the body waits. *)
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
  (* From inside, nothing can be started any more; from outside, what is started does not run. *)
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
            wait_until (fun () -> Atomic.get waiting = 20);
            Scope.cancel ~reason:"enough" s;
            Cancel.check ()));
    check_bool "no receiver" false (Chan.send_poll c 1);
    check_bool "no sender" true (Chan.recv_poll full = Some 1 && Chan.recv_poll full = None);
    Chan.send full 1
  done

(* --- nesting --- *)

let nested () =
  in_each_size @@ fun () ->
  (* The inner scope's failure is the inner call's. *)
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
  (* The outer one's cancels the inner. *)
  let inside = inside () in
  let rec nest depth () =
    visit inside (fun () ->
        Scope.run (fun s ->
            if depth > 0 then ignore (Scope.async s (nest (depth - 1)));
            sleep_long ()))
  in
  fails_with "the outermost" (Planned 2) (fun () ->
      soon "nested" (fun () ->
          Scope.run (fun s ->
              ignore (Scope.async s (nest 20));
              wait_until (fun () -> visits inside = 21);
              planned 2 ())));
  nobody_inside "all left" inside;
  (* And the innermost one's ends all, if nobody catches it. *)
  let rec nest depth () =
    visit inside (fun () ->
        Scope.run (fun s ->
            ignore (Scope.async s (if depth > 0 then nest (depth - 1) else planned 3));
            sleep_long ()))
  in
  fails_with "from inside" (Planned 3) (fun () -> soon "nested" (nest 20));
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
  (* The same, with a failure somewhere: nobody is left. *)
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
    wait_until (fun () -> visits inside > 0);
    Weft.sleep 0.001;
    planned 1 ()
  in
  let test what f =
    fails_with what (Planned 1) (fun () -> soon what f);
    nobody_inside what inside
  in
  test "left" (fun () -> Weft.par scope fail);
  test "right" (fun () -> Weft.par fail scope);
  test "all" (fun () -> Weft.all [ scope; scope; fail; scope ]);
  test "scope" (fun () ->
      Scope.run (fun s ->
          ignore (Scope.async s scope);
          fail ()));
  times_out "time-out" (fun () -> soon "time-out" (fun () -> Cancel.with_timeout 0.002 scope));
  nobody_inside "time-out" inside

(* --- odd uses --- *)

let closed () =
  let test () =
    let s = Scope.run Fun.id in
    raises_invalid "closed" "Weft.Scope.async: " (fun () -> Scope.async s ignore);
    Scope.cancel s;
    Scope.cancel ~reason:"late" s;
    check_numbers "no failures" [] s;
    Weft.yield ();
    let escaped = ref None in
    fails_with "failed" (Planned 1) (fun () ->
        Scope.run (fun s ->
            escaped := Some s;
            planned 1 ()));
    raises_invalid "closed" "Weft.Scope.async: " (fun () -> Scope.async (Option.get !escaped) ignore);
    check_numbers "failures" [ 1 ] (Option.get !escaped)
  in
  test ();
  in_each_size test;
  (* Open as long as a task runs, though the body has returned. *)
  in_each_size @@ fun () ->
  let ran = ref false in
  Scope.run (fun s ->
      ignore
        (Scope.async s (fun () ->
             Weft.sleep 0.001;
             ignore (Scope.async s (fun () -> ran := true)))));
  check_bool "a late task ran" true !ran

let from_outside () =
  on_each_size @@ fun pool ->
  in_threads 4 (fun i ->
      for k = 1 to 20 do
        let total =
          Pool.run pool (fun () ->
              Scope.run (fun s ->
                  let a = Scope.async s (fun () -> i) in
                  (* A thread gives the scope a task: the scope waits for that too. *)
                  let ran = Atomic.make 0 in
                  Thread.join
                    (Thread.create
                       (fun () ->
                         ignore
                           (Scope.async s (fun () ->
                                Weft.sleep 0.0001;
                                Atomic.incr ran)))
                       ());
                  let b = Scope.async s (fun () -> k) in
                  Weft.await a + Weft.await b))
        in
        check_int "from a thread" (i + k) total
      done);
  let ran = Atomic.make 0 in
  Pool.run pool (fun () ->
      Scope.run (fun s ->
          let add () =
            for _ = 1 to 50 do
              ignore (Scope.async s (fun () -> Atomic.incr ran))
            done
          in
          Domain.join (Domain.spawn add)));
  check_int "from a domain" 50 (Atomic.get ran)

let local_values () =
  let module Task_local = Weft.Local.Task_local in
  let key = Task_local.create ~default:0 in
  in_each_size @@ fun () ->
  let see what v () = check_int what v (Task_local.get key) in
  Task_local.with_value key 1 (fun () ->
      Scope.run (fun s ->
          see "the body" 1 ();
          let a = Scope.async s (see "a task" 1) in
          let b =
            Task_local.with_value key 2 (fun () ->
                Scope.async s (fun () ->
                    see "where it was made" 2 ();
                    Weft.yield ();
                    see "later" 2 ()))
          in
          Task_local.with_value key 3 (fun () ->
              Weft.await a;
              Weft.await b;
              see "the awaiter's" 3 ())));
  see "outside" 0 ()

let pool_closed () =
  (* Fibers that nobody will resume are ended with their scopes when the pool is closed. *)
  List.iter
    (fun domains ->
      let finalised = Atomic.make 0 in
      let pool = Pool.create ~domains () in
      let waits () =
        Fun.protect ~finally:(fun () -> Atomic.incr finalised) (fun () -> Weft.await (Promise.create ()))
      in
      let outcome =
        Pool.async pool (fun () ->
            Scope.run (fun s ->
                ignore (Scope.async s waits);
                ignore (Scope.async s waits);
                waits ()))
      and body_over =
        Pool.async pool (fun () -> Scope.run (fun s -> ignore (Scope.async s waits : unit Weft.promise)))
      in
      Thread.delay 0.005;
      soon "closing" (fun () -> Pool.close pool);
      List.iter
        (fun outcome ->
          match Weft.await outcome with
          | () -> Alcotest.fail "not closed"
          | exception (Pool.Closed _ | Cancel.Cancelled _) -> ())
        [ outcome; body_over ];
      check_bool "finalisers" true (Atomic.get finalised >= 1))
    sizes

let stress () =
  let rounds = if deep < 100_000 then 100 else 400 in
  Pool.with_pool ~domains:8 @@ fun pool ->
  Pool.run pool @@ fun () ->
  let inside = inside () and kinds = Array.make 3 0 in
  for i = 1 to rounds do
    let task s n () =
      visit inside (fun () ->
          spin (i * n * 37 mod 2000);
          match n mod 5 with
          | 0 -> Weft.yield ()
          | 1 -> ignore (fib 7)
          | 2 -> Weft.sleep 1e-5
          | 3 -> ignore (Scope.async s (fun () -> visit inside (fun () -> spin 500)))
          | _ -> if i mod 3 = 0 then planned n ())
    in
    let body s =
      for n = 1 to 10 do
        ignore (Scope.async s (task s n))
      done;
      spin (i * 97 mod 5000);
      if i mod 3 = 1 then Scope.cancel ~reason:"now" s;
      Weft.yield ()
    in
    let on_failure = if i land 1 = 0 then Scope.Cancel_rest else Keep_going in
    (match Scope.run ~on_failure body with
    | () -> kinds.(0) <- kinds.(0) + 1
    | exception Cancel.Cancelled "now" -> kinds.(1) <- kinds.(1) + 1
    | exception Planned (4 | 9) -> kinds.(2) <- kinds.(2) + 1);
    nobody_inside "afterwards" inside
  done;
  check_bool "all kinds of ends" true (Array.for_all (fun n -> n > 0) kinds)

let tests =
  [
    case "a scope waits for all its tasks" waits_for_all;
    case "whatever happens" waits_whatever_happens;
    case "promises of tasks" results;
    case "the first failure cancels the rest" first_cancels_rest;
    case "a failure counts whether or not it is awaited" nobody_need_await;
    case "or all go on, and the leftmost failure counts" keep_going;
    case "all failures can be reached, in order" failures_in_order;
    case "failures keep their backtraces" backtraces;
    case "whoever has a scope can cancel it" cancelled_from_anywhere;
    case "tasks that have not started are dropped" not_started_are_dropped;
    case "a body that returns all the same" all_the_same;
    case "cancelled tasks leave the queues they wait in" leave_queues;
    case "scopes in scopes" nested;
    case "scopes among forks and loops" among_forks_and_loops;
    case "a scope ends with the call around it" cancelled_from_around;
    case "a closed scope is closed" closed;
    case "threads and domains start tasks" from_outside;
    case "tasks see what was bound where they were made" local_values;
    case "closing a pool ends the scopes that wait in it" pool_closed;
    case "many scopes, failures and requests" stress;
  ]
