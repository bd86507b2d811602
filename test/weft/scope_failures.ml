open Support
open Endings
module Cancel = Weft.Cancel
module Chan = Weft.Chan
module Pool = Weft.Pool
module Promise = Weft.Promise
module Scope = Weft.Scope

(* Calls [f] with the list of what the handler of suppressed exceptions receives. *)
let noting_suppressed f =
  let noted = Atomic.make [] in
  let rec add exn =
    let was = Atomic.get noted in
    if not (Atomic.compare_and_set noted was (exn :: was)) then add exn
  in
  Weft.set_suppressed_handler (fun exn _ -> add exn);
  Fun.protect f ~finally:(fun () -> Weft.set_suppressed_handler (fun _ _ -> ()));
  Atomic.get noted

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
          returns what (fun () ->
              Scope.run (fun s ->
                  scope := Some s;
                  let begun = Atomic.make false in
                  ignore
                    (Scope.async s (fun () ->
                         Atomic.set begun true;
                         Weft.sleep 0.002;
                         planned 3 ()));
                  (* A pool of two domains does not begin a third computation beside two that go on for
                     ever. *)
                  yield_until "the task has begun" (fun () -> Atomic.get begun);
                  ignore (Scope.async s task);
                  ignore (Scope.async s task);
                  sleep_long ())));
      nobody_inside what inside;
      check_int what (visits inside) (Atomic.get cancelled);
      (* The cancellation of others is no failure. *)
      check_numbers what [ 3 ] (Option.get !scope))
    (List.filter (fun (what, _) -> not (busy what)) waits);
  (* The body's failure counts as well. *)
  fails_with "the body" (Planned 4) (fun () ->
      returns "the body" (fun () ->
          Scope.run (fun s ->
              List.iter (fun (what, wait) -> if not (busy what) then ignore (Scope.async s wait)) waits;
              Weft.sleep 0.001;
              planned 4 ())))

exception Unawaited of int

let nobody_need_await () =
  with_reports ~own:(function Unawaited _ -> true | _ -> false) @@ fun reports ->
  let fails n () = raise (Unawaited n) in
  in_each_size (fun () ->
      fails_with "unawaited" (Unawaited 1) (fun () ->
          Scope.run (fun s -> ignore (Scope.async s (fails 1) : unit Weft.promise)));
      (* A failure counts even if it was awaited. *)
      fails_with "caught" (Unawaited 2) (fun () ->
          Scope.run (fun s -> try Weft.await (Scope.async s (fails 2)) with Unawaited 2 -> ()));
      fails_with "awaited" (Unawaited 3) (fun () -> Scope.run (fun s -> Weft.await (Scope.async s (fails 3))));
      match Scope.run ~on_failure:Keep_going (fun s -> Scope.async s (fails 4)) with
      | (_ : unit Weft.promise) -> Alcotest.fail "no failure"
      | exception Unawaited 4 -> ());
  check_int "uncaught" 0 (List.length (reports ()))

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
  (* Cancelling ends the scope all the same. *)
  is_cancelled "cancelled" "the scope was cancelled" (fun () ->
      returns "cancelled" (fun () ->
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
        yield_until "all six run" (fun () -> Atomic.get barrier = 6);
        if n < 6 then Weft.sleep (0.0005 *. float n));
    planned n ()
  in
  (match
     Scope.run (fun s ->
         scope := Some s;
         for n = 1 to 6 do
           ignore (Scope.async s (stubborn n))
         done;
         yield_until "all six run" (fun () -> Atomic.get barrier = 6))
   with
  | () -> Alcotest.fail "no failure"
  | exception Planned n -> check_bool "one of them" true (n >= 1 && n <= 6));
  check_numbers "all of them" [ 1; 2; 3; 4; 5; 6 ] (Option.get !scope);
  (* The failure that comes first in time is raised. *)
  fails_with "the first in time" (Planned 2) (fun () ->
      Scope.run (fun s ->
          let begun = Promise.create () in
          ignore
            (Scope.async s (fun () ->
                 Promise.resolve begun ();
                 (* Until the other's failure ends it. *)
                 (try sleep_long () with Cancel.Cancelled _ -> ());
                 planned 1 ()));
          ignore
            (Scope.async s (fun () ->
                 Weft.await begun;
                 planned 2 ()));
          ()))

let backtraces () =
  let[@inline never] origin () = if Sys.opaque_identity true then raise (Planned 1) in
  Printexc.record_backtrace true;
  in_each_size @@ fun () ->
  let names text what =
    if not (Testing.Text.contains "scope_failures.ml" text) then
      Alcotest.failf "%s: no trace of this file in %S" what text
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

(* What stops the other side of a fork comes here from elsewhere: in a promise, for instance. *)
let echoes_of_others_are_failures () =
  in_each_size @@ fun () ->
  let elsewhere = Promise.create () in
  let waits = Promise.create () in
  let left () =
    Promise.resolve waits ();
    try sleep_long ()
    with exn ->
      Promise.reject elsewhere exn;
      raise exn
  in
  let right () =
    Weft.await waits;
    planned 1 ()
  in
  fails_with "the fork" (Planned 1) (fun () -> ignore (Weft.par left right));
  let fails what f =
    match f () with
    | () -> Alcotest.failf "%s: the failure is forgotten" what
    | exception Cancel.Cancelled _ -> ()
  in
  fails "a task" (fun () -> Scope.run (fun s -> Scope.start s (fun () -> Weft.await elsewhere)));
  fails "the body" (fun () -> Scope.run (fun _ -> Weft.await elsewhere));
  let once = Weft.Once.make (fun () -> Weft.await elsewhere) in
  fails "once" (fun () -> Weft.Once.get once);
  check_bool "once: it is the outcome" true (Weft.Once.is_done once)

let tests =
  [
    case "the first failure cancels the rest" first_cancels_rest;
    case "a failure counts whether or not it is awaited" nobody_need_await;
    case "with keep-going the leftmost failure counts" keep_going;
    case "all failures can be reached, in order" failures_in_order;
    case "failures keep their backtraces" backtraces;
    case "what has stopped another call is a failure" echoes_of_others_are_failures;
  ]
