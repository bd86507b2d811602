open Support
open Endings
module Cancel = Weft.Cancel
module Chan = Weft.Chan
module Pool = Weft.Pool
module Promise = Weft.Promise
module Scope = Weft.Scope

let never () : int Promise.t = Promise.create ()
let upto n body = Weft.parallel_for ~start:1 ~finish:n ~body ()
let count f n = Weft.parallel_for_reduce ~start:1 ~finish:n ~body:f ( + ) 0

(* --- the points at which requests take effect --- *)

let points =
  let ones = Array.make 1000 1 in
  let some_list = List.init 1000 Fun.id in
  [
    ("check", Cancel.check);
    ("yield", Weft.yield);
    ("par", fun () -> ignore (Weft.par Fun.id Fun.id));
    ("async", fun () -> ignore (Weft.async Fun.id));
    ("all", fun () -> ignore (Weft.all [ Fun.id; Fun.id ]));
    ("sleep", sleep_long);
    ("sleep 0", fun () -> Weft.sleep 0.);
    ("await", fun () -> ignore (Weft.await (never ())));
    ("recv", fun () -> Chan.recv (Chan.unbounded ()));
    ("send", fun () -> Chan.send (Chan.bounded 0) 1);
    ("select", fun () -> Weft.Select.(select [ recv (Chan.unbounded ()) Fun.id; timeout long Fun.id ]));
    ("the tasks of a scope", fun () -> Scope.run (fun s -> ignore (Scope.async s sleep_long)));
    ("parallel_for", fun () -> upto 1000 ignore);
    ("parallel_for_reduce", fun () -> ignore (count Fun.id 1000));
    ("parallel_for_blocks", fun () -> Weft.parallel_for_blocks ~start:1 ~finish:1000 ~body:(fun _ _ -> ()) ());
    ( "parallel_for_reduce_blocks",
      fun () -> ignore (Weft.parallel_for_reduce_blocks ~start:1 ~finish:1000 ~body:( + ) ( + ) 0) );
    ("parallel_scan", fun () -> ignore (Weft.parallel_scan ( + ) ones));
    ("parallel_find", fun () -> ignore (Weft.parallel_find ~start:1 ~finish:1000 ~body:(fun _ -> None) ()));
    ( "parallel_find_first",
      fun () -> ignore (Weft.parallel_find_first ~start:1 ~finish:1000 ~body:(fun _ -> None) ()) );
    ("Array.map", fun () -> ignore (Weft.Array.map succ ones));
    ("Array.filter", fun () -> ignore (Weft.Array.filter (fun x -> x > 0) ones));
    ("List.map", fun () -> ignore (Weft.List.map succ some_list));
    ("Seq.sum", fun () -> ignore (Weft.Seq.sum (Weft.Seq.of_range 1 1000)));
  ]

let each_point_notices () =
  in_each_size @@ fun () ->
  let test (what, point) =
    let token = Cancel.create () in
    is_cancelled what "why" (fun () ->
        returns what (fun () ->
            Cancel.within token (fun () ->
                Cancel.cancel ~reason:"why" token;
                point ())));
    Cancel.check ()
  in
  List.iter test points

let requests_stay () =
  in_each_size @@ fun () ->
  let token = Cancel.create () in
  is_cancelled "the call" "why" (fun () ->
      Cancel.within token (fun () ->
          Cancel.cancel ~reason:"why" token;
          for _ = 1 to 3 do
            List.iter (fun (what, point) -> is_cancelled what "why" (fun () -> returns what point)) points
          done;
          Cancel.check ()));
  (* The cancellation ends with the call. *)
  Cancel.check ();
  check_int "afterwards" (fib_of 12) (fib 12);
  upto 100 ignore

