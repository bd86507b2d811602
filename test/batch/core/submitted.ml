(** Operations that nobody waits for at once. *)

open Subject
open Support

let await_all promises = List.map Weft.await promises
let cutoffs = [ `Fixed 2; `Fixed max_int; `Adaptive ]

let on_each f =
  List.iter (fun domains -> List.iter (fun cutoff -> Weft.run ~domains (fun () -> f cutoff)) cutoffs) sizes

let results_are_those_of_the_order_of_calls () =
  on_each (fun cutoff ->
      let s = make () in
      let b = B.create ~cutoff s in
      let n = 1_000 in
      let promises = List.init n (fun i -> B.submit b (Add i)) in
      check "results" (await_all promises = List.init n (fun i -> i * (i - 1) / 2));
      check "order" (List.rev s.order = List.init n Fun.id))

(* On one domain, the task that applies them begins when the fiber waits. *)
let they_are_one_batch () =
  Weft.run ~domains:1 @@ fun () ->
  let s = make () in
  let b = B.create ~cutoff:(`Fixed 2) s in
  let promises = List.init 1_000 (fun i -> B.submit b (Add i)) in
  check "nothing is applied yet" (s.order = []);
  ignore (await_all promises : int list);
  check "one batch" (s.batches = [ 1_000 ]);
  let s = make () in
  let b = B.create ~limit:40 ~cutoff:(`Fixed 2) s in
  let many = B.submit_many b (Array.init 30 (fun i -> Add i)) in
  let promises = List.init 60 (fun i -> B.submit b (Add (30 + i))) in
  check "many" (Array.length (Weft.await many) = 30);
  ignore (await_all promises : int list);
  check "within the limit" (s.batches = [ 10; 40; 40 ]);
  check "in order" (List.rev s.order = List.init 90 Fun.id)

let many_have_one_promise () =
  on_each (fun cutoff ->
      let b = B.create ~cutoff (make ()) in
      let first = B.submit_many b (Array.init 100 (fun i -> Add i)) in
      let second = B.submit_many b (Array.init 100 (fun i -> Add i)) in
      let sums offset = Array.init 100 (fun i -> offset + (i * (i - 1) / 2)) in
      check "results" (Weft.await second = sums 4_950 && Weft.await first = sums 0);
      check "nothing" (Weft.await (B.submit_many b ([||] : int op array)) = [||]);
      let failing =
        [| Call ignore; Fail Broken; Fail Exit; Call (fun () -> ignore (B.unguarded b).value) |]
      in
      (match Weft.await (B.submit_many b failing) with
      | _ -> Alcotest.fail "no exception"
      | exception Broken -> ());
      check_int "afterwards" 9_900 (B.exec b Get))

(* The operation of [exec], of [exclusive] and of [exec_many] comes after those submitted before. *)
let a_caller_s_order_is_kept () =
  on_each (fun cutoff ->
      let b = B.create ~cutoff (make ()) in
      for round = 1 to 200 do
        let promises = List.init (round mod 5) (fun _ -> B.submit b (Add 1)) in
        let many = B.submit_many b (Array.make (round mod 3) (Add 1)) in
        let sum = (round mod 5) + (round mod 3) in
        (match round mod 4 with
        | 0 -> check_int "exec" sum (B.exec b Get)
        | 1 -> check_int "exclusive" sum (B.exclusive b (fun s -> s.value))
        | 2 -> check "exec_many" (B.exec_many b [| Get |] = [| sum |])
        | _ ->
            B.quiesce b;
            check "quiesce" (List.for_all Weft.Promise.is_settled promises && Weft.Promise.is_settled many));
        ignore (B.exec b (Add (-sum)) : int)
      done)

(* Each of several callers, fibers of two pools and threads, sees its own calls in order. *)
let callers_among_others () =
  List.iter
    (fun cutoff ->
      let s = make () in
      let b = B.create ~cutoff ~limit:50 s in
      let rounds = Testing.Effort.count ~quick:30 ~usual:100 ~long:1_000 in
      let caller who =
        for i = 0 to rounds - 1 do
          let op j = Add ((1_000_000 * who) + (3 * i) + j) in
          let first = B.submit b (op 0) in
          let second =
            match i mod 3 with
            | 0 -> ignore (B.exec b (op 1) : int)
            | 1 -> ignore (B.submit b (op 1) : int Weft.promise)
            | _ -> ignore (B.submit_many b [| op 1 |] : int array Weft.promise)
          in
          ignore second;
          if i mod 7 = 0 then B.exclusive b (fun _ -> Weft.yield ());
          let last = B.submit b (op 2) in
          if i mod 2 = 0 then check "they come in order" (Weft.await first < Weft.await last)
        done;
        B.quiesce b
      in
      let pool first () = Weft.run ~domains:2 (fun () -> each first (first + 6) (fun who -> caller who)) in
      let others = [ Thread.create caller 1; Thread.create caller 2; Thread.create (pool 3) () ] in
      pool 9 ();
      List.iter Thread.join others;
      check_int "all" (14 * 3 * rounds) (List.length s.order);
      let next = Array.make 15 0 in
      List.iter
        (fun n ->
          let who = n / 1_000_000 in
          if n mod 1_000_000 <> next.(who) then Alcotest.failf "caller %d: %d comes too early" who n;
          next.(who) <- next.(who) + 1)
        (List.rev s.order))
    [ `Fixed 2; `Adaptive ]

(* --- failures --- *)

let failures_settle_their_promises () =
  on_each (fun cutoff ->
      let b = B.create ~cutoff (make ()) in
      let promises = List.init 100 (fun i -> B.submit b (if i mod 2 = 0 then Fail Broken else Call ignore)) in
      List.iteri
        (fun i p ->
          match Weft.Promise.await_result p with
          | Ok () -> check "it does not fail" (i mod 2 = 1)
          | Error (Broken, _) -> check "it fails" (i mod 2 = 0)
          | Error (exn, _) -> raise exn)
        promises);
  Weft.run ~domains:1 @@ fun () ->
  let s = make () in
  let b = B.create ~cutoff:(`Fixed 2) s in
  s.break <- (fun _ -> raise Broken);
  let promises = List.init 10 (fun _ -> B.submit b (Add 1)) in
  let failed = List.filter (fun p -> Result.is_error (Weft.Promise.await_result p)) promises in
  check_int "a batch that fails leaves half of them" 5 (List.length failed);
  s.break <- ignore;
  check_int "the others count" 5 (B.exec b Get)

