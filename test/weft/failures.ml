open Support
module Promise = Weft.Promise

let leftmost_wins () =
  in_each_size @@ fun () ->
  for delay = 0 to 20 do
    Alcotest.check_raises "left" (Planned 1) (fun () ->
        ignore
          (Weft.par
             (fun () ->
               spin (delay * 500);
               raise (Planned 1))
             (fun () -> spin 2_000)));
    Alcotest.check_raises "right" (Planned 2) (fun () ->
        ignore
          (Weft.par
             (fun () -> spin 2_000)
             (fun () ->
               spin (delay * 500);
               raise (Planned 2))));
    Alcotest.check_raises "both" (Planned 1) (fun () ->
        ignore
          (Weft.par
             (fun () ->
               spin (delay * 500);
               raise (Planned 1))
             (fun () ->
               spin 5_000;
               raise (Planned 2))))
  done

let nothing_left_running () =
  in_each_size @@ fun () ->
  for i = 1 to 200 do
    let inside = Atomic.make 0 in
    let job () =
      Atomic.incr inside;
      spin 20_000;
      Atomic.decr inside
    in
    (match
       Weft.par
         (fun () ->
           Weft.par job (fun () ->
               spin (i * 50);
               raise (Planned i)))
         (fun () -> Weft.par job job)
     with
    | _ -> Alcotest.fail "no exception"
    | exception Planned j -> check_int "the exception" i j);
    check_int "jobs still running" 0 (Atomic.get inside)
  done

let unstarted_side_is_dropped () =
  Weft.run ~domains:1 @@ fun () ->
  let ran = ref false in
  (match Weft.par (fun () -> raise (Planned 1)) (fun () -> ran := true) with
  | _ -> Alcotest.fail "no exception"
  | exception Planned 1 -> ());
  Weft.yield ();
  Alcotest.(check bool) "the right side ran" false !ran;
  check_int "all: those to the right of a failure" 3
    (let count = ref 0 in
     (try
        ignore
          (Weft.all
             (List.init 10 (fun i () ->
                  incr count;
                  if i = 2 then raise (Planned 2))))
      with Planned 2 -> ());
     !count)

