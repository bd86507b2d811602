open Support
open Effect.Deep
open Effects

(* The first fiber that awaits a task performs the effects that the task does not handle, however the task
   runs. *)

(* Whether [n] tasks of the current pool wait for answers. *)
let ask_now n () =
  let pool = Option.get (Weft.Pool.current ()) in
  let open Weft_scheduler in
  let suspended = (state_of pool).parts.home.suspended in
  let asks e =
    Suspended_fibers.what e = "the answer to an effect" && Suspended_fibers.stack suspended e <> None
  in
  List.length (List.filter asks (Suspended_fibers.waits suspended)) >= n

let until_asks what = yield_until (what ^ " asks") (ask_now 1)

(* [Weft.async]; returns when the task runs in a fiber of its own. *)
let begun f =
  let has_begun = Atomic.make false in
  let p =
    Weft.async (fun () ->
        Atomic.set has_begun true;
        f ())
  in
  yield_until "the task has begun" (fun () -> Atomic.get has_begun);
  p

(* The task is held up until somebody awaits it. *)
let awaited_first f =
  let gate = Weft.Promise.create () in
  let p =
    begun (fun () ->
        Weft.await gate;
        f ())
  in
  let opener =
    Weft.async (fun () ->
        Weft.yield ();
        Weft.yield ();
        Weft.Promise.resolve gate ())
  in
  let v = Weft.await p in
  Weft.await opener;
  v

(* The task is awaited in the middle of C code, that of a collection. (What a finaliser raises is reported; so
   this one keeps it.) *)
let through_c f =
  let p = begun f in
  let result = ref None in
  let[@inline never] leave_garbage () =
    let keep _ =
      if !result = None then result := Some (match Weft.await p with v -> Ok v | exception exn -> Error exn)
    in
    Gc.finalise keep (ref 0)
  in
  leave_garbage ();
  while !result = None do
    Gc.full_major ()
  done;
  match Option.get !result with Ok v -> v | Error exn -> raise exn

let in_pipeline fs =
  let left = ref fs in
  let produce () =
    match !left with
    | [] -> None
    | f :: others ->
        left := others;
        Some f
  in
  Weft.pipeline_to_list produce (Weft.Stage.parallel (fun f -> f ()))

let ways =
  [
    ("at once", { way = (fun f -> Weft.await (Weft.async f)) });
    ("begun", { way = (fun f -> Weft.await (begun f)) });
    ("awaited first", { way = awaited_first });
    ( "by one that may be stopped",
      { way = (fun f -> Weft.Cancel.within (Weft.Cancel.create ()) (fun () -> Weft.await (Weft.async f))) } );
    ( "with something bound",
      {
        way =
          (fun f ->
            let key = Weft.Local.Task_local.create ~default:0 in
            Weft.await (Weft.Local.Task_local.with_value key 1 (fun () -> Weft.async f)));
      } );
    ( "in a limit",
      { way = (fun f -> Weft.Limit.run (Weft.Limit.create 1) (fun () -> Weft.await (Weft.async f))) } );
    ("of a scope", { way = (fun f -> Weft.Scope.run (fun s -> Weft.await (Weft.Scope.async s f))) });
    ( "of a scope, not awaited",
      {
        way =
          (fun f ->
            let p = Weft.Scope.run (fun s -> Weft.Scope.async s f) in
            Weft.await p);
      } );
    ("of a pipeline", { way = (fun f -> List.hd (in_pipeline [ f ])) });
    ("by a task", { way = (fun f -> Weft.await (begun (fun () -> Weft.await (begun f)))) });
    ("mapped", { way = (fun f -> Weft.await (Weft.Promise.map Fun.id (begun f))) });
    ("both", { way = (fun f -> snd (Weft.await (Weft.Promise.both (begun ignore) (begun f)))) });
    ("all", { way = (fun f -> List.hd (Weft.await (Weft.Promise.all [ begun f ]))) });
    ("by a stolen side", { way = (fun f -> stolen (fun () -> Weft.await (begun f))) });
    ("of a stolen side", { way = (fun f -> Weft.await (begun (fun () -> stolen f))) });
  ]

