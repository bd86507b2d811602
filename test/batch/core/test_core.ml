open Subject
open Support

(* Additions of one: together the values before must be each number once. *)
let count_up ?limit ?cutoff n =
  let s = make () in
  let b = B.create ?limit ?cutoff s in
  let seen = Bytes.make n '0' in
  each 0 n (fun _ ->
      let before = B.exec b (Add 1) in
      if Bytes.get seen before <> '0' then Alcotest.failf "%d was there twice" before;
      Bytes.set seen before '1');
  check_int "sum" n (B.exec b Get);
  (b, s)

let every_call_is_applied_once () =
  on_each_size (fun () ->
      List.iter
        (fun cutoff -> ignore (count_up ~cutoff 20_000))
        [ `Adaptive; `Fixed 1; `Fixed 2; `Fixed 100; `Fixed max_int ])

let lone_calls_are_applied_in_place () =
  let alone b =
    for i = 1 to 100 do
      check_int "before" (i - 1) (B.exec b (Add 1))
    done;
    let stats = B.stats b in
    check_int "in place" 100 stats.in_place;
    check_int "batches" 0 stats.batches
  in
  Weft.run ~domains:1 (fun () -> alone (B.create (make ())));
  alone (B.create (make ()))

let a_lone_call_allocates_nothing () =
  Weft.run ~domains:1 @@ fun () ->
  (* What the worker does when it is preempted may allocate. *)
  until_undisturbed "no call allocates" @@ fun () ->
  let b = B.create (make ()) in
  ignore (B.exec b Get);
  let before = Gc.minor_words () in
  for _ = 1 to 10_000 do
    ignore (Sys.opaque_identity (B.exec b Get))
  done;
  let words = Gc.minor_words () -. before in
  (* Only what the subject's own bookkeeping allocates. *)
  let s = make () in
  let before = Gc.minor_words () in
  for _ = 1 to 10_000 do
    ignore (Sys.opaque_identity (apply s Get))
  done;
  let own = Gc.minor_words () -. before in
  if words <= own +. 100. then Ok ()
  else Error (Printf.sprintf "%.1f words per call" ((words -. own) /. 10_000.))

let failing_operations_fail_alone () =
  on_each_size (fun () ->
      List.iter
        (fun cutoff ->
          let b = B.create ~cutoff (make ()) in
          let failed = Atomic.make 0 in
          each 0 2_000 (fun i ->
              if i mod 7 = 0 then (
                match B.exec b (Fail (Failure (string_of_int i))) with
                | () -> Alcotest.fail "no exception"
                | exception Failure why ->
                    if why <> string_of_int i then Alcotest.failf "%d got the exception of %s" i why;
                    Atomic.incr failed)
              else if i mod 5 = 0 then slow b
              else ignore (B.exec b (Add 1) : int));
          check_int "failed" 286 (Atomic.get failed);
          check_int "sum" (2_000 - 286 - 342) (B.exec b Get))
        [ `Fixed 1; `Fixed max_int ])

let a_failing_batch_fails_what_it_left () =
  on_each_size (fun () ->
      let s = make () in
      let b = B.create ~cutoff:(`Fixed 1) s in
      s.break <- (fun n -> if n > 3 then raise Broken);
      let ok = Atomic.make 0 and broken = Atomic.make 0 in
      each 0 2_000 (fun i ->
          if i mod 5 = 0 then try slow b with Broken -> ()
          else match B.exec b (Add 1) with _ -> Atomic.incr ok | exception Broken -> Atomic.incr broken);
      check_int "all came back" 1_600 (Atomic.get ok + Atomic.get broken);
      s.break <- ignore;
      check_int "those that were acknowledged are there" (Atomic.get ok) (B.exec b Get))

