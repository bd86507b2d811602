open Support

(* Each case on pools of every size, and once from outside. *)
let everywhere test =
  in_each_size test;
  test ()

(* Each minor collection stops all domains: with a tiny minor heap the test does less. *)
let tiny = deep < 1_000_000

let up_to n =
  let next = ref 0 in
  fun () ->
    if !next = n then None
    else begin
      incr next;
      Some (!next - 1)
    end

(* --- random pipelines --- *)

type kind = Parallel | Serial | In_order

(* What a stage does to each item. *)
type stage = { kind : kind; spins : int; yields_at : int; fails_at : int option }
type plan = { items : int; tokens : int option; producer_fails : bool; stages : stage list }

let print plan =
  let stage s =
    Printf.sprintf "%s spins %d yields %d%s"
      (match s.kind with Parallel -> "parallel" | Serial -> "serial" | In_order -> "in order")
      s.spins s.yields_at
      (match s.fails_at with None -> "" | Some n -> Printf.sprintf " fails %d" n)
  in
  Printf.sprintf "%d items, %s tokens%s: %s" plan.items
    (match plan.tokens with None -> "default" | Some n -> string_of_int n)
    (if plan.producer_fails then ", producer fails" else "")
    (String.concat "; " (List.map stage plan.stages))

let plan =
  let open QCheck.Gen in
  let* items = frequency [ (1, int_bound 3); (4, int_bound 60) ] in
  let stage =
    let* kind = oneofl [ Parallel; Serial; In_order ] in
    let* spins = oneofl [ 0; 0; 100; 5_000 ] in
    let* yields_at = oneofl [ 1; 2; 3; 7; 1_000 ] in
    let* fails_at = frequency [ (9, return None); (1, map Option.some (int_bound (max 0 (items - 1)))) ] in
    return { kind; spins; yields_at; fails_at }
  in
  let* tokens = frequency [ (1, return None); (3, map Option.some (int_range 1 9)) ] in
  let* producer_fails = frequency [ (9, return false); (1, return true) ] in
  let* stages = list_size (int_range 1 5) stage in
  return { items; tokens; producer_fails; stages }

(* The first broken promise of the pipeline. *)
type watch = { broken : string option Atomic.t; failed : int option Atomic.t }

let broken w what = ignore (Atomic.compare_and_set w.broken None (Some what))

let rec failing w i =
  let was = Atomic.get w.failed in
  let is_first = match was with None -> true | Some j -> i < j in
  if is_first && not (Atomic.compare_and_set w.failed was (Some i)) then failing w i

let fail_at w i =
  failing w i;
  raise (Planned i)

let stage_of w number s =
  let inside = Atomic.make 0 and next = ref 0 and dead = Atomic.make false in
  let act (i, x) =
    spin (s.spins * (1 + (i mod 3)));
    if i mod s.yields_at = s.yields_at - 1 then Weft.yield ();
    if s.fails_at = Some i then begin
      Atomic.set dead true;
      fail_at w i
    end;
    (i, (x * 3) + number)
  in
  let alone item =
    if Atomic.fetch_and_add inside 1 <> 0 then broken w "two items in a serial stage";
    if Atomic.get dead then broken w "an item in a serial stage that has failed";
    Fun.protect ~finally:(fun () -> Atomic.decr inside) (fun () -> act item)
  in
  let in_turn ((i, _) as item) =
    if !next <> i then broken w (Printf.sprintf "item %d where %d was next" i !next);
    incr next;
    alone item
  in
  match s.kind with
  | Parallel -> Weft.Stage.parallel act
  | Serial -> Weft.Stage.serial alone
  | In_order -> Weft.Stage.in_order in_turn

let meaning plan i = snd (List.fold_left (fun (n, x) _ -> (n + 1, (x * 3) + n)) (0, i) plan.stages)