let tasks = Effects.ways (fun _ -> ways)

let continued_twice () =
  tasks.in_each Alcotest.int 7 (fun { way } ->
      let twice k =
        let n = continue k 7 in
        match continue k 8 with _ -> -1 | exception Effect.Continuation_already_resumed -> n
      in
      asked twice (fun () -> way ask))

(* The task is awaited in the middle of C code: only handlers within are found, as in place. *)
let c_frames () =
  in_each_size @@ fun () ->
  check_int "answer" 70 (through_c (fun () -> answering 7 (fun () -> sum_of_asks 10)));
  let p = begun (fun () -> sum_of_asks 10) in
  let result = ref 0 in
  let[@inline never] leave_garbage () =
    Gc.finalise (fun _ -> result := answering 7 (fun () -> Weft.await p)) (ref 0)
  in
  leave_garbage ();
  while !result = 0 do
    Gc.full_major ()
  done;
  check_int "answered within" 70 !result;
  match answering 7 (fun () -> through_c ask) with
  | _ -> Alcotest.fail "a handler beneath C code was asked"
  | exception Effect.Unhandled Ask -> ()

(* --- several awaiters --- *)

(* The second awaiter comes between two effects that the first answers. *)
let first_answers () =
  in_each_size @@ fun () ->
  let answered = Atomic.make 0 and second_has_come = Atomic.make false in
  let task =
    begun (fun () ->
        let before = ask () in
        yield_until "the second has come" (fun () -> Atomic.get second_has_come);
        let rec more n =
          if n = 0 then []
          else (
            Weft.yield ();
            let v = ask () in
            v :: more (n - 1))
        in
        before :: more 20)
  in
  let first =
    begun (fun () ->
        asked
          (fun k ->
            Atomic.incr answered;
            continue k 1)
          (fun () -> Weft.await task))
  in
  yield_until "the first has answered" (fun () -> Atomic.get answered = 1);
  let second =
    begun (fun () ->
        Atomic.set second_has_come true;
        answering 2 (fun () -> Weft.await task))
  in
  let expected = List.init 21 (fun _ -> 1) in
  Alcotest.(check (list int)) "the first" expected (Weft.await first);
  Alcotest.(check (list int)) "the second" expected (Weft.await second);
  Alcotest.(check (list int)) "later" expected (answering 3 (fun () -> Weft.await task))

(* The first awaiter may not run the task, since it may be stopped, and waits. The second comes next: it
   must not run the task either. *)
let first_of_unbegun () =
  on 1 @@ fun () ->
  Testing.Watchdog.until_undisturbed "the second comes while the first waits, and the task has not begun"
  @@ fun () ->
  let ready = Weft.Promise.create () and fiber = ref None and has_begun = ref false in
  let task =
    Weft.async (fun () ->
        has_begun := true;
        ask ())
  in
  let first =
    Weft.async (fun () ->
        fiber := Some (Weft_scheduler.Context.current ()).fiber;
        Weft.Cancel.within (Weft.Cancel.create ()) (fun () ->
            Weft.Promise.resolve ready ();
            answering 1 (fun () -> Weft.await task)))
  in
  Weft.await ready;
  let waits = match !fiber with Some { state = Suspended _; _ } -> true | _ -> false in
  let undisturbed = waits && not !has_begun in
  let by_second = answering 2 (fun () -> Weft.await task) in
  let by_first = Weft.await first in
  check_int "the same" by_first by_second;
  if undisturbed then begin
    check_int "the first" 1 by_first;
    Ok ()
  end
  else Error (Printf.sprintf "the first waits: %b, the task has begun: %b" waits !has_begun)

