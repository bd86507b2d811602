(* Weft reports nothing that the program has cancelled, whatever waits when a time-out ends it, and nothing
   that the program has handled. *)

open Support
module Cancel = Weft.Cancel
module Promise = Weft.Promise
module Scope = Weft.Scope

exception Failed

let long () = Weft.sleep 3600.
let two start = List.init 2 (fun _ -> start long)

(* Each never ends by itself, and waits for tasks of a scope. *)
let waits_for_tasks =
  [
    ("a task", fun start -> Weft.await (start long));
    ("map", fun start -> Weft.await (Promise.map Fun.id (start long)));
    ("both", fun start -> ignore (Weft.await (Promise.both (start long) (start long))));
    ("all", fun start -> ignore (Weft.await (Promise.all (two start))));
    ("any", fun start -> Weft.await (Promise.any (two start)));
    ("race", fun start -> Weft.await (Promise.race (two start)));
    ( "a dropped task",
      fun start ->
        ignore (start long);
        long () );
    ( "a dropped map",
      fun start ->
        ignore (Promise.map Fun.id (start long));
        long () );
    ( "a dropped race",
      fun start ->
        ignore (Promise.race (two start));
        long () );
    ( "tasks that a task has started",
      fun start ->
        Weft.await
          (start (fun () ->
               ignore (Weft.async ignore);
               Weft.await (start long))) );
    ( "a scope of a task",
      fun start -> Weft.await (start (fun () -> Scope.run (fun s -> Weft.await (Scope.async s long)))) );
    ("a select", fun start -> Weft.Select.(select [ await (start long) Fun.id; timeout 3600. ignore ]));
    ( "a channel that a task is to fill",
      fun start ->
        let c = Weft.Chan.bounded 0 in
        ignore
          (start (fun () ->
               long ();
               Weft.Chan.send c ()));
        Weft.Chan.recv c );
    ( "a lock that a task holds",
      fun start ->
        let m = Weft.Mutex.create () and held = Promise.create () in
        ignore
          (start (fun () ->
               Weft.Mutex.protect m (fun () ->
                   Promise.resolve held ();
                   long ())));
        Weft.await held;
        Weft.Mutex.lock m );
    ( "a once that a task computes",
      fun start ->
        let once = Weft.Once.make long in
        ignore (start (fun () -> Weft.Once.get once));
        Weft.Once.get once );
    ( "a limit that a task is in",
      fun start ->
        let limit = Weft.Limit.create 1 and inside = Promise.create () in
        ignore
          (start (fun () ->
               Weft.Limit.run limit (fun () ->
                   Promise.resolve inside ();
                   long ())));
        Weft.await inside;
        Weft.Limit.run limit ignore );
  ]

let only_long _ = long ()

(* Forks, loops, and every operation that may wait, none of which ever succeeds. *)
let other_waits =
  [
    ("par", fun () -> ignore (Weft.par long long));
    ("par3", fun () -> ignore (Weft.par3 long long long));
    ("all of a list", fun () -> ignore (Weft.all [ long; long; long ]));
    ("all_settled", fun () -> ignore (Weft.all_settled [ long; long ]));
    ("a loop", fun () -> Weft.parallel_for ~start:1 ~finish:3 ~body:only_long ());
    ("a reduction", fun () -> Weft.parallel_for_reduce ~start:1 ~finish:3 ~body:only_long (fun () () -> ()) ());
    ( "a search",
      fun () ->
        ignore
          (Weft.parallel_find ~start:1 ~finish:3
             ~body:(fun _ ->
               long ();
               Some ())
             ()) );
    ("a map", fun () -> ignore (Weft.Array.map only_long [| 1; 2; 3 |]));
    ("a map of a list", fun () -> ignore (Weft.List.map only_long [ 1; 2; 3 ]));
    ("a sequence", fun () -> Weft.Seq.iter only_long (Weft.Seq.of_array [| 1; 2; 3 |]));
    ( "a pipeline",
      fun () -> Weft.pipeline (fun () -> Some 1) Weft.Stage.(parallel Fun.id >>> in_order only_long) );
    ("a promise", fun () -> Weft.await (Promise.create ()));
    ( "a blocking call",
      fun () ->
        Weft.blocking (fun () -> Unix.sleepf 0.01);
        long () );
    ("a receive", fun () -> Weft.Chan.recv (Weft.Chan.bounded 1));
    ("a send", fun () -> Weft.Chan.send (Weft.Chan.bounded 0) ());
    ("a semaphore", fun () -> Weft.Semaphore.(acquire (create 0)));
    ( "a condition",
      fun () ->
        let m = Weft.Mutex.create () in
        Weft.Mutex.protect m (fun () -> Weft.Condition.(wait (create ()) m)) );
    ("an ivar", fun () -> Weft.Ivar.(read (create ())));
    ("an mvar", fun () -> Weft.Mvar.(take (create ())));
    ("a latch", fun () -> Weft.Latch.(wait (create 1)));
    ("a barrier", fun () -> ignore Weft.Barrier.(wait (create 2)));
    ("another pool", fun () -> Weft.Pool.with_pool ~domains:1 (fun pool -> Weft.Pool.run pool long));
    ( "yields",
      fun () ->
        while true do
          Weft.yield ()
        done );
  ]

let waits = waits_for_tasks @ List.map (fun (what, wait) -> (what, fun _ -> wait ())) other_waits

(* What is reported while [f] runs, in pools that are closed afterwards. *)
let reported_by f =
  with_reports ~own:(function Planned _ -> false | _ -> true) @@ fun reports ->
  let before = List.length (reports ()) in
  on_each_size (fun pool -> Weft.Pool.run pool f);
  let all = reports () in
  List.filteri (fun i _ -> i < List.length all - before) all