let results_that_are_missing_are_errors () =
  Weft.run ~domains:1 @@ fun () ->
  let module Lazybones = Weft_batch.Make (struct
    include Subject

    let run = Some (fun _ _ -> ())
  end) in
  let b = Lazybones.create ~cutoff:(`Fixed 1) (make ()) in
  (match Lazybones.exec_many b [| Get; Get |] with
  | _ -> Alcotest.fail "no exception"
  | exception Failure _ -> ());
  match Lazybones.exec_all b 2 (fun _ -> Call ignore) with
  | () -> Alcotest.fail "no exception, without results"
  | exception Failure _ -> ()

let many_are_one_batch_in_order () =
  on_each_size (fun () ->
      let s = make () in
      let b = B.create ~cutoff:(`Fixed 1) s in
      let before = B.exec_many b (Array.init 100 (fun i -> Add i)) in
      check "results" (before = Array.init 100 (fun i -> i * (i - 1) / 2));
      check "one batch" (s.batches = [ 100 ]);
      check "nothing" (B.exec_many b [||] = ([||] : int array));
      match
        B.exec_many b [| Call ignore; Fail Broken; Fail Exit; Call (fun () -> ignore (s.value <- 7)) |]
      with
      | _ -> Alcotest.fail "no exception"
      | exception Broken -> check_int "the others were applied" 7 (B.exec b Get))

let all_are_one_batch_without_results () =
  on_each_size (fun () ->
      let s = make () in
      let b = B.create ~limit:40 ~cutoff:(`Fixed 1) s in
      B.exec_all b 100 (fun i -> Call (fun () -> s.order <- i :: s.order));
      check "in order" (List.rev s.order = List.init 100 Fun.id);
      check "within the limit" (s.batches = [ 20; 40; 40 ]);
      B.exec_all b 0 (fun _ -> assert false);
      (* The function that makes the operations is not inside the structure. *)
      B.exec_all b 2 (fun i ->
          if i = 1 then ignore (B.exec b Get : int);
          Call ignore);
      let op = function
        | 1 -> Fail Broken
        | 2 -> Fail Broken
        | i -> Call (fun () -> s.value <- s.value + i)
      in
      (match B.exec_all b 5 op with
      | () -> Alcotest.fail "no exception"
      | exception Broken -> check_int "the others were applied" 7 (B.exec b Get));
      s.break <- (fun n -> if n > 4 then raise Exit);
      (match B.exec_all b 6 (fun _ -> Call ignore) with
      | () -> Alcotest.fail "what ends the batch is lost"
      | exception Exit -> ());
      match B.exec_all b (-1) (fun _ -> Call ignore) with
      | () -> Alcotest.fail "less than none"
      | exception Invalid_argument _ -> ())

let calls_are_served_in_the_order_of_arrival () =
  List.iter
    (fun cutoff ->
      Weft.run ~domains:1 @@ fun () ->
      (* A caller may be preempted when it has been noted and has not called yet. *)
      until_undisturbed "no caller gives way" @@ fun () ->
      let s = make () in
      let b = B.create ~cutoff s in
      let go_on = Weft.Promise.create () and held = ref false in
      let hold () =
        held := true;
        Weft.await go_on
      in
      let first = Weft.async (fun () -> B.exec b (Call hold)) in
      while not !held do
        Weft.yield ()
      done;
      let arrived = ref [] in
      let call i () =
        arrived := i :: !arrived;
        ignore (B.exec b (Add i) : int)
      in
      let calls = List.init 100 (fun i -> Weft.async (call i)) in
      while List.length !arrived < 100 do
        Weft.yield ()
      done;
      Weft.Promise.resolve go_on ();
      List.iter Weft.await (first :: calls);
      check "all have come" (List.length s.order = 100);
      if s.order = !arrived then Ok () else Error "not in order")
    [ `Fixed 2; `Fixed max_int ]

let batches_are_no_larger_than_the_limit () =
  on_each_size (fun () ->
      let s = make () in
      let b = B.create ~limit:10 ~cutoff:(`Fixed 1) s in
      meet b 2_000;
      ignore (B.exec_many b (Array.init 25 (fun i -> Add i)));
      check "sizes" (List.for_all (fun n -> n <= 10) s.batches);
      let stats = B.stats b in
      Array.iteri
        (fun k n -> if k > 3 && n > 0 then Alcotest.failf "%d batches of %d" n (1 lsl k))
        stats.sizes)

(* Half of the calls before it have lined up behind a call that takes a while: all must have ended when it
   returns. *)