let waits_end () =
  (* Fibers that wait already when the request comes. *)
  let c = Chan.unbounded () and full = Chan.bounded 1 and p = never () in
  Chan.send full 0;
  let waits =
    [
      ("await", fun () -> ignore (Weft.await p));
      ("sleep", sleep_long);
      ("recv", fun () -> Chan.recv c);
      ("send", fun () -> Chan.send full 1);
      ("scope", fun () -> Scope.run (fun s -> ignore (Scope.async s sleep_long)));
      ("par", fun () -> ignore (Weft.par sleep_long sleep_long));
      ("right side", fun () -> ignore (Weft.par Fun.id sleep_long));
      ("loop", fun () -> upto 4 (fun _ -> sleep_long ()));
      ( "reduce",
        fun () ->
          ignore
            (count
               (fun _ ->
                 sleep_long ();
                 1)
               4) );
      ("another pool", fun () -> Weft.run ~domains:1 sleep_long);
    ]
  in
  in_each_size @@ fun () ->
  List.iter
    (fun (what, wait) ->
      let token = Cancel.create () and inside = inside () in
      is_cancelled what "late" (fun () ->
          returns what (fun () ->
              Weft.par
                (fun () -> Cancel.within token (fun () -> visit inside wait))
                (fun () ->
                  yield_until "a call is inside" (fun () -> visits inside > 0);
                  Weft.sleep 0.002;
                  Cancel.cancel ~reason:"late" token)));
      nobody_inside what inside)
    waits;
  check_bool "no receiver is left" true (Chan.send_poll c () && Chan.recv_poll c = Some ());
  check_bool "no sender is left" true (Chan.recv_poll full = Some 0 && Chan.recv_poll full = None);
  Chan.send full 0

(* This holds in a pool of one domain, too, where [par] does not fork. *)
let sorts_notice () =
  in_each_size @@ fun () ->
  let token = Cancel.create () and compared = Atomic.make 0 and n = 100_000 in
  let order x y =
    Atomic.incr compared;
    Cancel.cancel ~reason:"why" token;
    compare x y
  in
  is_cancelled "Array.sort" "why" (fun () ->
      Cancel.within token (fun () -> Weft.Array.sort order (Array.init n (fun i -> i * 7919 mod n))));
  (* Each worker ends the part that it sorts; a whole sort makes at least 15 n comparisons (log2 of n!). *)
  check_bool "before its half" true (Atomic.get compared < 7 * n)

(* --- tokens --- *)

let tokens () =
  let t = Cancel.create () in
  check_bool "fresh" false (Cancel.is_cancelled t);
  check_bool "no reason" true (Cancel.reason t = None);
  Cancel.cancel ~reason:"first" t;
  Cancel.cancel ~reason:"second" t;
  Cancel.cancel t;
  check_bool "cancelled" true (Cancel.is_cancelled t && Cancel.reason t = Some "first");
  let unnamed = Cancel.create () in
  Cancel.cancel unnamed;
  check_bool "default" true (Cancel.reason unnamed = Some "cancelled");
  let test () =
    let called = ref false in
    is_cancelled "too late" "first" (fun () -> Cancel.within t (fun () -> called := true));
    check_bool "is not called" false !called;
    check_int "a result" 3 (Cancel.within (Cancel.create ()) (fun () -> 3));
    fails_with "an exception" Exit (fun () -> Cancel.within (Cancel.create ()) (fun () -> raise Exit));
    let ignored = Cancel.create () in
    let all_the_same () =
      Cancel.cancel ignored;
      (try Cancel.check () with Cancel.Cancelled _ -> ());
      4
    in
    check_int "returns all the same" 4 (Cancel.within ignored all_the_same);
    let other = Cancel.create () in
    (* The cancelled call raises, and the call around it does not. *)
    Cancel.within other (fun () ->
        let inner = Cancel.create () in
        is_cancelled "inner" "i" (fun () ->
            Cancel.within inner (fun () ->
                Cancel.cancel ~reason:"i" inner;
                Weft.yield ()));
        Weft.yield ())
  in
  test ();
  in_each_size test

let many_calls_one_token () =
  in_each_size @@ fun () ->
  let token = Cancel.create () and inside = inside () and cancelled = Atomic.make 0 in
  let task () =
    match Cancel.within token (fun () -> visit inside sleep_long) with
    | () -> ()
    | exception Cancel.Cancelled "all" -> Atomic.incr cancelled
  in
  returns "a thousand calls" (fun () ->
      Scope.run (fun s ->
          for _ = 1 to 1000 do
            ignore (Scope.async s task)
          done;
          yield_until "a thousand calls are inside" (fun () -> visits inside = 1000);
          Cancel.cancel ~reason:"all" token));
  check_int "cancelled" 1000 (Atomic.get cancelled)