(* One leaf of a tree of calls fails, for each leaf and several shapes of the rest: the call raises that
   leaf's exception. *)
let at_every_place () =
  in_each_size @@ fun () ->
  let leaves = 64 in
  for place = 0 to leaves - 1 do
    let rec walk low high =
      if high - low = 1 then if low = place then raise (Planned place) else 1
      else
        let middle = (low + high) / 2 in
        let a, b =
          if high - (low land 3) = 0 then (
            let p = Weft.async (fun () -> walk low middle) in
            match walk middle high with
            | b -> (Weft.await p, b)
            | exception exn ->
                ignore (Weft.await p);
                raise exn)
          else
            Weft.par
              (fun () -> walk low middle)
              (fun () ->
                if middle land 1 = 0 then Weft.yield ();
                walk middle high)
        in
        a + b
    in
    match walk 0 leaves with
    | _ -> Alcotest.fail "no exception"
    | exception Planned i -> check_int "place" place i
  done;
  check_int "the pool works on" (fib_of 15) (fib 15)

let suppressed_are_told () =
  let told = Atomic.make [] in
  let rec add e =
    let was = Atomic.get told in
    if not (Atomic.compare_and_set told was (e :: was)) then add e
  in
  Weft.set_suppressed_handler (fun exn _ -> add exn);
  Fun.protect ~finally:(fun () -> Weft.set_suppressed_handler (fun _ _ -> ())) @@ fun () ->
  Weft.run ~domains:2 (fun () ->
      let started = Atomic.make false in
      match
        Weft.par
          (fun () ->
            while not (Atomic.get started) do
              Domain.cpu_relax ()
            done;
            raise (Planned 1))
          (fun () ->
            Atomic.set started true;
            spin 100_000;
            raise (Planned 2))
      with
      | _ -> Alcotest.fail "no exception"
      | exception Planned 1 -> ());
  Alcotest.(check bool) "the other one" true (Atomic.get told = [ Planned 2 ])

let settled () =
  in_each_size @@ fun () ->
  let outcomes =
    Weft.all_settled (List.init 100 (fun i () -> if i mod 7 = 0 then raise (Planned i) else i))
  in
  List.iteri
    (fun i o ->
      match o with
      | Ok v -> check_int "value" i v
      | Error (Planned j, _) ->
          check_int "exception" i j;
          check_int "only these" 0 (i mod 7)
      | Error _ -> Alcotest.fail "another exception")
    outcomes

let[@inline never] raise_far_down () = raise (Planned 7)

let backtraces_are_kept () =
  let before = Printexc.backtrace_status () in
  Printexc.record_backtrace true;
  Fun.protect ~finally:(fun () -> Printexc.record_backtrace before) @@ fun () ->
  on_each_size @@ fun pool ->
  let names_the_origin what f =
    match Weft.Pool.run pool f with
    | () -> Alcotest.fail "no exception"
    | exception Planned 7 ->
        let backtrace = Printexc.get_backtrace () in
        if not (Testing.Text.contains "raise_far_down" backtrace) then
          Alcotest.failf "%s: the backtrace does not name the origin:\n%s" what backtrace
  in
  names_the_origin "left" (fun () -> ignore (Weft.par raise_far_down (fun () -> ())));
  names_the_origin "right" (fun () -> ignore (Weft.par (fun () -> ()) raise_far_down));
  names_the_origin "right, stolen if possible" (fun () ->
      ignore (Weft.par (fun () -> spin 1_000_000) (fun () -> raise_far_down ())));
  names_the_origin "async" (fun () -> Weft.await (Weft.async raise_far_down));
  names_the_origin "async, run by a worker" (fun () ->
      let p = Weft.async raise_far_down in
      while not (Promise.is_settled p) do
        Weft.yield ()
      done;
      Weft.await p)

exception Unawaited of int

let reports_of_unawaited f = with_reports ~own:(function Unawaited _ -> true | _ -> false) f
let how_many reports n = List.length (List.filter (( = ) (Unawaited n)) (reports ()))

let unawaited_is_reported () =
  reports_of_unawaited @@ fun reports ->
  (* The pool closes while the promise is alive. *)
  let kept = ref [] in
  Weft.Pool.with_pool ~domains:2 (fun pool ->
      kept := [ Weft.Pool.async pool (fun () -> raise (Unawaited 1)) ]);
  check_int "at close" 1 (how_many reports 1);
  (* The promise is garbage. *)
  Weft.Pool.with_pool ~domains:2 (fun pool ->
      Weft.Pool.run pool (fun () ->
          ignore (Weft.async (fun () -> raise (Unawaited 2)));
          yield_until "it is reported" (fun () ->
              (* Finalisers run in the domain that ran the task: the domain must run some code, or have the
                 time to end. *)
              ignore (fib 15);
              Thread.delay 0.001;
              how_many reports 2 > 0));
      check_int "when garbage" 1 (how_many reports 2));
  check_int "once" 1 (how_many reports 1);
  check_int "once" 1 (how_many reports 2);
  ignore (Sys.opaque_identity !kept)

let awaited_is_not_reported () =
  reports_of_unawaited @@ fun reports ->
  Weft.Pool.with_pool ~domains:2 (fun pool ->
      Weft.Pool.run pool (fun () ->
          let p = Weft.async (fun () -> raise (Unawaited 3)) in
          while not (Promise.is_settled p) do
            Weft.yield ()
          done;
          (try Weft.await p with Unawaited 3 -> ());
          let q = Weft.async (fun () -> raise (Unawaited 4)) in
          while Promise.peek q = None do
            Weft.yield ()
          done;
          ignore (Weft.all_settled [ (fun () -> raise (Unawaited 5)) ])));
  List.iter (fun n -> check_int "reports" 0 (how_many reports n)) [ 3; 4; 5 ]

let a_raising_handler_harms_nobody () =
  Weft.set_uncaught_handler (fun _ _ -> raise Exit);
  Fun.protect ~finally:(fun () -> Weft.set_uncaught_handler (fun _ _ -> ())) @@ fun () ->
  Weft.Pool.with_pool ~domains:2 (fun pool ->
      ignore (Sys.opaque_identity (Weft.Pool.async pool (fun () -> raise (Planned 1))));
      check_int "works on" (fib_of 12) (Weft.Pool.run pool (fun () -> fib 12)))

let stack_overflow () =
  with_small_stacks @@ fun () ->
  on_each_size @@ fun pool ->
  let rec forever n = 1 + forever (n + 1) in
  (match Weft.Pool.run pool (fun () -> Weft.par (fun () -> forever 0) (fun () -> 1)) with
  | _ -> Alcotest.fail "no exception"
  | exception Stack_overflow -> ());
  check_int "works on" (fib_of 12) (Weft.Pool.run pool (fun () -> fib 12))

let tests =
  [
    case "the leftmost exception wins" leftmost_wins;
    case "a failing par leaves nothing running" nothing_left_running;
    case "a side not started is dropped" unstarted_side_is_dropped;
    case "an exception at every place" at_every_place;
    case "exceptions that lost are told" suppressed_are_told;
    case "all_settled tells of each" settled;
    case "backtraces name the origin" backtraces_are_kept;
    case "an exception nobody awaits is reported once" unawaited_is_reported;
    case "an exception somebody awaits is not reported" awaited_is_not_reported;
    case "a handler that raises harms nobody" a_raising_handler_harms_nobody;
    case "a stack overflow is an exception like others" stack_overflow;
  ]