let check_silent what f =
  match reported_by f with
  | [] -> ()
  | exn :: _ as all ->
      Alcotest.failf "%s: reported %d times: %s" what (List.length all) (Printexc.to_string exn)

let after_a_time_out () =
  let timed_out wait () =
    match Cancel.with_timeout 0.005 (fun () -> Scope.run (fun s -> wait (fun f -> Scope.async s f))) with
    | () -> Alcotest.fail "it was not ended"
    | exception Cancel.Timeout -> ()
  in
  List.iter (fun (what, wait) -> check_silent what (timed_out wait)) waits

let after_a_cancellation () =
  let cancelled wait () =
    let token = Cancel.create () in
    let is_in = Promise.create () in
    let task =
      Weft.async (fun () ->
          Cancel.within token (fun () ->
              Scope.run (fun s ->
                  ignore (Promise.try_resolve is_in ());
                  wait (fun f -> Scope.async s f))))
    in
    Weft.await is_in;
    Cancel.cancel token;
    match Weft.await task with () -> Alcotest.fail "it was not ended" | exception Cancel.Cancelled _ -> ()
  in
  List.iter (fun (what, wait) -> check_silent what (cancelled wait)) waits

(* --- what the program has handled --- *)

let fails () = raise Failed
let failing () = Weft.async fails
let handles f () = match f () with _ -> Alcotest.fail "nothing was raised" | exception Failed -> ()

let after_a_failure_that_is_handled () =
  List.iter
    (fun (what, f) -> check_silent what f)
    [
      ("a task", handles (fun () -> Weft.await (failing ())));
      ( "a task, awaited twice",
        fun () ->
          let p = failing () in
          handles (fun () -> Weft.await p) ();
          handles (fun () -> Weft.await p) () );
      ( "a task, looked at",
        fun () ->
          let p = failing () in
          yield_until "it has failed" (fun () -> Promise.is_settled p);
          match Promise.peek p with Some (Error (Failed, _)) -> () | _ -> Alcotest.fail "no failure" );
      ("map", handles (fun () -> Weft.await (Promise.map Fun.id (failing ()))));
      ("both", handles (fun () -> Weft.await (Promise.both (failing ()) (failing ()))));
      ("all", handles (fun () -> Weft.await (Promise.all [ failing (); failing () ])));
      ("any", handles (fun () -> Weft.await (Promise.any [ failing (); failing () ])));
      ("any, won", fun () -> Weft.await (Promise.any [ failing (); Promise.of_value () ]));
      ("race", handles (fun () -> Weft.await (Promise.race [ failing (); failing () ])));
      ("race, won", fun () -> Weft.await (Promise.race [ Promise.of_value (); failing () ]));
      ( "a promise that is rejected",
        handles (fun () ->
            let p = Promise.create () in
            Promise.reject p Failed;
            Weft.await p) );
      ("par", handles (fun () -> Weft.par fails fails));
      ("all of a list", handles (fun () -> Weft.all [ fails; fails; ignore ]));
      ("all_settled", fun () -> ignore (Weft.all_settled [ fails; fails; ignore ]));
      ("a loop", handles (fun () -> Weft.parallel_for ~start:1 ~finish:9 ~body:(fun _ -> fails ()) ()));
      ("a map", handles (fun () -> Weft.Array.map (fun _ -> fails ()) [| 1; 2; 3 |]));
      ("a sort", handles (fun () -> Weft.Array.sort (fun _ _ -> fails ()) [| 1; 2; 3 |]));
      ( "a pipeline",
        handles (fun () -> Weft.pipeline (fun () -> Some 1) (Weft.Stage.parallel (fun _ -> fails ()))) );
      ("a scope", handles (fun () -> Scope.run (fun s -> ignore (Scope.async s fails))));
      ( "a scope, awaited inside",
        handles (fun () -> Scope.run (fun s -> handles (fun () -> Weft.await (Scope.async s fails)) ())) );
      ( "a scope that goes on",
        handles (fun () ->
            Scope.run ~on_failure:Keep_going (fun s ->
                ignore (Scope.async s fails);
                ignore (Scope.async s fails))) );
      ("a blocking call", handles (fun () -> Weft.blocking fails));
      ("a limit", handles (fun () -> Weft.Limit.run (Weft.Limit.create 1) fails));
      ("a once", handles (fun () -> Weft.Once.get (Weft.Once.make fails)));
      ("a time-out", handles (fun () -> Cancel.with_timeout 3600. fails));
      ("a shield", handles (fun () -> Cancel.shield fails));
      ( "another pool",
        handles (fun () -> Weft.Pool.with_pool ~domains:1 (fun pool -> Weft.Pool.run pool fails)) );
      ( "a task of another pool",
        handles (fun () ->
            Weft.Pool.with_pool ~domains:1 (fun pool -> Weft.await (Weft.Pool.async pool fails))) );
      ( "a batch",
        let module Toy = Weft_batch.Hash_table.Make (Int) in
        handles (fun () -> Toy.update (Toy.create ()) 1 (fun _ -> fails ())) );
    ]

(* Failures that must be reported all the same. *)
let failures_are_reported () =
  let reported = reported_by (fun () -> ignore (Weft.async (fun () -> raise Failed) : unit Weft.promise)) in
  check_int "once in each pool" (List.length sizes) (List.length (List.filter (( = ) Failed) reported))

let tests =
  [
    case "a time-out leaves nothing to report" after_a_time_out;
    case "a cancellation leaves nothing to report" after_a_cancellation;
    case "a failure that is handled leaves nothing to report" after_a_failure_that_is_handled;
    case "a failure that nobody awaits is reported once" failures_are_reported;
  ]