let from_anywhere () =
  let by_signal token =
    let before = Sys.signal Sys.sigusr1 (Signal_handle (fun _ -> Cancel.cancel ~reason:"why" token)) in
    Unix.kill (Unix.getpid ()) Sys.sigusr1;
    Thread.delay 0.001;
    (* Handlers run where code of OCaml runs, in this thread or another one. *)
    wait_until "the handler has cancelled" (fun () -> Cancel.is_cancelled token);
    Sys.set_signal Sys.sigusr1 before
  in
  let cancel token = Cancel.cancel ~reason:"why" token in
  let ways =
    [
      ("a thread", fun token -> Thread.join (Thread.create cancel token));
      ("a domain", fun token -> Domain.join (Domain.spawn (fun () -> cancel token)));
      ("a signal handler", by_signal);
      ("a pool", fun token -> Weft.run ~domains:2 (fun () -> cancel token));
    ]
  in
  on_each_size @@ fun pool ->
  List.iter
    (fun (what, way) ->
      let token = Cancel.create () and inside = inside () in
      let canceller =
        Thread.create
          (fun () ->
            wait_until "the call is inside" (fun () -> visits inside > 0);
            way token)
          ()
      in
      is_cancelled what "why" (fun () ->
          returns what (fun () ->
              Pool.run pool (fun () -> Cancel.within token (fun () -> visit inside sleep_long))));
      Thread.join canceller)
    ways

(* --- shields --- *)

let shields () =
  in_each_size @@ fun () ->
  let cancelled f =
    let token = Cancel.create () in
    Cancel.within token (fun () ->
        Cancel.cancel ~reason:"why" token;
        f token)
  in
  let everything () =
    Cancel.check ();
    Weft.yield ();
    Weft.sleep 0.0005;
    check_int "forks" (fib_of 10) (fib 10);
    check_int "loops" 5050 (count Fun.id 100);
    Scope.run (fun s ->
        check_int "tasks" 1
          (Weft.await
             (Scope.async s (fun () ->
                  Weft.yield ();
                  1))))
  in
  cancelled (fun _ ->
      Cancel.shield everything;
      Cancel.shield (fun () -> Cancel.shield everything);
      is_cancelled "afterwards" "why" Cancel.check;
      (* A token that is cancelled inside of the shield still cancels what is under it. *)
      Cancel.shield (fun () ->
          times_out "inside" (fun () -> Cancel.with_timeout 0.001 sleep_long);
          let inner = Cancel.create () in
          is_cancelled "inside" "in" (fun () ->
              Cancel.within inner (fun () ->
                  Cancel.cancel ~reason:"in" inner;
                  Weft.yield ()));
          Weft.yield ());
      is_cancelled "afterwards" "why" (fun () -> ignore (fib 5));
      fails_with "an exception" Exit (fun () -> Cancel.shield (fun () -> raise Exit)));
  (* The request comes while the shield lasts. *)
  let token = Cancel.create () and ended = ref false in
  is_cancelled "after the shield" "why" (fun () ->
      Cancel.within token (fun () ->
          Cancel.shield (fun () ->
              let (), () =
                Weft.par
                  (fun () ->
                    Weft.sleep 0.003;
                    ended := true)
                  (fun () -> Cancel.cancel ~reason:"why" token)
              in
              ());
          check_bool "whole" true !ended;
          Cancel.check ();
          Alcotest.fail "not seen after the shield"));
  (* A failing sibling requests a cancellation like any other. *)
  let ended = ref false in
  fails_with "a sibling" (Planned 1) (fun () ->
      Weft.par
        (fun () ->
          Cancel.shield (fun () ->
              Weft.sleep 0.003;
              ended := true))
        (fun () -> raise (Planned 1)));
  check_bool "whole" true
    (!ended || Option.fold ~none:true ~some:(fun p -> Pool.domains p = 1) (Pool.current ()))

let outside_shields () =
  check_int "outside" 3 (Cancel.shield (fun () -> 3));
  Cancel.check ();
  fails_with "outside" Exit (fun () -> Cancel.shield (fun () -> raise Exit))