let execute workers plan =
  let w = { broken = Atomic.make None; failed = Atomic.make None } in
  let tokens = Option.value plan.tokens ~default:(4 * workers) in
  let in_flight = Atomic.make 0 and producing = Atomic.make 0 and over = Atomic.make false in
  let produce = up_to plan.items in
  let producer () =
    if Atomic.get over then broken w "production after its end";
    if Atomic.fetch_and_add producing 1 <> 0 then broken w "two producers";
    if Atomic.fetch_and_add in_flight 1 >= tokens then broken w "more items than tokens";
    let item = produce () in
    if item = None then Atomic.set over true;
    Atomic.decr producing;
    match item with
    | None when plan.producer_fails -> fail_at w plan.items
    | None -> None
    | Some i -> Some (i, i)
  in
  let leave (_, x) =
    Atomic.decr in_flight;
    x
  in
  let stages = List.mapi (stage_of w) plan.stages in
  let stages = List.fold_left Weft.Stage.( >>> ) (List.hd stages) (List.tl stages) in
  let got =
    match Weft.pipeline_to_list ?tokens:plan.tokens producer Weft.Stage.(stages >>> parallel leave) with
    | results -> Ok results
    | exception Planned i -> Error i
  in
  let expected =
    match Atomic.get w.failed with None -> Ok (List.init plan.items (meaning plan)) | Some i -> Error i
  in
  let fails =
    plan.producer_fails || List.exists (fun s -> s.fails_at <> None && plan.items > 0) plan.stages
  in
  Option.iter (fun what -> QCheck.Test.fail_report what) (Atomic.get w.broken);
  if Result.is_error expected <> fails then QCheck.Test.fail_report "no failure came to pass";
  got = expected

let random_pipelines () =
  let check ~count workers =
    QCheck.Test.check_exn
      ~rand:(Random.State.make [| 5; workers |])
      (QCheck.Test.make ~count:(tries count) ~name:"pipelines" (QCheck.make ~print plan) (execute workers))
  in
  let count = if tiny then 25 else 300 in
  List.iter
    (fun domains -> Weft.Pool.with_pool ~domains (fun p -> Weft.Pool.run p (fun () -> check ~count domains)))
    sizes;
  check ~count:25 (Weft.Pool.default_domains ())

(* --- single promises --- *)

let nothing_produced () =
  everywhere @@ fun () ->
  Weft.pipeline (fun () -> None) Weft.Stage.(serial Fun.id >>> in_order ignore);
  Alcotest.(check (list int))
    "no results" []
    (Weft.pipeline_to_list (fun () -> None) (Weft.Stage.serial Fun.id))

let one_token_is_one_after_the_other () =
  everywhere @@ fun () ->
  let trace = ref [] in
  let see what i =
    Weft.yield ();
    trace := (what, i) :: !trace;
    i
  in
  let next = up_to 50 in
  let producer () = Option.map (see 0) (next ()) in
  Weft.pipeline ~tokens:1 producer
    Weft.Stage.(parallel (see 1) >>> serial (see 2) >>> parallel (fun i -> ignore (see 3 i)));
  let expected = List.concat (List.init 50 (fun i -> List.init 4 (fun what -> (what, i)))) in
  if List.rev !trace <> expected then Alcotest.fail "items overlap"

let all_tokens_are_used () =
  everywhere @@ fun () ->
  (* Each item waits until all five of its group are there. *)
  let arrived = Array.init 40 (fun _ -> Atomic.make 0)
  and all_there = Array.init 40 (fun _ -> Weft.Promise.create ()) in
  let meet i =
    let group = i / 5 in
    if Atomic.fetch_and_add arrived.(group) 1 = 4 then Weft.Promise.resolve all_there.(group) ();
    Weft.await all_there.(group)
  in
  Weft.pipeline ~tokens:5 (up_to 200) (Weft.Stage.parallel meet)