(* The first awaiter is cancelled, while it waits or while it answers: the next one answers. *)
let first_is_cancelled () =
  in_each_size @@ fun () ->
  List.iter
    (fun while_it_answers ->
      let token = Weft.Cancel.create () and answered = Atomic.make false in
      let task =
        begun (fun () ->
            let before = ask () in
            let after = ask () in
            (before, after))
      in
      let answer k =
        if while_it_answers then Weft.Cancel.cancel token;
        Atomic.set answered true;
        continue k 1
      in
      let first =
        begun (fun () ->
            Weft.Cancel.within token (fun () ->
                (* It answers once. *)
                let more = ref true in
                asked
                  (fun k ->
                    if !more then begin
                      more := false;
                      answer k
                    end
                    else begin
                      Weft.Cancel.cancel token;
                      continue k 1
                    end)
                  (fun () -> Weft.await task)))
      in
      (match Weft.await first with
      | before, after -> check "it had its answers before the end" ((before, after) = (1, 1))
      | exception Weft.Cancel.Cancelled _ -> ());
      check "answered" (Atomic.get answered);
      let before, after = answering 2 (fun () -> Weft.await task) in
      check_int "before" 1 before;
      check "after" (after = 1 || after = 2))
    [ true; false ]

(* An answer that comes when the awaiter is cancelled still reaches the task; another awaiter answers the
   next effect. *)
let answers_last () =
  in_each_size @@ fun () ->
  let token = Weft.Cancel.create () in
  let task =
    begun (fun () ->
        let before = ask () in
        (before, ask ()))
  in
  let first =
    begun (fun () ->
        Weft.Cancel.within token (fun () ->
            asked
              (fun k ->
                Weft.Cancel.cancel token;
                continue k 1)
              (fun () -> Weft.await task)))
  in
  (match Weft.await first with _ -> Alcotest.fail "not cancelled" | exception Weft.Cancel.Cancelled _ -> ());
  let before, after = answering 2 (fun () -> Weft.await task) in
  check_int "before" 1 before;
  check_int "after" 2 after

(* --- ends of a task that asks --- *)

let task_is_cancelled () =
  in_each_size @@ fun () ->
  let ended = Atomic.make false in
  match
    Weft.Scope.run (fun s ->
        let task =
          Weft.Scope.async s (fun () ->
              match ask () with
              | _ -> Alcotest.fail "answered"
              | exception (Weft.Cancel.Cancelled _ as exn) ->
                  Atomic.set ended true;
                  raise exn)
        in
        until_asks "the task";
        Weft.Scope.cancel s;
        ignore (Weft.await task))
  with
  | () -> Alcotest.fail "not cancelled"
  | exception Weft.Cancel.Cancelled _ -> check "ended" (Atomic.get ended)

(* The task is cancelled while its awaiter is about to answer: it does not wait for the answer, which is
   dropped. *)
let cancelled_meanwhile () =
  in_each_size @@ fun () ->
  let ended = Atomic.make false and token = Weft.Cancel.create () in
  let task =
    begun (fun () ->
        Weft.Cancel.within token (fun () ->
            match ask () with
            | n -> n
            | exception (Weft.Cancel.Cancelled _ as exn) ->
                Atomic.set ended true;
                raise exn))
  in
  let answer k =
    Weft.Cancel.cancel token;
    yield_until "the task has ended" (fun () -> Atomic.get ended);
    continue k 7
  in
  match asked answer (fun () -> Weft.await task) with
  | _ -> Alcotest.fail "not cancelled"
  | exception Weft.Cancel.Cancelled _ -> ()

let ends_with_its_pool () =
  List.iter
    (fun domains ->
      let task =
        Weft.Pool.with_pool ~domains @@ fun pool ->
        Weft.Pool.run pool (fun () ->
            let task = Weft.async ask in
            until_asks "the task";
            task)
      in
      unhandled "with its pool" "nobody awaits" (fun () -> Weft.await task))
    sizes

(* The handler has dropped the computation that awaited the task. *)
let dropped_ends_with_its_pool () =
  List.iter
    (fun domains ->
      let task =
        Weft.Pool.with_pool ~domains @@ fun pool ->
        Weft.Pool.run pool (fun () ->
            let task = begun ask in
            asked (fun _ -> 0) (fun () -> Weft.await task) |> ignore;
            task)
      in
      unhandled "with its pool" "nobody awaits" (fun () -> Weft.await task))
    sizes