let quiesce_waits () =
  on_each_size (fun () ->
      until_undisturbed "those before it have lined up" @@ fun () ->
      let b = B.create (make ()) in
      let go_on = Weft.Promise.create () in
      let begun = Atomic.make false and called = Atomic.make 0 and ended = Atomic.make 0 in
      let call f () =
        Atomic.incr called;
        B.exec b
          (Call
             (fun () ->
               f ();
               Atomic.incr ended))
      in
      let wait () =
        Atomic.set begun true;
        Weft.await go_on
      in
      let yield_until condition =
        while not (condition ()) do
          Weft.yield ()
        done
      in
      let first = Weft.async (call wait) in
      yield_until (fun () -> Atomic.get begun);
      let calls = List.init 50 (fun _ -> Weft.async (call Weft.yield)) in
      yield_until (fun () -> Atomic.get called = 51);
      let quiet =
        Weft.async (fun () ->
            B.quiesce b;
            Atomic.get ended)
      in
      yield_often ();
      check "it waits for the first" (not (Weft.Promise.is_settled quiet));
      Weft.Promise.resolve go_on ();
      (* At most one for each domain has not lined up yet when it is called, if none was preempted before. *)
      let ended_before = Weft.await quiet in
      List.iter Weft.await (first :: calls);
      check "it waited for the first" (ended_before > 0);
      if ended_before >= 51 - Weft.Pool.(domains (Option.get (current ()))) then Ok ()
      else Error (Printf.sprintf "%d ended before it" ended_before))

let threads_take_part () =
  let b = B.create (make ()) in
  let each_thread () =
    for i = 1 to 1_000 do
      ignore (B.exec b (Add 1) : int);
      if i mod 100 = 0 then B.exec b (Call Thread.yield);
      if i mod 250 = 0 then B.quiesce b
    done
  in
  let threads = List.init 4 (fun _ -> Thread.create each_thread ()) in
  let domains = List.init 2 (fun _ -> Domain.spawn each_thread) in
  List.iter Thread.join threads;
  List.iter Domain.join domains;
  check_int "sum" 6_000 (B.exec b Get);
  let domain = Domain.spawn each_thread in
  on_each_size (fun () -> meet b 1_000);
  Domain.join domain;
  (* Sums of what [meet] adds. *)
  let met = ref 0 in
  for i = 0 to 999 do
    if i mod 5 <> 0 then met := !met + i
  done;
  check_int "sum" (7_000 + (List.length sizes * !met)) (B.exec b Get)

let several_pools () =
  let b = B.create (make ()) in
  let work () =
    Weft.run ~domains:2 (fun () ->
        each 0 2_000 (fun i -> if i mod 5 = 0 then slow b else ignore (B.exec b (Add 1) : int)))
  in
  let others = List.init 2 (fun _ -> Thread.create work ()) in
  work ();
  List.iter Thread.join others;
  check_int "sum" 4_800 (B.exec b Get)

