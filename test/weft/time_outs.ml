open Support
open Endings
module Cancel = Weft.Cancel
module Pool = Weft.Pool
module Promise = Weft.Promise
module Scope = Weft.Scope

let upto n body = Weft.parallel_for ~start:1 ~finish:n ~body ()
let count f n = Weft.parallel_for_reduce ~start:1 ~finish:n ~body:f ( + ) 0

(* --- time --- *)

(* None of these ends by itself. *)
let endless () =
  let rec check_for_ever () =
    Cancel.check ();
    check_for_ever ()
  in
  (* All elements take a second or less: after some, it waits for the time-out, which may be late. *)
  let slow () =
    let calls = Atomic.make 0 in
    fun x ->
      if Atomic.fetch_and_add calls 1 < 30_000 then spin 3000 else check_for_ever ();
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
  let rec async_for_ever () =
    Weft.await (Weft.async (fun () -> spin 100));
    async_for_ever ()
  in
  [
    ("fib", fun () -> ignore (fib 60));
    ("forks", fork_flat);
    ("forks in forks", if is_tiny then fork_flat else fork_for_ever);
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
    ( "scan",
      fun () ->
        ignore
          (Weft.parallel_scan
             (let slow = slow () in
              fun x y -> slow (x + y))
             a) );
    ("find", fun () -> ignore (Weft.parallel_find ~start:1 ~finish:max_int ~body:(fun _ -> None) ()));
    ( "find_first",
      fun () -> ignore (Weft.parallel_find_first ~start:1 ~finish:max_int ~body:(fun _ -> None) ()) );
    ("Array.init", fun () -> ignore (Weft.Array.init 1_000_000 (slow ())));
    ("Array.map", fun () -> ignore (Weft.Array.map (slow ()) a));
    ( "Array.filter",
      fun () ->
        ignore
          (Weft.Array.filter
             (let slow = slow () in
              fun x -> slow x > 5)
             a) );
    ( "Array.iter",
      fun () ->
        Weft.Array.iter
          (let slow = slow () in
           fun x -> ignore (slow x))
          a );
    ( "Array.sort",
      fun () ->
        Weft.Array.sort
          (let slow = slow () in
           fun x y -> compare (slow x) y)
          (Array.copy a) );
    ( "Array.reduce",
      fun () ->
        ignore
          (Weft.Array.reduce
             (let slow = slow () in
              fun x y -> slow (x + y))
             0 a) );
    ("List.map", fun () -> ignore (Weft.List.map (slow ()) l));
    ( "List.sort",
      fun () ->
        ignore
          (Weft.List.sort
             (let slow = slow () in
              fun x y -> compare (slow x) y)
             l) );
    ("Seq", fun () -> ignore Weft.Seq.(of_range 1 max_int |> map succ |> filter (fun x -> x < 0) |> length));
    ( "pipeline",
      fun () -> Weft.pipeline (fun () -> Some 1) Weft.Stage.(parallel (slow ()) >>> in_order ignore) );
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

(* In a quick run, every other one runs in a pool of one domain, and the rest in a larger one. *)
let endless_in pool =
  let all = endless () and first = if Pool.domains pool = 1 then 0 else 1 in
  Testing.Effort.some ~quick:(List.filteri (fun i _ -> i mod 2 = first) all) all

let time_outs_end_anything () =
  on_each_size @@ fun pool ->
  List.iter
    (fun (what, f) ->
      let inside = inside () in
      times_out what (fun () ->
          returns what (fun () ->
              Pool.run pool (fun () -> Cancel.with_timeout 0.005 (fun () -> visit inside f))));
      nobody_inside what inside;
      check_int "usable" (fib_of 8) (Pool.run pool (fun () -> fib 8)))
    (endless_in pool)

let awaited_tasks () =
  (* The time-out ends the wait, whether the task runs in place of its awaiter or elsewhere. The tasks
     belong to no scope, and go on: only those that exist, since on a busy machine the time may be over
     before the next one is made. *)
  in_each_size @@ fun () ->
  let gate = Promise.create () and made = Atomic.make 0 and ended = Atomic.make 0 in
  let task () =
    Weft.await gate;
    Atomic.incr ended
  in
  let async () =
    let p = Weft.async task in
    Atomic.incr made;
    p
  in
  List.iter
    (fun (what, wait) -> times_out what (fun () -> returns what (fun () -> Cancel.with_timeout 0.005 wait)))
    [
      ("a task", fun () -> Weft.await (async ()));
      ("a mapped promise", fun () -> Weft.await (Promise.map ignore (async ())));
      ( "several",
        fun () ->
          let first = async () in
          ignore (Weft.await (Promise.all [ first; async () ])) );
    ];
  Promise.resolve gate ();
  yield_until "all that were made have ended" (fun () -> Atomic.get ended = Atomic.get made)

let odd_times () =
  let test () =
    List.iter
      (fun seconds ->
        let what = Printf.sprintf "%f" seconds in
        times_out what (fun () ->
            returns what (fun () -> Cancel.with_timeout seconds (fun () -> Weft.yield ())));
        times_out what (fun () -> returns what (fun () -> Cancel.with_timeout seconds sleep_long));
        times_out what (fun () ->
            returns what (fun () -> Cancel.with_deadline (Weft.now () +. seconds) sleep_long)))
      [ 0.; -0.; -1.; neg_infinity; 1e-9; 1e-300 ];
    List.iter
      (fun seconds ->
        check_int "long" 3
          (Cancel.with_timeout seconds (fun () ->
               Weft.sleep 1e-4;
               3)))
      [ infinity; max_float; 1e18; 1e10; long ];
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
  (* The inner time-out fires; the outer call goes on. *)
  check_int "inner" 5
    (Cancel.with_timeout long (fun () ->
         times_out "inner" (fun () -> Cancel.with_timeout 0.002 sleep_long);
         Weft.sleep 0.001;
         ignore (fib 5);
         5));
  (* The outer time-out fires, and is not taken for the inner [Timeout]. *)
  let seen = ref "" in
  (* The call is repeated if its time is over before it has begun. *)
  while !seen = "" do
    times_out "outer" (fun () ->
        Cancel.with_timeout 0.002 (fun () ->
            try Cancel.with_timeout long sleep_long with
            | Cancel.Timeout -> seen := "inner time-out"
            | Cancel.Cancelled _ as exn ->
                seen := "cancelled";
                raise exn))
  done;
  Alcotest.(check string) "inside" "cancelled" !seen;
  (* Both fire: the outer call ends with its own time-out, at the latest at its next cancellation point. *)
  for i = 0 to 20 do
    let inner = 0.001 +. (float (i - 10) *. 1e-5) in
    times_out "both" (fun () ->
        Cancel.with_timeout 0.001 (fun () ->
            (try Cancel.with_timeout inner sleep_long with Cancel.Timeout -> ());
            sleep_long ()))
  done;
  (* A time-out around many others. *)
  let rec nest n f = if n = 0 then f () else Cancel.with_timeout long (fun () -> nest (n - 1) f) in
  times_out "deep" (fun () -> Cancel.with_timeout 0.002 (fun () -> nest 50 sleep_long));
  nest 50 Weft.yield;
  (* Time-outs in the two sides of a fork. *)
  let a, b =
    Weft.par
      (fun () -> match Cancel.with_timeout 0.003 sleep_long with () -> 0 | exception Cancel.Timeout -> 1)
      (fun () ->
        match Cancel.with_timeout long (fun () -> Weft.sleep 0.006) with
        | () -> 2
        | exception Cancel.Timeout -> 3)
  in
  check_int "left" 1 a;
  check_int "right" 2 b

let all_the_same () =
  in_each_size @@ fun () ->
  let busy () =
    let until = Weft.now () +. 0.06 in
    while Weft.now () < until do
      spin 1000
    done;
    42
  in
  (* On a busy machine the time may be over before the call has begun; that is not tested here. *)
  let rec begun_in_time seconds f =
    let begun = ref false in
    let begin_and_go_on () =
      begun := true;
      f ()
    in
    match Cancel.with_timeout seconds begin_and_go_on with
    | v -> v
    | exception Cancel.Timeout when not !begun -> begun_in_time seconds f
  in
  check_int "without a point" 42 (begun_in_time 0.02 busy);
  let swallows () =
    try
      sleep_long ();
      0
    with Cancel.Cancelled _ -> 43
  in
  check_int "swallowed" 43 (begun_in_time 0.05 swallows);
  fails_with "its own exception" Exit (fun () ->
      begun_in_time 0.05 (fun () -> try sleep_long () with Cancel.Cancelled _ -> raise Exit));
  Weft.yield ()

let tests =
  [
    case "a time-out ends whatever has cancellation points" time_outs_end_anything;
    case "a time-out ends the wait for a task" awaited_tasks;
    case "times that are odd: none, past, endless, not a number" odd_times;
    case "no time-out comes before its time" not_before_its_time;
    case "time-outs in time-outs" nested_times;
    case "a fiber that returns all the same has returned" all_the_same;
  ]
