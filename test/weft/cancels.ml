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

(* --- where requests are seen --- *)

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
        soon what (fun () ->
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
            List.iter (fun (what, point) -> is_cancelled what "why" (fun () -> soon what point)) points
          done;
          Cancel.check ()));
  (* And are gone with the call. *)
  Cancel.check ();
  check_int "afterwards" (fib_of 12) (fib 12);
  upto 100 ignore

let waits_end () =
  (* Those who wait already when the request comes. *)
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
          soon what (fun () ->
              Weft.par
                (fun () -> Cancel.within token (fun () -> visit inside wait))
                (fun () ->
                  wait_until (fun () -> visits inside > 0);
                  Weft.sleep 0.002;
                  Cancel.cancel ~reason:"late" token)));
      nobody_inside what inside)
    waits;
  check_bool "no receiver is left" true (Chan.send_poll c () && Chan.recv_poll c = Some ());
  check_bool "no sender is left" true (Chan.recv_poll full = Some 0 && Chan.recv_poll full = None);
  Chan.send full 0

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
    (* The call that was cancelled raises, not the one around it. *)
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
  soon "a thousand calls" (fun () ->
      Scope.run (fun s ->
          for _ = 1 to 1000 do
            ignore (Scope.async s task)
          done;
          wait_until (fun () -> visits inside = 1000);
          Cancel.cancel ~reason:"all" token));
  check_int "cancelled" 1000 (Atomic.get cancelled)

let from_anywhere () =
  let by_signal token =
    let before = Sys.signal Sys.sigusr1 (Signal_handle (fun _ -> Cancel.cancel ~reason:"why" token)) in
    Unix.kill (Unix.getpid ()) Sys.sigusr1;
    Thread.delay 0.001;
    (* Handlers run where code of OCaml runs, in this thread or another one. *)
    while not (Cancel.is_cancelled token) do
      Thread.delay 0.001
    done;
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
            while visits inside = 0 do
              Thread.delay 0.001
            done;
            way token)
          ()
      in
      is_cancelled what "why" (fun () ->
          soon what (fun () ->
              Pool.run pool (fun () -> Cancel.within token (fun () -> visit inside sleep_long))));
      Thread.join canceller)
    ways

(* --- time --- *)