let a_failure_that_nobody_awaits_is_reported () =
  let told = Atomic.make [] in
  let before = Weft.uncaught_handler () in
  Weft.set_uncaught_handler (fun exn _ -> Atomic.set told (exn :: Atomic.get told));
  Fun.protect ~finally:(fun () -> Weft.set_uncaught_handler before) @@ fun () ->
  Weft.run ~domains:1 (fun () ->
      let b = B.create (make ()) in
      ignore (Sys.opaque_identity (B.submit b (Fail Broken)) : unit Weft.promise);
      (match Weft.await (B.submit b (Fail Exit)) with
      | () -> Alcotest.fail "no exception"
      | exception Exit -> ());
      B.quiesce b);
  Testing.Watchdog.until "the failure is reported" (fun () ->
      Gc.full_major ();
      Atomic.get told <> []);
  check "once" (Atomic.get told = [ Broken ])

let calls_from_inside_are_refused () =
  on_each (fun cutoff ->
      let b = B.create ~cutoff (make ()) in
      let again () = B.submit b Get in
      refused "submit" (fun () -> B.exec b (Call again));
      refused "submit_many" (fun () -> B.exec b (Call (fun () -> B.submit_many b [| Get |])));
      refused "in a submitted one" (fun () -> Weft.await (B.submit b (Call again)));
      refused "in a batch" (fun () -> B.exec_many b [| Call again; Call again |]);
      refused "in exclusive" (fun () -> B.exclusive b (fun _ -> again ()));
      check_int "afterwards" 0 (B.exec b Get))

(* --- who awaits, and where --- *)

let a_cancelled_fiber_leaves_its_promise () =
  on_each (fun cutoff ->
      let b = B.create ~cutoff (make ()) in
      let go_on = Weft.Promise.create () and held = Atomic.make false in
      let hold () =
        Atomic.set held true;
        Weft.await go_on
      in
      let holder = Weft.async (fun () -> B.exec b (Call hold)) in
      while not (Atomic.get held) do
        Weft.yield ()
      done;
      let promise = B.submit b (Add 7) in
      (match Weft.Cancel.with_timeout 0.001 (fun () -> Weft.await promise) with
      | (_ : int) -> Alcotest.fail "the structure is held"
      | exception Weft.Cancel.Timeout -> ());
      Weft.Promise.resolve go_on ();
      Weft.await holder;
      check_int "it is applied" 7 (B.exec b Get);
      check_int "and settled" 0 (Weft.await promise))

(* A function that is told of a result submits the next operation. *)
let one_follows_the_other () =
  on_each (fun cutoff ->
      let b = B.create ~cutoff (make ()) and ended = Weft.Promise.create () in
      let rec next n =
        if n = 0 then Weft.Promise.resolve ended ()
        else Weft.Promise.on_settled (B.submit b (Add 1)) (fun _ -> next (n - 1))
      in
      next 500;
      Weft.await ended;
      check_int "sum" 500 (B.exec b Get))