let no_item_is_late_for_ever () =
  (* An item may wait for a later one. *)
  everywhere @@ fun () ->
  let later = Weft.Promise.create () in
  let f i = if i = 0 then Weft.await later else if i = 3 then Weft.Promise.resolve later () in
  Weft.pipeline ~tokens:4 (up_to 100) Weft.Stage.(parallel f >>> in_order ignore)

(* Short items pass in turn, and thieves put off the steal of the baton: it must come to them all the same. *)
let a_short_item_may_wait () =
  everywhere @@ fun () ->
  let later = Weft.Promise.create () in
  let f i = if i = 2_000 then Weft.await later else if i = 2_003 then Weft.Promise.resolve later () in
  let sum = ref 0 in
  Weft.pipeline (up_to 4_000)
    Weft.Stage.(
      parallel (fun i ->
          f i;
          i)
      >>> serial Fun.id
      >>> in_order (fun i -> sum := !sum + i));
  check_int "sum" (4_000 * 3_999 / 2) !sum

let a_short_item_may_hold_its_domain () =
  List.iter
    (fun domains ->
      Weft.run ~domains @@ fun () ->
      let reached = Atomic.make 0 and again = Atomic.make 0 in
      let f i =
        Atomic.set reached i;
        if i = 2_000 then wait_until "the next item begins" (fun () -> Atomic.get reached > i);
        i
      and g i =
        if i = 4_000 then wait_until "a later item comes before" (fun () -> Atomic.get again > i);
        i
      and h i =
        Atomic.set again i;
        i
      in
      let sum = ref 0 in
      Weft.pipeline (up_to 6_000)
        Weft.Stage.(parallel f >>> parallel h >>> in_order g >>> serial (fun i -> sum := !sum + i));
      check_int "sum" (6_000 * 5_999 / 2) !sum)
    [ 2; 3; 8 ]

(* A deque has one mark: see [Deque.push_deferred]. *)
let deferred_onto_an_empty_deque_only () =
  let open Weft_platform in
  Weft.run ~domains:1 @@ fun () ->
  let deque = Deque_memory.current () in
  let marked f =
    let before = Deque_memory.deferred deque in
    f ();
    Deque_memory.deferred deque <> before
  in
  let push () = ignore (Weft_loops.Deferred_rest.async ignore : unit Weft_scheduler.Job.t) in
  check "onto an empty deque" (marked push);
  check "onto another job" (not (marked push))

(* How many of [n] items the holder keeps the baton for, in percent, where an item takes so many ticks if it is
   kept, and so many if it is passed on. *)
let percent_kept ?(while_kept = ignore) ?policy n ~kept ~passed =
  let module Policy = Weft_loops.Baton_policy in
  let time, policy =
    match policy with
    | Some both -> both
    | None ->
        let time = ref 0 in
        (time, Policy.make ~clock:(fun () -> !time) ~always_pass:false ())
  in
  let keeps = ref 0 in
  for i = 1 to n do
    Policy.next policy;
    if Policy.keeps policy then begin
      incr keeps;
      while_kept policy;
      time := !time + kept i
    end
    else time := !time + passed i
  done;
  100 * !keeps / n

let policy_finds_what_is_faster () =
  let n = 100_000 and always ticks _ = ticks in
  let uneven ticks i = if i mod 1_000 = 0 then 1_000_000 else ticks in
  let is what holds percent = if not holds then Alcotest.failf "%s: kept for %d %%" what percent in
  let most what percent = is what (percent > 80) percent
  and few what percent = is what (percent < 20) percent in
  most "faster kept" (percent_kept n ~kept:(always 300) ~passed:(always 900));
  few "faster passed on" (percent_kept n ~kept:(always 900) ~passed:(always 600));
  most "with collections" (percent_kept n ~kept:(uneven 300) ~passed:(uneven 900));
  few "with collections, faster passed on" (percent_kept n ~kept:(uneven 900) ~passed:(uneven 600));
  check_int "long items are passed on" 0 (percent_kept n ~kept:(always 10_000) ~passed:(always 20_000));
  few "items that wait"
    (percent_kept n ~while_kept:Weft_loops.Baton_policy.surprise ~kept:(always 300) ~passed:(always 900))