(* A task that nobody can await any more. *)
let is_garbage () =
  in_each_size @@ fun () ->
  let begun = Atomic.make false and ended = Atomic.make None in
  let task () =
    Atomic.set begun true;
    match ask () with _ -> Alcotest.fail "answered" | exception exn -> Atomic.set ended (Some exn)
  in
  (* On one domain, the worker that computes hands the task over, and must not keep it. *)
  let[@inline never] start () =
    ignore (Weft.async task);
    while not (Atomic.get begun) do
      ignore (fib 10 : int)
    done
  in
  start ();
  yield_until "the task has ended" (fun () ->
      Gc.full_major ();
      Atomic.get ended <> None);
  unhandled "as garbage" "nobody awaits" (fun () -> raise (Option.get (Atomic.get ended)))

type _ Effect.t += Unanswered : int Effect.t

let is_reported () =
  with_reports ~own:(function Effect.Unhandled Unanswered -> true | _ -> false) @@ fun reports ->
  ( on 2 @@ fun () ->
    ignore (Weft.async (fun () -> ignore (Effect.perform Unanswered)));
    until_asks "the task" );
  match reports () with
  | [ exn ] ->
      let message = Printexc.to_string exn in
      check message (Testing.Text.contains "nobody awaits" message)
  | reports -> Alcotest.failf "%d reports" (List.length reports)

let deadlock () =
  Testing_pools.Deadlocks.detecting @@ fun () ->
  List.iter
    (fun domains ->
      let stuck () =
        let p = Weft.Promise.create () in
        answering 7 (fun () ->
            let task = Weft.async (fun () -> Weft.Promise.resolve p (ask ())) in
            let n = Weft.await p in
            Weft.await task;
            n)
      in
      match on domains stuck with
      | _ -> Alcotest.fail "no deadlock"
      | exception Weft.Deadlock.Deadlock { fibers; _ } ->
          Alcotest.(check (list string))
            "who waits"
            [ "Weft.await"; "the answer to an effect" ]
            (List.sort compare (List.map (fun (f : Weft.Deadlock.fiber) -> f.waits_for) fibers)))
    sizes

(* --- scopes --- *)

let end_of_scope () =
  in_each_size @@ fun () ->
  let n = 50 in
  let (), sum =
    adding (fun () ->
        Weft.Scope.run (fun s ->
            for i = 1 to n do
              ignore
                (Weft.Scope.async s (fun () ->
                     Effect.perform (Add i);
                     Weft.yield ();
                     (* The task is perhaps started after the body has ended. *)
                     ignore (Weft.Scope.async s (fun () -> Effect.perform (Add i)));
                     Effect.perform (Add i)))
            done))
  in
  check_int "sum" (3 * n * (n + 1) / 2) sum

(* A handler installed only inside the body is not there at the end. *)
let handled_in_the_body () =
  in_each_size @@ fun () ->
  match
    Weft.Scope.run (fun s -> answering 7 (fun () -> ignore (Weft.Scope.async s (fun () -> ignore (ask ())))))
  with
  | () -> Alcotest.fail "answered"
  | exception Effect.Unhandled Ask -> ()

(* --- awaiters that do not answer --- *)

let refused_outside () =
  List.iter
    (fun domains ->
      Weft.Pool.with_pool ~domains @@ fun pool ->
      let outside what f = unhandled what "around Weft.run" (fun () -> answering 7 f) in
      outside "awaited outside" (fun () -> Weft.await (Weft.Pool.async pool ask));
      outside "by the task of a run" (fun () -> Weft.Pool.run pool (fun () -> Weft.await (begun ask)));
      outside "asks before it is awaited outside" (fun () ->
          let task = Weft.Pool.async pool ask in
          Weft.Pool.run pool (fun () -> until_asks "the task");
          Weft.await task);
      Weft.run (fun () ->
          outside "run from another pool" (fun () -> Weft.Pool.run pool ask);
          check_int "awaited from another pool" 7
            (answering 7 (fun () -> Weft.await (Weft.Pool.async pool ask)))))
    sizes