let a_pool_that_is_closed_applies_them_first () =
  List.iter
    (fun domains ->
      let b = B.create (make ()) in
      let promises = ref [] in
      Weft.Pool.with_pool ~domains (fun p ->
          Weft.Pool.run p (fun () -> promises := List.init 100 (fun _ -> B.submit b (Add 1))));
      check "settled" (List.for_all Weft.Promise.is_settled !promises);
      check_int "sum" 100 (B.exec b Get))
    sizes

(* Nobody of a pool waits: they go to the default one. *)
let outside_of_pools () =
  let b = B.create (make ()) in
  let promises = List.init 100 (fun _ -> B.submit b (Add 1)) in
  check "results" (List.sort compare (await_all promises) = List.init 100 Fun.id);
  held b @@ fun let_go ->
  let others = Weft.Pool.with_pool ~domains:1 (fun p -> Weft.Pool.run p (fun () -> B.submit b (Add 1))) in
  let own = B.submit_many b [| Add 1; Add 1 |] in
  check "the structure is held" (not (Weft.Promise.is_settled others));
  let_go ();
  check "own" (Weft.await own = [| 101; 102 |]);
  check_int "of a pool that has been closed" 100 (Weft.await others);
  check_int "sum" 103 (B.exec b Get)

(* The waits of a pool's fibers are ended, and what others have submitted keeps its place. *)
let a_pool_is_closed_that_waits_among_them () =
  let s = make () in
  let b = B.create ~cutoff:(`Fixed 2) s in
  held b @@ fun let_go ->
  let p = Weft.Pool.create ~domains:1 () in
  let submit n = B.submit b (Add n) in
  let first = submit 1 in
  let waits = Weft.Pool.async p (fun () -> B.exec b (Add 100)) in
  have_suspended p 1;
  let many = B.submit_many b [| Add 2; Add 3 |] in
  let waits_too = Weft.Pool.async p (fun () -> B.exec b (Add 100)) in
  have_suspended p 2;
  let last = submit 4 in
  Weft.Pool.close p;
  List.iter
    (fun call ->
      match Weft.await call with
      | (_ : int) -> Alcotest.fail "it has not been ended"
      | exception Weft.Pool.Closed _ -> ())
    [ waits; waits_too ];
  let_go ();
  check "results" (Weft.await last = 6 && Weft.await many = [| 1; 3 |] && Weft.await first = 0);
  check "order" (List.rev s.order = [ 1; 2; 3; 4 ])

(* Fibers of one pool and submitted operations wait by turns. *)
let a_pool_is_closed_beside_a_submitter () =
  let s = make () in
  let b = B.create ~cutoff:(`Fixed 2) s in
  let closed = Atomic.make false in
  held b @@ fun let_go ->
  let p = Weft.Pool.create ~domains:2 () in
  let n = Testing.Effort.few 200 in
  let waits =
    List.init n (fun i ->
        let call = Weft.Pool.async p (fun () -> B.exec b (Add 1_000)) in
        have_suspended p (i + 1);
        ignore (B.submit b (Add 1) : int Weft.promise);
        call)
  in
  let rec submit k =
    if Atomic.get closed then k
    else begin
      ignore (B.submit_many b [| Add 1; Add 1 |] : int array Weft.promise);
      Thread.yield ();
      submit (k + 2)
    end
  in
  let submitted = Atomic.make 0 in
  let submitter = Thread.create (fun () -> Atomic.set submitted (submit 0)) () in
  Weft.Pool.close p;
  Atomic.set closed true;
  Thread.join submitter;
  List.iter
    (fun call ->
      match Weft.Promise.await_result call with
      | Error (Weft.Pool.Closed _, _) -> ()
      | Ok _ | Error _ -> Alcotest.fail "it has not been ended")
    waits;
  let_go ();
  check_int "all that was submitted, and nothing else" (n + Atomic.get submitted) (B.exec b Get)

(* A call in [Weft.blocking] counts as outside: it must not wait for the default pool, which waits for it. *)
let the_default_pool_is_being_closed () =
  let b = B.create ~cutoff:(`Fixed 2) (make ()) in
  let inside = Atomic.make false and go_on = Atomic.make false in
  let call () =
    Atomic.set inside true;
    Testing.Watchdog.until "it may go on" (fun () -> Atomic.get go_on);
    B.submit_many b [| Add 5; Add 6; Add 7 |]
  in
  let pool = Weft.Pool.default () in
  let blocked = Weft.Pool.async pool (fun () -> Weft.blocking call) in
  Testing.Watchdog.until "it is in the call" (fun () -> Atomic.get inside);
  let closer = Thread.create Weft.Pool.close pool in
  Testing.Watchdog.until "the pool is being closed" (fun () ->
      match Weft.Pool.async pool ignore with
      | (_ : unit Weft.promise) -> false
      | exception Invalid_argument _ -> true);
  Atomic.set go_on true;
  Thread.join closer;
  check "results" (Weft.await (Weft.await blocked) = [| 0; 5; 11 |]);
  check_int "they are applied" 18 (B.exec b Get)

(* Others come all the time, one by one. *)
let many_are_submitted_beside_others () =
  let b = B.create (make ()) and ended = Atomic.make false in
  let others () =
    let rec go sum =
      if Atomic.get ended then sum
      else begin
        ignore (B.submit b (Add 1) : int Weft.promise);
        if sum land 63 = 0 then B.quiesce b;
        go (sum + 1)
      end
    in
    go 0
  in
  Weft.Pool.with_pool ~domains:2 @@ fun p ->
  let sums = List.init 2 (fun _ -> Weft.Pool.async p others) in
  let n = Testing.Effort.few 50_000 in
  let many = B.submit_many b (Array.make n (Add 1)) in
  Atomic.set ended true;
  let sum = List.fold_left (fun sum p -> sum + Weft.await p) n sums in
  let results = Weft.await many in
  check "one after the other" (Array.for_all Fun.id (Array.mapi (fun i v -> v = results.(0) + i) results));
  check_int "all" sum (B.exec b Get)

(* --- structures that answer some operations last --- *)

(* [Get] is answered after the others of its batch. *)
module Late = Weft_batch.Make (struct
  include Subject

  let is_late (Op (op, _)) = match op with Get -> true | Add _ | Fail _ | Call _ -> false

  let run =
    Some
      (fun t ops ->
        let late, early = List.partition is_late (Array.to_list ops) in
        (Option.get run) t (Array.of_list (early @ late)))
end)

let rank (Op (op, _)) = match op with Get -> 1 | Add _ | Fail _ | Call _ -> 0

let what_is_answered_last_sees_no_later_call () =
  let random = Random.State.make [| 7 |] in
  on_each (fun cutoff ->
      let b = Late.create ~cutoff ~rank (make ()) and value = ref 0 in
      for _ = 1 to 200 do
        let expected = !value and late = Random.State.int random 3 = 0 in
        let op = if late then Get else Add 1 in
        if not late then incr value;
        let submitted = Late.submit b op in
        let expected_now = !value in
        let now = if Random.State.int random 10 = 0 then Late.exec b Get else expected_now in
        ignore (Late.submit_many b [| Add 1; Add 1 |] : int array Weft.promise);
        value := !value + 2;
        check_int "executed after it" expected_now now;
        if Random.State.int random 5 = 0 then check_int "submitted" expected (Weft.await submitted)
      done;
      check_int "all" !value (Late.exec b Get))

let a_rank_that_raises () =
  Weft.run ~domains:1 @@ fun () ->
  let b = Late.create ~cutoff:(`Fixed 2) ~rank:(fun _ -> raise Broken) (make ()) in
  let promises = List.init 10 (fun _ -> Late.submit b (Add 1)) in
  check "results" (await_all promises = List.init 10 Fun.id);
  check_int "afterwards" 10 (Late.exec b Get)

let tests =
  [
    case "results are those of the order of calls" results_are_those_of_the_order_of_calls;
    case "submitted operations are one batch" they_are_one_batch;
    case "many have one promise" many_have_one_promise;
    case "a caller's order is kept" a_caller_s_order_is_kept;
    case "callers among others" callers_among_others;
    case "failures settle their promises" failures_settle_their_promises;
    case "a failure that nobody awaits is reported" a_failure_that_nobody_awaits_is_reported;
    case "calls from inside are refused" calls_from_inside_are_refused;
    case "a cancelled fiber leaves its promise" a_cancelled_fiber_leaves_its_promise;
    case "one follows the other" one_follows_the_other;
    case "a pool that is closed applies them first" a_pool_that_is_closed_applies_them_first;
    case "outside of pools" outside_of_pools;
    case "a pool is closed that waits among them" a_pool_is_closed_that_waits_among_them;
    case "a pool is closed beside a submitter" a_pool_is_closed_beside_a_submitter;
    case "the default pool is being closed" the_default_pool_is_being_closed;
    case "many are submitted beside others" many_are_submitted_beside_others;
    case "what is answered last sees no later call" what_is_answered_last_sees_no_later_call;
    case "a rank that raises" a_rank_that_raises;
  ]
