(* Nothing is reported of what the program has cancelled: whatever waits when a time-out ends it. *)

open Support
module Cancel = Weft.Cancel
module Promise = Weft.Promise
module Scope = Weft.Scope

exception Failed

let long () = Weft.sleep 3600.
let two start = List.init 2 (fun _ -> start long)

(* Each never ends by itself, and waits for tasks of a scope. *)
let waits =
  [
    ("a task", fun start -> Weft.await (start long));
    ("map", fun start -> Weft.await (Promise.map Fun.id (start long)));
    ("both", fun start -> ignore (Weft.await (Promise.both (start long) (start long))));
    ("all", fun start -> ignore (Weft.await (Promise.all (two start))));
    ("any", fun start -> Weft.await (Promise.any (two start)));
    ("race", fun start -> Weft.await (Promise.race (two start)));
    ("par", fun _ -> ignore (Weft.par long long));
    ("a loop", fun _ -> Weft.parallel_for ~start:1 ~finish:3 ~body:(fun _ -> long ()) ());
    ( "a dropped task",
      fun start ->
        ignore (start long);
        long () );
    ( "a dropped map",
      fun start ->
        ignore (Promise.map Fun.id (start long));
        long () );
  ]

(* What is reported while [f] runs, in pools that are closed at their ends. *)
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

(* What the silence must not swallow. *)
let failures_are_reported () =
  let reported = reported_by (fun () -> ignore (Weft.async (fun () -> raise Failed) : unit Weft.promise)) in
  check_int "once in each pool" (List.length sizes) (List.length (List.filter (( = ) Failed) reported))

let tests =
  [
    case "a time-out leaves nothing to report" after_a_time_out;
    case "a cancellation leaves nothing to report" after_a_cancellation;
    case "a failure that nobody awaits is reported once" failures_are_reported;
  ]