let refused_by_races () =
  in_each_size @@ fun () ->
  let unsettled = Weft.Promise.create () in
  let refused what f = unhandled what "Promise.race" (fun () -> answering 7 f) in
  List.iter
    (fun prepare ->
      let task () =
        let p = begun ask in
        prepare ();
        p
      in
      refused "race" (fun () -> Weft.await (Weft.Promise.race [ task (); unsettled ]));
      refused "any" (fun () -> Weft.await (Weft.Promise.any [ task () ]));
      refused "select" (fun () -> Weft.Select.(select [ await (task ()) Fun.id; await unsettled Fun.id ])))
    [ ignore; (fun () -> until_asks "the task") ];
  let p = Weft.async ask in
  let race = Weft.Promise.race [ p; unsettled ] in
  refused "await after a race" (fun () -> Weft.await p);
  refused "that race" (fun () -> Weft.await race)

(* --- anything inside anything --- *)

type program =
  | Give of int
  | Pipeline of program list
  | Par of program * program
  | Task of program
  | Scope of program list
  | Loop of program list

let rec programs depth state : program =
  let int n = Random.State.int state n in
  let sub () = programs (depth - 1) state in
  if depth = 0 then Give (1 + int 9)
  else
    match int 6 with
    | 5 -> Pipeline (List.init (int 4) (fun _ -> sub ()))
    | 0 -> Give (1 + int 9)
    | 1 -> Par (sub (), sub ())
    | 2 -> Task (sub ())
    | 3 -> Scope (List.init (int 4) (fun _ -> sub ()))
    | _ -> Loop (List.init (int 4) (fun _ -> sub ()))

let rec total = function
  | Give n -> n
  | Par (p, q) -> total p + total q
  | Task p -> total p
  | Scope ps | Loop ps | Pipeline ps -> List.fold_left (fun sum p -> sum + total p) 0 ps

let rec execute = function
  | Pipeline ps -> ignore (in_pipeline (List.map (fun p () -> execute p) ps))
  | Give n ->
      Effect.perform (Add n);
      if n mod 3 = 0 then Weft.yield ()
  | Par (p, q) -> ignore (Weft.par (fun () -> execute p) (fun () -> execute q))
  | Task p ->
      let p = Weft.async (fun () -> execute p) in
      Weft.yield ();
      Weft.await p
  | Scope ps ->
      Weft.Scope.run (fun s ->
          let tasks = List.map (fun p -> Weft.Scope.async s (fun () -> execute p)) ps in
          List.iteri (fun i p -> if i mod 2 = 0 then Weft.await p) tasks)
  | Loop ps ->
      let ps = Array.of_list ps in
      Weft.parallel_for ~start:0 ~finish:(Array.length ps - 1) ~body:(fun i -> execute ps.(i)) ()

let all_together () =
  let state = Random.State.make [| 25 |] in
  in_each_size @@ fun () ->
  for _ = 1 to Testing.Effort.count ~quick:30 ~usual:300 ~long:3000 do
    let p = programs 5 state in
    check_int "sum" (total p) (snd (adding (fun () -> execute p)))
  done

let tests =
  handled ~parts:"tasks" ~caller:"awaiter" tasks
  @ [
      case "a computation is not continued twice" continued_twice;
      case "awaited in the middle of C code" c_frames;
      case "of several, the first that awaits answers" first_answers;
      case "the first that awaits an unbegun task answers" first_of_unbegun;
      case "the next, once the first is cancelled" first_is_cancelled;
      case "a cancelled awaiter's last answer counts" answers_last;
      case "a task that asks can be cancelled" task_is_cancelled;
      case "a task can be cancelled while it is answered" cancelled_meanwhile;
      case "a task that nobody awaits ends with its pool" ends_with_its_pool;
      case "a task whose awaiter was dropped ends with its pool" dropped_ends_with_its_pool;
      case "a task that nobody can await any more ends" is_garbage;
      case "a task that nobody can await is reported once" is_reported;
      case "a deadlock tells of a task that waits for an answer" deadlock;
      case "the end of a scope answers" end_of_scope;
      case "a handler inside the body does not answer at the scope's end" handled_in_the_body;
      case "handlers outside of the pool see no effect" refused_outside;
      case "handlers around a race see no effect" refused_by_races;
      case "tasks, forks, loops and scopes in each other" all_together;
    ]