let nested_structures () =
  on_each_size (fun () ->
      let inner = B.create (make ()) and outer = B.create ~cutoff:(`Fixed 2) (make ()) in
      each 0 1_000 (fun i ->
          if i mod 2 = 0 then ignore (B.exec outer (Call (fun () -> B.exec inner (Add 1))) : int)
          else ignore (B.exec inner (Add 1) : int));
      check_int "sum" 1_000 (B.exec inner Get))

let crossed_structures_are_a_deadlock () =
  Testing_pools.Deadlocks.detecting @@ fun () ->
  List.iter
    (fun domains ->
      let a = B.create (make ()) and b = B.create (make ()) in
      (match
         Weft.run ~domains (fun () ->
             let inside = Atomic.make 0 in
             let both x y () =
               B.exec x
                 (Call
                    (fun () ->
                      Atomic.incr inside;
                      while Atomic.get inside < 2 do
                        Weft.yield ()
                      done;
                      B.exec y (Add 1)))
             in
             Weft.par (both a b) (both b a))
       with
      | _ -> Alcotest.fail "no deadlock"
      | exception Weft.Deadlock.Deadlock _ -> ());
      (* Both structures go on. *)
      Weft.run ~domains (fun () ->
          ignore (B.exec a (Add 1) : int);
          ignore (B.exec b (Add 1) : int)))
    sizes

(* A caller that has lined up is cancelled: its operation is applied, it gets the result, and only then
   does its cancellation take effect. *)
let a_cancelled_caller_is_served_all_the_same () =
  (* Repeats until the caller has lined up before it is cancelled. *)
  let attempt () =
    (* With a fixed cutoff no caller spins. *)
    let b = B.create ~cutoff:(`Fixed 2) (make ()) in
    let go_on = Weft.Promise.create () and held = Atomic.make false in
    let hold () =
      Atomic.set held true;
      Weft.await go_on
    in
    let holder = Weft.async (fun () -> B.exec b (Call hold)) in
    while not (Atomic.get held) do
      Weft.yield ()
    done;
    let token = Weft.Cancel.create () in
    let got = ref (-1) in
    let caller =
      Weft.async (fun () ->
          match
            Weft.Cancel.within token (fun () ->
                got := B.exec b (Add 1);
                Weft.yield ())
          with
          | () -> false
          | exception Weft.Cancel.Cancelled _ -> true)
    in
    yield_often ();
    Weft.Cancel.cancel token;
    yield_often ();
    let waits = not (Weft.Promise.is_settled caller) in
    Weft.Promise.resolve go_on ();
    Weft.await holder;
    if waits then begin
      check "it is cancelled afterwards" (Weft.await caller);
      check_int "and has its result" 0 !got;
      check_int "which counts" 1 (B.exec b Get);
      Ok ()
    end
    else Error "it was cancelled before it had lined up"
  in
  on_each_size (fun () -> until_undisturbed "it waits" attempt)

(* The owner of the structure is outside of the pool that is closed; others wait in another pool. *)
let closing_a_pool_ends_its_waits () =
  let b = B.create (make ()) in
  let held = Atomic.make false and go_on = Atomic.make false in
  let wait_until what flag = Testing.Watchdog.until what (fun () -> Atomic.get flag) in
  let holder =
    Thread.create
      (fun () ->
        B.exclusive b (fun _ ->
            Atomic.set held true;
            wait_until "it may go on" go_on))
      ()
  in
  wait_until "it is held" held;
  Weft.Pool.with_pool ~domains:2 (fun other ->
      let stays = List.init 5 (fun _ -> Weft.Pool.async other (fun () -> B.exec b (Add 1))) in
      let p = Weft.Pool.create ~domains:2 () in
      let ended = List.init 5 (fun _ -> Weft.Pool.async p (fun () -> B.exec b (Add 100))) in
      let stays = stays @ List.init 5 (fun _ -> Weft.Pool.async other (fun () -> B.exec b (Add 1))) in
      have_suspended other 10;
      have_suspended p 5;
      Weft.Pool.close p;
      List.iter
        (fun call ->
          match Weft.await call with
          | _ -> Alcotest.fail "it has not been ended"
          | exception Weft.Pool.Closed _ -> ())
        ended;
      Atomic.set go_on true;
      Thread.join holder;
      List.iter (fun call -> ignore (Weft.await call : int)) stays;
      check_int "sum" 10 (B.exec b Get))

let () =
  Alcotest.run "batch"
    [
      ( "core",
        [
          case "every call is applied once" every_call_is_applied_once;
          case "lone calls are applied in place" lone_calls_are_applied_in_place;
          case "a lone call allocates nothing" a_lone_call_allocates_nothing;
          case "a lone call in a pool inside a handler allocates nothing" (fun () ->
              Effects.answered a_lone_call_allocates_nothing);
          case "failing operations fail alone" failing_operations_fail_alone;
          case "a failing batch fails what it left" a_failing_batch_fails_what_it_left;
          case "results that are missing are errors" results_that_are_missing_are_errors;
          case "many are one batch, in order" many_are_one_batch_in_order;
          case "all are one batch, without results" all_are_one_batch_without_results;
          case "calls are served in the order of arrival" calls_are_served_in_the_order_of_arrival;
          case "batches are no larger than the limit" batches_are_no_larger_than_the_limit;
          case "quiesce waits" quiesce_waits;
          case "threads take part" threads_take_part;
          case "several pools" several_pools;
          case "nested structures" nested_structures;
          case "crossed structures are a deadlock" crossed_structures_are_a_deadlock;
          case "a cancelled caller is served all the same" a_cancelled_caller_is_served_all_the_same;
          case "closing a pool ends its waits" closing_a_pool_ends_its_waits;
        ] );
      ("signatures", Signatures.tests);
      ("statistics", Statistics.tests);
      ("patience", Patient.tests);
      ("pieces", Pieces.tests);
      ("inside", Inside.tests);
      ("interruptions", Interruptions.tests);
      ("stopped", Stopped.tests);
      ("ownership", Ownership.tests);
      ("submitted", Submitted.tests);
      ("no order", No_order.tests);
      ("effects", Effects.tests);
      ("absurd arguments", Absurd_arguments.tests);
      ("not cut", Cut.tests);
      ("bulk", Bulk.tests);
    ]
