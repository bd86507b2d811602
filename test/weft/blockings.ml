open Support
open Blocking_calls
module Blocking = Weft_scheduler.Blocking
module Pool = Weft.Pool
module Promise = Weft.Promise
module Task_local = Weft.Local.Task_local

let this_thread () = Thread.id (Thread.self ())

(* --- results --- *)

let returns_and_raises () =
  let me = this_thread () in
  check_int "outside: the caller's own thread" me (Weft.blocking this_thread);
  Alcotest.check_raises "outside: raises" (Planned 1) (fun () -> Weft.blocking (fun () -> raise (Planned 1)));
  in_each_size @@ fun () ->
  check_int "value" 7 (Weft.blocking (fun () -> 7));
  Alcotest.check_raises "exception" (Planned 2) (fun () -> Weft.blocking (fun () -> raise (Planned 2)));
  (* The call runs in a thread that is not a worker of the pool. *)
  let worker () = Option.is_some (Pool.current ()) in
  Alcotest.(check bool) "no worker" false (Weft.blocking worker);
  Alcotest.(check bool) "a worker again" true (worker ())

let rec fails_deep_down n = if n = 0 then raise (Planned 3) else 1 + fails_deep_down (n - 1)

let backtraces () =
  let before = Printexc.backtrace_status () in
  Printexc.record_backtrace true;
  Fun.protect ~finally:(fun () -> Printexc.record_backtrace before) @@ fun () ->
  (* The host thread must start after backtraces were switched on, to record them. *)
  wait_until "no host" (fun () -> not (Blocking.has_host ()));
  Weft.run ~domains:2 @@ fun () ->
  match Weft.blocking (fun () -> fails_deep_down 3) with
  | _ -> Alcotest.fail "no exception"
  | exception Planned 3 ->
      let text = Printexc.get_backtrace () in
      let mine =
        List.filter (fun line -> Testing.Text.contains "blockings.ml" line) (String.split_on_char '\n' text)
      in
      if List.length mine < 4 then Alcotest.failf "the backtrace is %S" text

let thread_exit () =
  in_each_size @@ fun () ->
  (match Weft.blocking (fun () -> (Thread.exit () [@alert "-deprecated"])) with
  | () -> Alcotest.fail "Thread.exit returned"
  | exception Thread.Exit -> ());
  check_int "the next call" 1 (Weft.blocking (fun () -> 1))

let bindings () =
  in_each_size @@ fun () ->
  let key = Task_local.create ~default:0 in
  let get () = Task_local.get key in
  check_int "default" 0 (Weft.blocking get);
  Task_local.with_value key 5 (fun () ->
      check_int "the caller's" 5 (Weft.blocking get);
      check_int "inner" 6 (Weft.blocking (fun () -> Task_local.with_value key 6 get));
      check_int "afterwards" 5 (get ());
      (match Weft.blocking (fun () -> Task_local.with_value key 6 (fun () -> raise Exit)) with
      | () -> ()
      | exception Exit -> check_int "after an exception" 5 (get ()));
      check_int "and of what it starts" 5 (Weft.blocking (fun () -> Weft.await (Weft.async get))));
  check_int "nothing is left behind" 0 (Weft.blocking get)

let an_outside_caller () =
  in_each_size @@ fun () ->
  let both () =
    Weft.blocking (fun () ->
        let (a, b), c =
          (Weft.par (fun () -> fib 10) (fun () -> fib 11), Weft.await (Weft.async (fun () -> fib 12)))
        in
        a + b + c)
  in
  let expected = fib_of 10 + fib_of 11 + fib_of 12 in
  check_int "par and async" expected (both ());
  List.iter (check_int "many at once" expected) (Weft.all (List.init 20 (fun _ -> both)));
  (* A fiber of this pool resolves what the helper waits for, and a helper what the fiber waits for. *)
  let question = Promise.create () and answer = Promise.create () in
  let call =
    Weft.async (fun () -> Weft.blocking (fun () -> Promise.resolve answer (1 + Weft.await question)))
  in
  Weft.yield ();
  Promise.resolve question 1;
  check_int "answer" 2 (Weft.await answer);
  Weft.await call;
  check_int "nested" 3
    (Weft.blocking (fun () -> Weft.blocking (fun () -> Weft.run (fun () -> Weft.blocking (fun () -> 3)))))

(* --- workers go on --- *)

(* Many calls that all wait for the last one. *)
let calls_meet n =
  let gate = Gate.create () and inside = Atomic.make 0 in
  let call _ () =
    Weft.blocking (fun () ->
        if 1 + Atomic.fetch_and_add inside 1 = n then Gate.open_ gate else Gate.wait gate)
  in
  watched
    (fun () -> Printf.sprintf "%d calls of %d have begun" (Atomic.get inside) n)
    (fun () -> ignore (Weft.all (List.init n call)))

let overlap () = Weft.run ~domains:2 (fun () -> calls_meet 100)