(* Another processor's clock, once. *)
let policy_when_the_clock_steps_back () =
  for window = 1 to 350 do
    let ticks n i = if i = (32 * window) + 5 then -10_000_000 else n in
    let percent = percent_kept 50_000 ~kept:(ticks 300) ~passed:(ticks 900) in
    if percent < 50 then Alcotest.failf "back in window %d: kept for %d %%" window percent;
    let percent = percent_kept 50_000 ~kept:(ticks 900) ~passed:(ticks 300) in
    if percent > 50 then Alcotest.failf "back in window %d, faster passed on: kept for %d %%" window percent
  done

let policy_follows_changes () =
  let module Policy = Weft_loops.Baton_policy in
  let time = ref 0 in
  let policy = (time, Policy.make ~clock:(fun () -> !time) ~always_pass:false ()) in
  let run what ~kept ~passed ~holds =
    ignore (percent_kept ~policy 100_000 ~kept ~passed : int);
    let percent = percent_kept ~policy 100_000 ~kept ~passed in
    if not (holds percent) then Alcotest.failf "%s: kept for %d %%" what percent
  in
  let always ticks _ = ticks in
  for _ = 1 to 3 do
    run "short" ~kept:(always 300) ~passed:(always 900) ~holds:(fun p -> p > 80);
    run "longer" ~kept:(always 4_000) ~passed:(always 2_500) ~holds:(fun p -> p < 20);
    run "long" ~kept:(always 50_000) ~passed:(always 25_000) ~holds:(fun p -> p = 0)
  done

let alone_nothing_suspends () =
  Weft.Pool.with_pool ~domains:1 @@ fun pool ->
  let jobs () = Array.fold_left (fun n (s : Weft.Pool.worker_stats) -> n + s.jobs) 0 (Weft.Pool.stats pool) in
  let before, after =
    Weft.Pool.run pool (fun () ->
        let before = jobs () in
        Weft.pipeline (up_to 1_000)
          Weft.Stage.(in_order succ >>> serial succ >>> parallel succ >>> in_order ignore);
        (before, jobs ()))
  in
  (* The task in which all items run, and the caller once it has ended. *)
  check_int "jobs started or resumed" 2 (after - before)

let work_is_spread () =
  (* At most one call per domain runs at a time, and both ends are always called. *)
  List.iter
    (fun domains ->
      Weft.run ~domains @@ fun () ->
      let inside = Atomic.make 0 and most = Atomic.make 0 in
      let f _ =
        let now = 1 + Atomic.fetch_and_add inside 1 in
        if now > Atomic.get most then Atomic.set most now;
        wait_until "as many items as domains" (fun () -> Atomic.get most >= domains);
        Atomic.decr inside
      in
      Weft.pipeline ~tokens:8 (up_to 20) (Weft.Stage.parallel f);
      check_int "items at the same time" domains (min domains (Atomic.get most)))
    [ 2; 3 ]

let many_items () =
  let n = if tiny then 2_000 else 100_000 in
  everywhere @@ fun () ->
  let sum = ref 0 in
  Weft.pipeline (up_to n)
    Weft.Stage.(in_order succ >>> parallel succ >>> serial succ >>> in_order (fun i -> sum := !sum + i));
  check_int "sum" ((n * (n - 1) / 2) + (3 * n)) !sum

(* Counted in the call for the last item of the last stage: all others have passed, and no call runs beside
   it. Each item takes 100 words, besides what the pipeline keeps for it. *)
let live_at_the_end n =
  let live = ref 0 in
  let next = up_to n in
  let work a =
    if a.(0) mod 97 = 0 then Weft.yield ();
    a
  in
  let last a = if a.(0) = n - 1 then live := Testing.Memory.live_words () in
  Weft.pipeline ~tokens:16
    (fun () -> Option.map (fun i -> Array.make 100 i) (next ()))
    Weft.Stage.(in_order work >>> serial work >>> parallel work >>> serial work >>> in_order last);
  !live

let memory_is_bounded () =
  let n = if tiny then 3_000 else 200_000 in
  List.iter
    (fun domains ->
      Weft.run ~domains @@ fun () ->
      Option.iter
        (fun words -> Alcotest.failf "%d domains: %d words are kept of %d items" domains words n)
        (Testing.Memory.always_above (n / 2) (fun () ->
             let short = live_at_the_end (n / 10) in
             live_at_the_end n - short)))
    [ 1; 2 ]

let pipelines_nest () =
  everywhere @@ fun () ->
  let inner i =
    List.fold_left ( + ) 0
      (Weft.pipeline_to_list ~tokens:(1 + (i mod 3)) (up_to i) Weft.Stage.(parallel succ >>> serial Fun.id))
  in
  let got =
    Weft.pipeline_to_list ~tokens:3 (up_to 30)
      Weft.Stage.(serial Fun.id >>> parallel inner >>> in_order Fun.id)
  in
  Alcotest.(check (list int)) "sums" (List.init 30 (fun i -> i * (i + 1) / 2)) got

let stages_may_fork () =
  everywhere @@ fun () ->
  let got =
    Weft.pipeline_to_list (up_to 16)
      Weft.Stage.(parallel fib >>> serial (fun x -> Weft.await (Weft.async (fun () -> x))))
  in
  Alcotest.(check (list int)) "fib" (List.init 16 fib_of) got

let stages_hold_no_state () =
  everywhere @@ fun () ->
  let stages = Weft.Stage.(in_order succ >>> serial succ) in
  let once () = Weft.pipeline_to_list (up_to 200) stages in
  let a, b = Weft.par once once in
  Alcotest.(check (list int)) "twice at once" a b;
  check_int "length" 200 (List.length a)

(* --- failures --- *)

let the_producer_fails () =
  everywhere @@ fun () ->
  let next = up_to 20 and finished = Atomic.make 0 and calls = ref 0 in
  let produce () =
    incr calls;
    match next () with None -> raise (Planned 20) | item -> item
  in
  (match Weft.pipeline ~tokens:4 produce (Weft.Stage.parallel (fun _ -> Atomic.incr finished)) with
  | () -> Alcotest.fail "no exception"
  | exception Planned 20 -> ());
  check_int "calls of the producer" 21 !calls

let all_has_ended_when_it_raises () =
  everywhere @@ fun () ->
  let running = Atomic.make 0 in
  let f i =
    Atomic.incr running;
    Fun.protect
      ~finally:(fun () -> Atomic.decr running)
      (fun () ->
        for _ = 1 to 5 do
          spin 2_000;
          Weft.yield ()
        done;
        if i mod 5 = 4 then raise (Planned i))
  in
  let next = up_to 1_000 and produced = ref 0 in
  let produce () =
    incr produced;
    next ()
  in
  (match Weft.pipeline ~tokens:6 produce Weft.Stage.(serial Fun.id >>> parallel f >>> in_order Fun.id) with
  | () -> Alcotest.fail "no exception"
  | exception Planned i -> if i > 20 then Alcotest.failf "item %d was started after a failure" i);
  check_int "items still running" 0 (Atomic.get running);
  if !produced > 20 then Alcotest.failf "%d items were produced" !produced

let nobody_enters_a_stage_that_has_failed () =
  (* The first item to enter fails when all the others wait behind it. *)
  let once stage =
    let coming = Atomic.make 0 and entered = Atomic.make 0 in
    let come i =
      Atomic.incr coming;
      i
    in
    let enter i =
      Atomic.incr entered;
      while Atomic.get coming < 4 do
        Weft.yield ()
      done;
      for _ = 1 to 5 do
        Weft.yield ()
      done;
      raise (Planned i)
    in
    (match Weft.pipeline ~tokens:4 (up_to 20) Weft.Stage.(parallel come >>> stage enter) with
    | () -> Alcotest.fail "no exception"
    | exception Planned _ -> ());
    check_int "items in the stage" 1 (Atomic.get entered)
  in
  in_each_size @@ fun () ->
  for _ = 1 to if tiny then 10 else 100 do
    once Weft.Stage.serial;
    once Weft.Stage.in_order
  done

let failures_have_their_backtrace () =
  let was = Printexc.backtrace_status () in
  Printexc.record_backtrace true;
  Fun.protect ~finally:(fun () -> Printexc.record_backtrace was) @@ fun () ->
  everywhere @@ fun () ->
  let[@inline never] deep i = if i = 7 then raise (Planned i) else i in
  match Weft.pipeline (up_to 10) Weft.Stage.(serial (fun i -> 1 + deep i) >>> parallel ignore) with
  | () -> Alcotest.fail "no exception"
  | exception Planned _ ->
      let trace = Printexc.get_backtrace () in
      Testing.Text.check_contains "the trace of the origin" ~part:"pipelines.ml" trace

let no_tokens () =
  List.iter
    (fun tokens ->
      raises_invalid "pipeline" (Printf.sprintf "Weft.pipeline: tokens must be at least 1, not %d" tokens)
        (fun () -> Weft.pipeline ~tokens (up_to 3) (Weft.Stage.parallel ignore));
      raises_invalid "pipeline_to_list" "Weft.pipeline_to_list: tokens" (fun () ->
          Weft.pipeline_to_list ~tokens (up_to 3) (Weft.Stage.parallel ignore)))
    [ 0; -1; min_int ];
  Weft.pipeline ~tokens:max_int (up_to 100) (Weft.Stage.serial ignore)

(* Its items need nobody else, and there is always a next one. *)
let others_run () =
  List.iter
    (fun domains ->
      Weft.run ~domains @@ fun () ->
      let told = Atomic.make false in
      let other =
        Weft.async (fun () ->
            Weft.sleep 0.01;
            Atomic.set told true)
      in
      let next () = if Atomic.get told then None else Some () in
      Weft.pipeline next (Weft.Stage.parallel ignore);
      Weft.await other)
    [ 1; 2; 8 ]

let tests =
  [
    case "others run beside a pipeline that never waits" others_run;
    case "random pipelines: results, order, tokens, one at a time, the earliest failure" random_pipelines;
    case "nothing produced, nothing done" nothing_produced;
    case "with one token items pass one after the other" one_token_is_one_after_the_other;
    case "as many items as tokens are in flight" all_tokens_are_used;
    case "an item may wait for a later one" no_item_is_late_for_ever;
    case "a short item may wait for a later one" a_short_item_may_wait;
    case "a short item may hold its domain until a later one comes" a_short_item_may_hold_its_domain;
    case "the baton is deferred onto an empty deque only" deferred_onto_an_empty_deque_only;
    case "the baton is kept where that is faster" policy_finds_what_is_faster;
    case "and where that changes" policy_follows_changes;
    case "and where the clock steps back" policy_when_the_clock_steps_back;
    case "on one domain no item is suspended or queued" alone_nothing_suspends;
    case "items run on all domains" work_is_spread;
    case "many items" many_items;
    case "what has passed is garbage" memory_is_bounded;
    case "pipelines nest" pipelines_nest;
    case "stages may fork and await" stages_may_fork;
    case "stages hold no state" stages_hold_no_state;
    case "a producer that fails is not called again" the_producer_fails;
    case "all has ended when it raises" all_has_ended_when_it_raises;
    case "nobody enters a stage that has failed" nobody_enters_a_stage_that_has_failed;
    case "failures have their backtrace" failures_have_their_backtrace;
    case "fewer than one token are refused" no_tokens;
  ]