(* --- memory --- *)

let does_not_grow what round =
  Option.iter (Alcotest.failf "%s: %d words more" what) (Testing.Memory.grows ~slack:50_000 round)

let nothing_is_left () =
  let fewer n = if is_tiny then n / 20 else Testing.Effort.count ~quick:(n / 4) ~usual:n ~long:n in
  Weft.run ~domains:2 @@ fun () ->
  let token = Cancel.create () and p = never () and c : int Chan.t = Chan.unbounded () in
  does_not_grow "time-outs" (fun () ->
      for _ = 1 to fewer 200_000 do
        Cancel.with_timeout 1000. ignore
      done);
  does_not_grow "calls that depend on a token" (fun () ->
      for _ = 1 to fewer 100_000 do
        Cancel.within token ignore
      done);
  does_not_grow "cancelled waits for a promise, and for a channel" (fun () ->
      for i = 1 to fewer 100_000 do
        let token = Cancel.create () in
        match
          Cancel.within token (fun () ->
              Weft.par
                (fun () -> if i land 1 = 0 then Weft.await p else Chan.recv c)
                (fun () -> Cancel.cancel token))
        with
        | _ -> Alcotest.fail "not cancelled"
        | exception Cancel.Cancelled _ -> ()
      done);
  does_not_grow "cancelled sleeps" (fun () ->
      for _ = 1 to fewer 20_000 do
        let token = Cancel.create () in
        match
          Cancel.within token (fun () ->
              Weft.par (fun () -> Weft.sleep 1000.) (fun () -> Cancel.cancel token))
        with
        | _ -> Alcotest.fail "not cancelled"
        | exception Cancel.Cancelled _ -> ()
      done);
  does_not_grow "scopes" (fun () ->
      for _ = 1 to fewer 100_000 do
        Scope.run (fun s -> ignore (Scope.async s ignore))
      done);
  Promise.resolve p 0

let many_wait_for_one () =
  let n = 3000 in
  Weft.run ~domains:2 @@ fun () ->
  let p = never () and inside = inside () in
  is_cancelled "all of them" "enough" (fun () ->
      returns "all of them" (fun () ->
          Scope.run (fun s ->
              for _ = 1 to n do
                ignore (Scope.async s (fun () -> visit inside (fun () -> Weft.await p)))
              done;
              yield_until "all calls are inside" (fun () -> visits inside = n);
              Scope.cancel ~reason:"enough" s;
              Cancel.check ())));
  nobody_inside "all of them" inside

let local_values () =
  let module Task_local = Weft.Local.Task_local in
  let key = Task_local.create ~default:0 in
  in_each_size @@ fun () ->
  let see what v = check_int what v (Task_local.get key) in
  Task_local.with_value key 1 (fun () ->
      times_out "within" (fun () ->
          Cancel.with_timeout 0.001 (fun () ->
              see "in a time-out" 1;
              Task_local.with_value key 2 (fun () ->
                  Cancel.shield (fun () -> see "in a shield" 2);
                  Cancel.within (Cancel.create ()) (fun () -> see "in a token's call" 2);
                  ignore (Weft.par (fun () -> see "in a fork" 2) (fun () -> see "in a fork" 2));
                  sleep_long ())));
      see "afterwards" 1;
      Weft.yield ();
      see "afterwards" 1);
  see "outside" 0

let tests =
  [
    case "every cancellation point notices a request" each_point_notices;
    case "a request stays until the call is left" requests_stay;
    case "whoever waits is woken, and leaves the queue" waits_end;
    case "a sort notices a request" sorts_notice;
    case "tokens: the first reason stays, who comes late is not called" tokens;
    case "many calls depend on one token" many_calls_one_token;
    case "threads, domains, signal handlers and other pools cancel" from_anywhere;
    case "a shield hides requests while it lasts" shields;
    case "outside of pools there is nothing to hide" outside_shields;
    case "nothing is left of calls and waits that are over" nothing_is_left;
    case "many that wait for one promise are cancelled together" many_wait_for_one;
    case "what is bound stays bound" local_values;
  ]