(* Both workers have something to do all the time while [f ()] runs. *)
let while_busy f =
  Weft.run ~domains:2 @@ fun () ->
  let stop = Atomic.make false in
  let rec busy () =
    if not (Atomic.get stop) then begin
      ignore (fib 12);
      Weft.yield ();
      busy ()
    end
  in
  let computing = List.init 4 (fun _ -> Weft.async busy) in
  Fun.protect ~finally:(fun () -> Atomic.set stop true) f;
  List.iter Weft.await computing

let overlap_while_busy () = while_busy (fun () -> calls_meet 100)

let no_waiting_for_workers () =
  (* A helper thread in a worker's domain would wait 50 ms for the domain's lock at each call. *)
  let domain () = (Domain.self () :> int) in
  let outside = domain () and called = Atomic.make [] and working = Atomic.make [] in
  let rec note list =
    let was = Atomic.get list and mine = domain () in
    if not (List.mem mine was || Atomic.compare_and_set list was (mine :: was)) then note list
  in
  while_busy (fun () ->
      for _ = 1 to 60 do
        Weft.blocking (fun () -> note called);
        ignore (Weft.all (List.init 4 (fun _ () -> note working)))
      done);
  List.iter
    (fun d ->
      if d = outside || List.mem d (Atomic.get working) then Alcotest.failf "a call ran in worker %d" d)
    (Atomic.get called)

let one_worker_goes_on () =
  Weft.run ~domains:1 @@ fun () ->
  Gate.with_ @@ fun gate ->
  let call = Weft.async (fun () -> Weft.blocking (fun () -> Gate.wait gate)) in
  Weft.yield ();
  (* Only this worker can open the gate. *)
  check_int "work" (fib_of 15) (fib 15);
  Gate.open_ gate;
  Weft.await call

(* --- limits --- *)

let bounded () =
  List.iter
    (fun limit ->
      with_limit limit @@ fun () ->
      in_each_size @@ fun () ->
      let peak = Testing.Peak.create () and too_many = Atomic.make 0 in
      let call _ () =
        Weft.blocking (fun () ->
            Testing.Peak.within peak (fun () -> Unix.sleepf 0.0005);
            if Blocking.helpers () > limit then Atomic.incr too_many)
      in
      ignore (Weft.all (List.init 200 call));
      check_int "more helpers than the limit" 0 (Atomic.get too_many);
      let most = Testing.Peak.most peak in
      if most > limit then Alcotest.failf "%d at once, the limit is %d" most limit)
    [ 1; 3 ]

let as_many_as_allowed () =
  let limit = 20 in
  with_limit limit @@ fun () ->
  in_each_size @@ fun () -> calls_meet limit

let first_come_first_served () =
  with_limit 1 @@ fun () ->
  List.iter
    (fun domains ->
      Weft.run ~domains @@ fun () ->
      Gate.with_ @@ fun gate ->
      let served = ref [] and taken = Atomic.make false in
      let first =
        Weft.async (fun () ->
            Weft.blocking (fun () ->
                Atomic.set taken true;
                Gate.wait gate))
      in
      wait_until "the only helper is taken" (fun () ->
          Weft.yield ();
          Atomic.get taken);
      (* The calls are made one after the other: each is queued before the next one starts. *)
      let calls =
        List.init 100 (fun i ->
            let p = Weft.async (fun () -> Weft.blocking (fun () -> served := i :: !served)) in
            wait_until "in line" (fun () ->
                Weft.yield ();
                Blocking.in_progress () = i + 2);
            p)
      in
      Gate.open_ gate;
      List.iter Weft.await (first :: calls);
      Alcotest.(check (list int)) "in order" (List.init 100 Fun.id) (List.rev !served))
    [ 1; 2 ]

let many_short_calls () =
  in_each_size @@ fun () ->
  let sum =
    Weft.all
      (List.init 100 (fun i () ->
           let rec go j acc = if j = 100 then acc else go (j + 1) (acc + Weft.blocking (fun () -> i + j)) in
           go 0 0))
  in
  check_int "sum" 990_000 (List.fold_left ( + ) 0 sum);
  none_in_progress ()

let more_calls_than_threads () =
  in_each_size @@ fun () ->
  let calls =
    List.init 2_000 (fun i ->
        Weft.async (fun () ->
            Weft.blocking (fun () ->
                Unix.sleepf 0.0001;
                i)))
  in
  check_int "sum" 1_999_000 (List.fold_left (fun sum p -> sum + Weft.await p) 0 calls)

let tests =
  [
    case "a call returns or raises, on a thread that is no worker" returns_and_raises;
    case "backtraces are kept" backtraces;
    case "Thread.exit is an exception" thread_exit;
    case "the caller's bindings are seen" bindings;
    case "what is called is outside all pools" an_outside_caller;
    case "100 calls at once" overlap;
    case "100 calls at once while workers compute" overlap_while_busy;
    case "a call runs in no worker's domain, so it does not wait for those that compute"
      no_waiting_for_workers;
    case "the only worker goes on" one_worker_goes_on;
    case "never more than the limit at once" bounded;
    case "as many as the limit at once" as_many_as_allowed;
    case "first come, first served" first_come_first_served;
    case "10,000 short calls" many_short_calls;
    case "more calls than threads" more_calls_than_threads;
  ]