(* None of these ends by itself within a test's time. *)
let endless =
  let slow x =
    spin 3000;
    x
  in
  let a = Array.init 1_000_000 (fun i -> i * 7919 mod 1_000_003) in
  let l = Array.to_list a in
  let rec fork_for_ever () =
    let (), () = Weft.par fork_for_ever fork_for_ever in
    ()
  in
  let rec fork_flat () =
    let (), () = Weft.par (fun () -> spin 100) (fun () -> spin 100) in
    fork_flat ()
  in
  let rec check_for_ever () =
    Cancel.check ();
    check_for_ever ()
  in
  let rec async_for_ever () =
    Weft.await (Weft.async (fun () -> spin 100));
    async_for_ever ()
  in
  [
    ("fib", fun () -> ignore (fib 60));
    ("forks", fork_flat);
    ("forks in forks", if deep < 100_000 then fork_flat else fork_for_ever);
    ("tasks", async_for_ever);
    ("checks", check_for_ever);
    ("parallel_for", fun () -> upto max_int ignore);
    ( "parallel_for, chunks",
      fun () -> Weft.parallel_for ~chunk_size:10 ~start:1 ~finish:max_int ~body:ignore () );
    ("parallel_for, slow", fun () -> upto 1_000_000 (fun _ -> spin 100_000));
    ("nested loops", fun () -> upto 1_000_000 (fun _ -> upto 1_000_000 ignore));
    ("reduce", fun () -> ignore (count Fun.id max_int));
    ( "reduce, slow",
      fun () ->
        ignore
          (count
             (fun i ->
               spin 100_000;
               i)
             1_000_000) );
    ("scan", fun () -> ignore (Weft.parallel_scan (fun x y -> slow (x + y)) a));
    ("find", fun () -> ignore (Weft.parallel_find ~start:1 ~finish:max_int ~body:(fun _ -> None) ()));
    ( "find_first",
      fun () -> ignore (Weft.parallel_find_first ~start:1 ~finish:max_int ~body:(fun _ -> None) ()) );
    ("Array.init", fun () -> ignore (Weft.Array.init 1_000_000 slow));
    ("Array.map", fun () -> ignore (Weft.Array.map slow a));
    ("Array.filter", fun () -> ignore (Weft.Array.filter (fun x -> slow x > 5) a));
    ("Array.iter", fun () -> Weft.Array.iter (fun x -> ignore (slow x)) a);
    ("Array.sort", fun () -> Weft.Array.sort (fun x y -> compare (slow x) y) (Array.copy a));
    ("Array.reduce", fun () -> ignore (Weft.Array.reduce (fun x y -> slow (x + y)) 0 a));
    ("List.map", fun () -> ignore (Weft.List.map slow l));
    ("List.sort", fun () -> ignore (Weft.List.sort (fun x y -> compare (slow x) y) l));
    ("Seq", fun () -> ignore Weft.Seq.(of_range 1 max_int |> map succ |> filter (fun x -> x < 0) |> length));
    ("pipeline", fun () -> Weft.pipeline (fun () -> Some 1) Weft.Stage.(parallel slow >>> in_order ignore));
    ( "pipeline that waits",
      fun () -> Weft.pipeline (fun () -> Some 1) (Weft.Stage.parallel (fun _ -> sleep_long ())) );
    ( "yield",
      fun () ->
        while true do
          Weft.yield ()
        done );
    ("sleep", sleep_long);
    ("sleep for ever", fun () -> Weft.sleep infinity);
    ("all", fun () -> ignore (Weft.all (List.init 10 (fun _ -> sleep_long))));
    ( "scope",
      fun () ->
        Scope.run (fun s ->
            for _ = 1 to 10 do
              ignore (Scope.async s sleep_long)
            done) );
    ("scope of loops", fun () -> Scope.run (fun s -> ignore (Scope.async s (fun () -> upto max_int ignore))));
  ]

let time_outs_end_anything () =
  on_each_size @@ fun pool ->
  List.iter
    (fun (what, f) ->
      let inside = inside () in
      times_out what (fun () ->
          soon what (fun () -> Pool.run pool (fun () -> Cancel.with_timeout 0.005 (fun () -> visit inside f))));
      nobody_inside what inside;
      check_int "usable" (fib_of 8) (Pool.run pool (fun () -> fib 8)))
    endless

let awaited_tasks () =
  (* Whether the task runs in place of its awaiter, or elsewhere. The tasks themselves are nobody's, and go on. *)
  in_each_size @@ fun () ->
  let gate = Promise.create () and ended = Atomic.make 0 in
  let task () =
    Weft.await gate;
    Atomic.incr ended
  in
  List.iter
    (fun (what, wait) -> times_out what (fun () -> soon what (fun () -> Cancel.with_timeout 0.005 wait)))
    [
      ("a task", fun () -> Weft.await (Weft.async task));
      ("a mapped promise", fun () -> Weft.await (Promise.map ignore (Weft.async task)));
      ("several", fun () -> ignore (Weft.await (Promise.all [ Weft.async task; Weft.async task ])));
    ];
  Promise.resolve gate ();
  wait_until (fun () -> Atomic.get ended = 4)

let odd_times () =
  let test () =
    List.iter
      (fun seconds ->
        let what = Printf.sprintf "%f" seconds in
        times_out what (fun () -> soon what (fun () -> Cancel.with_timeout seconds (fun () -> Weft.yield ())));
        times_out what (fun () -> soon what (fun () -> Cancel.with_timeout seconds sleep_long));
        times_out what (fun () ->
            soon what (fun () -> Cancel.with_deadline (Weft.now () +. seconds) (fun () -> Weft.sleep 10.))))
      [ 0.; -0.; -1.; neg_infinity; 1e-9; 1e-300 ];
    List.iter
      (fun seconds ->
        check_int "long" 3
          (Cancel.with_timeout seconds (fun () ->
               Weft.sleep 1e-4;
               3)))
      [ infinity; max_float; 1e18; 1e10; 5. ];
    check_int "no deadline" 3
      (Cancel.with_deadline infinity (fun () ->
           Weft.yield ();
           3));
    times_out "long ago" (fun () -> Cancel.with_deadline neg_infinity Weft.yield);
    let called = ref false in
    raises_invalid "nan" "Weft.Cancel.with_timeout: " (fun () ->
        Cancel.with_timeout nan (fun () -> called := true));
    raises_invalid "nan" "Weft.Cancel.with_deadline: " (fun () ->
        Cancel.with_deadline nan (fun () -> called := true));
    check_bool "not called" false !called
  in
  test ();
  in_each_size test

let not_before_its_time () =
  in_each_size @@ fun () ->
  for i = 0 to 10 do
    let seconds = float i *. 0.001 in
    let start = Weft.now () in
    times_out "sleeps" (fun () -> Cancel.with_timeout seconds sleep_long);
    if Weft.now () -. start < seconds then Alcotest.failf "%f s: too early" seconds
  done

let nested_times () =
  in_each_size @@ fun () ->
  (* The inner one fires; the outer call goes on. *)
  check_int "inner" 5
    (Cancel.with_timeout long (fun () ->
         times_out "inner" (fun () -> Cancel.with_timeout 0.002 sleep_long);
         Weft.sleep 0.001;
         ignore (fib 5);
         5));
  (* The outer one fires, and is not the inner one's [Timeout]. *)
  let seen = ref "" in
  times_out "outer" (fun () ->
      Cancel.with_timeout 0.002 (fun () ->
          try Cancel.with_timeout long sleep_long with
          | Cancel.Timeout -> seen := "inner time-out"
          | Cancel.Cancelled _ as exn ->
              seen := "cancelled";
              raise exn));
  Alcotest.(check string) "inside" "cancelled" !seen;
  (* Both: the outer call ends with its own time-out, at the latest at its next point. *)
  for i = 0 to 20 do
    let inner = 0.001 +. (float (i - 10) *. 1e-5) in
    times_out "both" (fun () ->
        Cancel.with_timeout 0.001 (fun () ->
            (try Cancel.with_timeout inner sleep_long with Cancel.Timeout -> ());
            sleep_long ()))
  done;
  (* A third one inside, far away. *)
  let rec nest n f = if n = 0 then f () else Cancel.with_timeout long (fun () -> nest (n - 1) f) in
  times_out "deep" (fun () -> Cancel.with_timeout 0.002 (fun () -> nest 50 sleep_long));
  nest 50 Weft.yield;
  (* In the two sides of a fork. *)
  let a, b =
    Weft.par
      (fun () -> match Cancel.with_timeout 0.003 sleep_long with () -> 0 | exception Cancel.Timeout -> 1)
      (fun () ->
        match Cancel.with_timeout 0.002 (fun () -> Weft.sleep 1e-4) with
        | () -> 2
        | exception Cancel.Timeout -> 3)
  in
  check_int "left" 1 a;
  check_int "right" 2 b

let all_the_same () =
  in_each_size @@ fun () ->
  let busy () =
    let until = Weft.now () +. 0.003 in
    while Weft.now () < until do
      spin 1000
    done;
    42
  in
  check_int "without a point" 42 (Cancel.with_timeout 0.001 busy);
  let swallows () =
    try
      sleep_long ();
      0
    with Cancel.Cancelled _ -> 43
  in
  check_int "swallowed" 43 (Cancel.with_timeout 0.001 swallows);
  fails_with "its own exception" Exit (fun () ->
      Cancel.with_timeout 0.001 (fun () -> try sleep_long () with Cancel.Cancelled _ -> raise Exit));
  Weft.yield ()

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
      (* What is cancelled inside is. *)
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
  (* While it lasts, the request comes. *)
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
  (* A sibling's failure is a request like others. *)
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

(* --- what is no longer wanted --- *)

let siblings_end () =
  let fail () = raise (Planned 7) in
  let first_sleeps () =
    let first = Atomic.make true in
    fun _ -> if Atomic.exchange first false then sleep_long () else fail ()
  in
  let ways =
    [
      ("right", fun () -> ignore (Weft.par sleep_long fail));
      ( "left",
        fun () ->
          ignore
            (Weft.par
               (fun () ->
                 Weft.sleep 0.002;
                 fail ())
               sleep_long) );
      ("par3", fun () -> ignore (Weft.par3 sleep_long sleep_long fail));
      ("all", fun () -> ignore (Weft.all [ sleep_long; sleep_long; fail; sleep_long ]));
      ( "deep",
        fun () ->
          ignore
            (Weft.par
               (fun () -> Weft.par sleep_long (fun () -> Weft.par sleep_long sleep_long))
               (fun () ->
                 Weft.sleep 0.002;
                 fail ())) );
      ( "a loop on the right",
        fun () ->
          ignore
            (Weft.par
               (fun () ->
                 Weft.sleep 0.002;
                 fail ())
               (fun () -> upto max_int ignore)) );
      ( "a scope on the left",
        fun () ->
          ignore
            (Weft.par
               (fun () -> Scope.run (fun s -> ignore (Scope.async s sleep_long)))
               (fun () ->
                 Weft.sleep 0.002;
                 fail ())) );
    ]
  and ways_of_several =
    (* A busy left side keeps the only worker from the right one. *)
    [
      ( "forks",
        fun () ->
          ignore
            (Weft.par
               (fun () -> fib 60)
               (fun () ->
                 Weft.sleep 0.002;
                 fail ())) );
      ( "a loop on the left",
        fun () ->
          ignore
            (Weft.par
               (fun () -> upto max_int ignore)
               (fun () ->
                 Weft.sleep 0.002;
                 fail ())) );
      ("parallel_for", fun () -> upto 64 (first_sleeps ()));
      ( "reduce",
        fun () ->
          ignore
            (count
               (let f = first_sleeps () in
                fun i ->
                  f i;
                  i)
               64) );
      ("Array.iter", fun () -> Weft.Array.iter (first_sleeps ()) (Array.make 64 0));
      ("List.iter", fun () -> Weft.List.iter (first_sleeps ()) (List.init 64 Fun.id));
    ]
  in
  on_each_size @@ fun pool ->
  let ways = if Pool.domains pool = 1 then ways else ways @ ways_of_several in
  List.iter
    (fun (what, f) ->
      let inside = inside () in
      fails_with what (Planned 7) (fun () -> soon what (fun () -> Pool.run pool (fun () -> visit inside f)));
      nobody_inside what inside)
    ways;
  if Pool.domains pool > 1 then begin
    let first = Atomic.make true in
    let body i =
      if Atomic.exchange first false then (
        sleep_long ();
        None)
      else Some i
    in
    check_bool "an answer" true
      (soon "find" (fun () ->
           Pool.run pool (fun () -> Weft.parallel_find ~start:1 ~finish:64 ~body ()) <> None))
  end

(* --- stress --- *)

let at_every_point () =
  (* A program that counts its steps; the token is cancelled at the n-th. *)
  let reached = Atomic.make 0 and stop_at = ref 0 and token = ref (Cancel.create ()) in
  let point () = if Atomic.fetch_and_add reached 1 = !stop_at then Cancel.cancel ~reason:"injected" !token in
  let guard = inside () in
  let rec tree n =
    point ();
    if n = 0 then 1
    else
      let a, b =
        Weft.par
          (fun () -> visit guard (fun () -> tree (n - 1)))
          (fun () -> visit guard (fun () -> tree (n - 1)))
      in
      point ();
      a + b
  in
  let program () =
    let a = tree 3 in
    let b =
      count
        (fun i ->
          visit guard (fun () ->
              point ();
              i))
        10
    in
    let c =
      Scope.run (fun s ->
          let chan = Chan.bounded 1 in
          let sender =
            Scope.async s (fun () ->
                visit guard (fun () ->
                    for i = 1 to 5 do
                      point ();
                      Chan.send chan i
                    done;
                    Chan.close chan;
                    10))
          in
          let sum = ref 0 in
          Chan.iter
            (fun i ->
              point ();
              sum := !sum + i)
            chan;
          point ();
          !sum + Weft.await sender)
    in
    let d =
      match
        Cancel.with_timeout 0.0005 (fun () ->
            visit guard (fun () ->
                point ();
                sleep_long ();
                0))
      with
      | d -> d
      | exception Cancel.Timeout -> 100
    in
    let e =
      Cancel.shield (fun () ->
          visit guard (fun () ->
              point ();
              Weft.yield ();
              point ();
              tree 1))
    in
    let sorted = [| 3; 1; 2 |] in
    Weft.Array.sort
      (fun x y ->
        point ();
        compare x y)
      sorted;
    let f =
      Weft.Array.fold_left ( + ) 0
        (Weft.Array.map
           (fun x ->
             point ();
             x)
           sorted)
    in
    Weft.yield ();
    point ();
    a + b + c + d + e + f
  in
  let expected = 8 + 55 + 25 + 100 + 2 + 6 in
  on_each_size @@ fun pool ->
  let rec from n =
    stop_at := n;
    token := Cancel.create ();
    Atomic.set reached 0;
    let what = Printf.sprintf "cancelled at point %d" n in
    (match soon what (fun () -> Pool.run pool (fun () -> Cancel.within !token program)) with
    | total -> check_int what expected total
    | exception Cancel.Cancelled "injected" -> check_bool what true (Cancel.is_cancelled !token));
    nobody_inside what guard;
    let steps = Atomic.get reached in
    Pool.run pool Weft.yield;
    check_int "nothing goes on" steps (Atomic.get reached);
    if Cancel.is_cancelled !token then from (n + 1) else n
  in
  let points = from 0 in
  if points < 50 then Alcotest.failf "only %d points" points

let against_completions () =
  let rounds = if deep < 100_000 then 300 else 1500 in
  Pool.with_pool ~domains:8 @@ fun pool ->
  Pool.run pool @@ fun () ->
  let returned = ref 0 and cancelled = ref 0 in
  for i = 1 to rounds do
    let token = Cancel.create () and guard = inside () in
    let p = Promise.create () and c = Chan.bounded 0 in
    let result, () =
      Weft.par
        (fun () ->
          match
            Cancel.within token (fun () ->
                visit guard (fun () ->
                    match i mod 4 with
                    | 0 -> Weft.await p
                    | 1 -> Chan.recv c
                    | 2 ->
                        Scope.run (fun s ->
                            Weft.await (Scope.async s (fun () -> visit guard (fun () -> Weft.await p))))
                    | _ ->
                        fst
                          (Weft.par (fun () -> Weft.await p) (fun () -> visit guard (fun () -> Weft.await p)))))
          with
          | 5 ->
              incr returned;
              true
          | _ -> Alcotest.fail "a wrong value"
          | exception Cancel.Cancelled "now" ->
              incr cancelled;
              false)
        (fun () ->
          let (), () =
            Weft.par
              (fun () ->
                spin (i * 37 mod 3000);
                if i mod 4 = 1 then begin
                  (* Either it was received, or it is still here. *)
                  match Chan.send ~timeout:0.002 c 5 with
                  | () -> ()
                  | exception Cancel.Timeout -> ()
                end
                else Promise.resolve p 5)
              (fun () ->
                spin (i * 59 mod 3000);
                Cancel.cancel ~reason:"now" token)
          in
          ())
    in
    nobody_inside "afterwards" guard;
    if (not result) && not (Cancel.is_cancelled token) then Alcotest.fail "cancelled by nobody"
  done;
  if !returned = 0 || !cancelled = 0 then Alcotest.failf "%d returned, %d cancelled" !returned !cancelled

let from_many_threads () =
  Pool.with_pool ~domains:3 @@ fun pool ->
  let t = Cancel.create () in
  in_threads 6 (fun i ->
      for k = 1 to 50 do
        let token = Cancel.create () and run f = if i < 3 then Pool.run pool f else f () in
        let canceller = Thread.create (fun () -> Cancel.cancel ~reason:"thread" token) () in
        (match
           run (fun () -> Cancel.within token (fun () -> Cancel.within t (fun () -> ignore (fib 12))))
         with
        | () -> ()
        | exception Cancel.Cancelled "thread" -> ());
        Thread.join canceller;
        if k mod 10 = 0 then
          times_out "a time-out" (fun () -> run (fun () -> Cancel.with_timeout 0.001 sleep_long))
      done)

(* --- memory --- *)

let live () =
  Gc.full_major ();
  Gc.full_major ();
  (Gc.stat ()).live_words

let does_not_grow what f =
  f 100;
  let before = live () in
  f 1;
  let after = live () in
  if after - before > 50_000 then Alcotest.failf "%s: %d words more" what (after - before)

let nothing_is_left () =
  let fewer n = if deep < 100_000 then n / 20 else n in
  Weft.run ~domains:2 @@ fun () ->
  let token = Cancel.create () and p = never () and c : int Chan.t = Chan.unbounded () in
  does_not_grow "time-outs" (fun part ->
      for _ = 1 to fewer 1_000_000 / part do
        Cancel.with_timeout 1000. ignore
      done);
  does_not_grow "calls that depend on a token" (fun part ->
      for _ = 1 to fewer 100_000 / part do
        Cancel.within token ignore
      done);
  does_not_grow "cancelled waits for a promise, and for a channel" (fun part ->
      for i = 1 to fewer 100_000 / part do
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
  does_not_grow "cancelled sleeps" (fun part ->
      for _ = 1 to fewer 20_000 / part do
        let token = Cancel.create () in
        match
          Cancel.within token (fun () ->
              Weft.par (fun () -> Weft.sleep 1000.) (fun () -> Cancel.cancel token))
        with
        | _ -> Alcotest.fail "not cancelled"
        | exception Cancel.Cancelled _ -> ()
      done);
  does_not_grow "scopes" (fun part ->
      for _ = 1 to fewer 100_000 / part do
        Scope.run (fun s -> ignore (Scope.async s ignore))
      done);
  Promise.resolve p 0

let many_wait_for_one () =
  let n = 3000 in
  Weft.run ~domains:2 @@ fun () ->
  let p = never () and inside = inside () in
  is_cancelled "all of them" "enough" (fun () ->
      soon "all of them" (fun () ->
          Scope.run (fun s ->
              for _ = 1 to n do
                ignore (Scope.async s (fun () -> visit inside (fun () -> Weft.await p)))
              done;
              wait_until (fun () -> visits inside = n);
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
    case "tokens: the first reason stays, who comes late is not called" tokens;
    case "many calls depend on one token" many_calls_one_token;
    case "threads, domains, signal handlers and other pools cancel" from_anywhere;
    case "a time-out ends whatever has cancellation points" time_outs_end_anything;
    case "a time-out ends the wait for a task" awaited_tasks;
    case "times that are odd: none, past, endless, not a number" odd_times;
    case "no time-out comes before its time" not_before_its_time;
    case "time-outs in time-outs" nested_times;
    case "who returns all the same has returned" all_the_same;
    case "a shield hides requests while it lasts" shields;
    case "outside of pools there is nothing to hide" outside_shields;
    case "what is no longer wanted ends at once" siblings_end;
    case "a request at every point of a program" at_every_point;
    case "requests against completions" against_completions;
    case "requests from many threads" from_many_threads;
    case "nothing is left of calls and waits that are over" nothing_is_left;
    case "many that wait for one promise are cancelled together" many_wait_for_one;
    case "what is bound stays bound" local_values;
  ]
