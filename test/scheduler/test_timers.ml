(* The timers of a pool, without the pool. *)

open Weft_platform
module Timers = Weft_scheduler.Timers

let ms n = n * 1_000_000
let hour = 3600 * 1_000_000_000
let after n = Timer_thread.now () + n
let check_bool = Alcotest.(check bool)
let check_int = Alcotest.(check int)
let check_ints = Alcotest.(check (list int))

let with_timers f =
  let alarm = Timer_thread.create () in
  Fun.protect (fun () -> f (Timers.create alarm)) ~finally:(fun () -> Timer_thread.free alarm)

(* Calls due timers, as a worker does, until [over ()]. *)
let serve t ~over =
  let what () =
    Printf.sprintf "%d timers left, the next one %d ns late" (Timers.count t)
      (match Timers.next t with Some at -> Timer_thread.now () - at | None -> 0)
  in
  Testing.Watchdog.during what @@ fun () ->
  while not (over ()) do
    if Timers.is_due t then Timers.run_due t else Unix.sleepf 0.0001
  done

let shuffled random n =
  let a = Array.init n Fun.id in
  for i = n - 1 downto 1 do
    let j = Random.State.int random (i + 1) in
    let x = a.(i) in
    a.(i) <- a.(j);
    a.(j) <- x
  done;
  a

(* --- one thread --- *)

let order () =
  with_timers @@ fun t ->
  let called = ref [] in
  let add at name = ignore (Timers.add t ~at (fun () -> called := name :: !called)) in
  List.iter (fun (at, name) -> add at name) [ (5, 3); (2, 1); (5, 4); (9, 6); (1, 0); (5, 5); (2, 2) ];
  add (after hour) 7;
  Timers.run_due t;
  check_ints "by time, then by age" [ 0; 1; 2; 3; 4; 5; 6 ] (List.rev !called);
  check_int "the other is left" 1 (Timers.count t)

let cancelling () =
  with_timers @@ fun t ->
  let called = ref [] in
  let add at name = Timers.add t ~at (fun () -> called := name :: !called) in
  let timers = List.init 10 (fun i -> add (1 + (i mod 3)) i) in
  List.iteri (fun i timer -> if i mod 2 = 0 then check_bool "pending" true (Timers.cancel t timer)) timers;
  List.iteri (fun i timer -> if i mod 2 = 0 then check_bool "once" false (Timers.cancel t timer)) timers;
  Timers.run_due t;
  check_ints "the others" [ 3; 9; 1; 7; 5 ] (List.rev !called);
  List.iter (fun timer -> check_bool "too late" false (Timers.cancel t timer)) timers;
  let never = add Timers.never 99 in
  check_bool "never is not pending" true (Timers.is_empty t);
  Timers.run_due t;
  check_bool "cancelled" true (Timers.cancel t never);
  check_int "not called" 5 (List.length !called)

let inside () =
  with_timers @@ fun t ->
  let called = ref 0 in
  let later = Timers.add t ~at:(after hour) (fun () -> failwith "cancelled") in
  (* A callback cancels and adds; what it adds is due. *)
  let rec again n () =
    incr called;
    ignore (Timers.cancel t later);
    if n > 0 then ignore (Timers.add t ~at:0 (again (n - 1)))
  in
  ignore (Timers.add t ~at:0 (again 100));
  serve t ~over:(fun () -> !called = 101);
  check_bool "nothing left" true (Timers.is_empty t)

let times () =
  let who = "Weft.sleep" in
  let deadline = Timers.deadline ~who and moment = Timers.moment ~who in
  (* The deadline is [expected] after some moment of the call. *)
  let far what expected seconds =
    let before = Timer_thread.now () in
    let got = deadline seconds in
    check_bool what true (before + expected <= got && got <= Timer_thread.now () + expected)
  in
  far "0.5 s" (ms 500) 0.5;
  far "now" 0 0.;
  far "negative" 0 (-7.);
  far "minus infinity" 0 Float.neg_infinity;
  far "a year" (365 * 24 * hour) (365. *. 24. *. 3600.);
  let now = Timer_thread.now () in
  check_bool "the least time is not none" true (deadline 1e-300 > now);
  List.iter
    (fun seconds ->
      check_int "never" Timers.never (deadline seconds);
      check_int "never" Timers.never (moment seconds))
    [ Float.infinity; Float.max_float; 1e18; 3e9 ];
  check_int "a moment" 1_500_000_000 (moment 1.5);
  check_int "rounded up" 1 (moment 1e-10);
  check_int "long ago" 0 (moment (-1.));
  check_bool "there and back" true (abs (moment (Timers.seconds now) - now) < 1000);
  List.iter
    (fun f ->
      Alcotest.check_raises "nan" (Invalid_argument "Weft.sleep: the time is nan") (fun () ->
          ignore (f Float.nan)))
    [ deadline; moment ]

let holding () =
  with_timers @@ fun t ->
  let one = Timers.add ~holds:false t ~at:(after hour) ignore in
  check_bool "one that does not" false (Timers.hold t);
  let other = Timers.add t ~at:(after (2 * hour)) ignore in
  check_bool "one of two" true (Timers.hold t);
  ignore (Timers.cancel t other : bool);
  check_bool "the other" false (Timers.hold t);
  ignore (Timers.cancel t one : bool)

let no_trace () =
  with_timers @@ fun t ->
  let keep = Array.init 100 (fun i -> Timers.add t ~at:(after hour + i) ignore) in
  let closures = Weak.create 1000 in
  let churn n =
    for i = 0 to n - 1 do
      let payload = ref i in
      Weak.set closures (i mod 1000) (Some payload);
      let timer = Timers.add t ~at:(after hour - i) (fun () -> incr payload) in
      if not (Timers.cancel t timer) then Alcotest.fail "was pending"
    done
  in
  Option.iter
    (Alcotest.failf "%d words are left of a million timers")
    (Testing.Memory.grows ~slack:1_000 (fun () -> churn 1_000_000));
  for i = 0 to 999 do
    check_bool "nothing is kept" false (Weak.check closures i)
  done;
  Array.iter (fun timer -> ignore (Timers.cancel t timer)) keep;
  check_bool "nothing left" true (Timers.is_empty t && Timers.next t = None && Timers.count t = 0)

let many () =
  with_timers @@ fun t ->
  let n = Testing.Effort.few 100_000 in
  let random = Random.State.make [| 3 |] in
  let at = Array.map (fun i -> 1 + (i / 3)) (shuffled random n) in
  let last = ref (0, -1) and count = ref 0 and wrong = ref 0 in
  let call i () =
    incr count;
    if i land 1 = 1 || (at.(i), i) <= !last then incr wrong;
    last := (at.(i), i)
  in
  let timers = Array.mapi (fun i at -> Timers.add t ~at (call i)) at in
  check_int "at once" n (Timers.count t);
  Array.iter
    (fun i -> if i land 1 = 1 && not (Timers.cancel t timers.(i)) then Alcotest.fail "pending")
    (shuffled random n);
  check_int "half" (n / 2) (Timers.count t);
  serve t ~over:(fun () -> Timers.is_empty t);
  check_int "called" (n / 2) !count;
  check_int "cancelled, or not in order" 0 !wrong

(* --- with the alarm --- *)

let on_time () =
  with_timers @@ fun t ->
  let random = Random.State.make [| 5 |] in
  let early = ref 0 and called = ref 0 in
  let n = 300 in
  let add _ =
    let at = after (Random.State.int random (ms 100)) in
    Timers.add t ~at (fun () ->
        incr called;
        if Timer_thread.now () < at then incr early)
  in
  let timers = List.init n add in
  let cancelled = List.filteri (fun i _ -> i mod 3 = 0) timers in
  let cancelled = List.filter (Timers.cancel t) cancelled in
  serve t ~over:(fun () -> Timers.is_empty t);
  check_int "all called" (n - List.length cancelled) !called;
  check_int "early" 0 !early

let in_vain () =
  with_timers @@ fun t ->
  let called = ref false in
  let first = Timers.add t ~at:(after (ms 10)) (fun () -> failwith "cancelled") in
  ignore (Timers.add t ~at:(after (ms 40)) (fun () -> called := true));
  check_bool "pending" true (Timers.cancel t first);
  serve t ~over:(fun () -> !called);
  check_bool "nothing left" true (Timers.is_empty t)

(* --- exceptions --- *)

exception Failed

let raising_callback () =
  with_timers @@ fun t ->
  let called = ref [] in
  let add at f = ignore (Timers.add t ~at f) in
  for i = 1 to 100 do
    add i (fun () -> called := i :: !called)
  done;
  add 50 (fun () -> raise Failed);
  let later = ref false in
  add (after (ms 20)) (fun () -> later := true);
  let looked = ref false in
  ( Fun.protect ~finally:(fun () -> Timers.on_alarm := ignore) @@ fun () ->
    (Timers.on_alarm := fun () -> looked := true);
    Alcotest.check_raises "raised" Failed (fun () -> Timers.run_due t) );
  check_bool "events are looked at, too" true !looked;
  serve t ~over:(fun () -> !later);
  check_ints "the others are called" (List.init 100 (fun i -> i + 1)) (List.sort compare !called)

(* --- several --- *)

(* Each timer is either called once or cancelled once, while domains add, cancel and call. *)
let once () =
  Testing.Watchdog.until_undisturbed "some are cancelled in time" @@ fun () ->
  with_timers @@ fun t ->
  let domains = 3 and each = 20_000 in
  let fates = Array.init (domains * each) (fun _ -> Atomic.make 0) in
  let cancelled = Atomic.make 0 in
  let left = Atomic.make domains in
  let work d =
    let random = Random.State.make [| d |] in
    let recent = Array.make 64 None in
    for i = 0 to each - 1 do
      let fate = fates.((d * each) + i) in
      let at = after (Random.State.int random 200_000 - 50_000) in
      let timer = Timers.add t ~at (fun () -> Atomic.incr fate) in
      let slot = Random.State.int random 64 in
      (match recent.(slot) with
      | Some (timer, fate) when Timers.cancel t timer ->
          Atomic.incr cancelled;
          ignore (Atomic.fetch_and_add fate 100)
      | _ -> ());
      recent.(slot) <- Some (timer, fate);
      if Random.State.int random 20 = 0 then Timers.run_due t
    done;
    Atomic.decr left
  in
  let others = List.init domains (fun d -> Domain.spawn (fun () -> work d)) in
  serve t ~over:(fun () -> Atomic.get left = 0 && Timers.is_empty t);
  List.iter Domain.join others;
  Array.iteri
    (fun i fate ->
      let fate = Atomic.get fate in
      if fate <> 1 && fate <> 100 then Alcotest.failf "timer %d: %d" i fate)
    fates;
  if Atomic.get cancelled > 1000 then Ok () else Error (Printf.sprintf "%d were" (Atomic.get cancelled))

(* All domains cancel and call the same timers at once. *)
let contended () =
  with_timers @@ fun t ->
  let domains = 2 in
  for _ = 1 to Testing.Effort.few 300 do
    let n = 100 in
    let fates = Array.init n (fun _ -> Atomic.make 0) in
    let timers = Array.map (fun fate -> Timers.add t ~at:1 (fun () -> Atomic.incr fate)) fates in
    let ready = Atomic.make 0 in
    let compete d () =
      Atomic.incr ready;
      while Atomic.get ready < domains + 1 do
        Domain.cpu_relax ()
      done;
      if d = 0 then Timers.run_due t;
      Array.iteri
        (fun i timer -> if Timers.cancel t timer then ignore (Atomic.fetch_and_add fates.(i) 100))
        timers
    in
    let others = List.init domains (fun d -> Domain.spawn (compete (d + 1))) in
    compete 0 ();
    List.iter Domain.join others;
    Array.iter
      (fun fate ->
        let fate = Atomic.get fate in
        if fate <> 1 && fate <> 100 then Alcotest.failf "fate %d" fate)
      fates
  done

(* --- against the sequential meaning --- *)

module Spec = struct
  open STM

  (* Times: [Due] have passed, [Later] are about an hour ahead. *)
  type time = Due of int | Later of int
  type cmd = Add of int * time | Cancel of int | Run | Next | Count

  (* A slot holds the timer added last; an older timer of that slot stays pending. *)
  type timer = { slot : int; time : time; age : int; current : bool }
  type state = { pending : timer list; (* by time and age *) added : int }

  type sut = {
    alarm : Timer_thread.t;
    timers : Timers.t;
    base : int;
    slots : Timers.timer option array;
    mutable called : int list;
  }

  let show_time = function Due i -> Printf.sprintf "(Due %d)" i | Later i -> Printf.sprintf "(Later %d)" i

  let show_cmd = function
    | Add (slot, time) -> Printf.sprintf "Add (%d, %s)" slot (show_time time)
    | Cancel slot -> Printf.sprintf "Cancel %d" slot
    | Run -> "Run"
    | Next -> "Next"
    | Count -> "Count"

  let time_gen = QCheck.Gen.(map2 (fun due i -> if due then Due i else Later i) bool (int_range 1 5))

  let generated ~adds ~cancels more =
    QCheck.make ~print:show_cmd
      QCheck.Gen.(
        frequency
          ([
             (4, map2 (fun slot time -> Add (slot, time)) adds time_gen);
             (3, map (fun slot -> Cancel slot) cancels);
             (1, return Next);
             (1, return Count);
           ]
          @ more))

  let slots = 12

  let arb_cmd _ =
    let any = QCheck.Gen.int_bound (slots - 1) in
    generated ~adds:any ~cancels:any [ (1, QCheck.Gen.return Run) ]

  (* In parallel, only the owner of a slot fills it: slots 0 to 3 before the domains start, then four for
     each domain. *)
  let before _ = generated ~adds:(QCheck.Gen.int_bound 3) ~cancels:(QCheck.Gen.int_bound 3) []

  let domain first _ =
    let own = QCheck.Gen.int_range first (first + 3) in
    generated ~adds:own ~cancels:QCheck.Gen.(oneof [ int_bound 3; own ]) []

  let init_state = { pending = []; added = 0 }

  let init_sut () =
    let alarm = Timer_thread.create () in
    { alarm; timers = Timers.create alarm; base = after hour; slots = Array.make slots None; called = [] }

  let cleanup s = Timer_thread.free s.alarm

  let earlier a b =
    match (a.time, b.time) with
    | Due i, Due j | Later i, Later j -> compare (i, a.age) (j, b.age)
    | Due _, Later _ -> -1
    | Later _, Due _ -> 1

  let is_due timer = match timer.time with Due _ -> true | Later _ -> false
  let is_current slot timer = timer.slot = slot && timer.current

  let next_state cmd state =
    match cmd with
    | Add (slot, time) ->
        let others =
          List.map
            (fun other -> if other.slot = slot then { other with current = false } else other)
            state.pending
        in
        let timer = { slot; time; age = state.added; current = true } in
        { pending = List.sort earlier (timer :: others); added = state.added + 1 }
    | Cancel slot ->
        { state with pending = List.filter (fun timer -> not (is_current slot timer)) state.pending }
    | Run -> { state with pending = List.filter (fun timer -> not (is_due timer)) state.pending }
    | Next | Count -> state

  let precond _ _ = true
  let time_of s = function Due i -> i | Later i -> s.base + i

  let run cmd s =
    match cmd with
    | Add (slot, time) ->
        let call () = s.called <- slot :: s.called in
        Res (unit, (s.slots.(slot) <- Some (Timers.add s.timers ~at:(time_of s time) call)))
    | Cancel slot ->
        let cancelled =
          match s.slots.(slot) with None -> false | Some timer -> Timers.cancel s.timers timer
        in
        Res (bool, cancelled)
    | Run ->
        s.called <- [];
        Timers.run_due s.timers;
        Res (list int, List.rev s.called)
    | Next ->
        let relative at = if at >= s.base then at - s.base + 1000 else at in
        Res (option int, Option.map relative (Timers.next s.timers))
    | Count -> Res (int, Timers.count s.timers)

  let postcond cmd state (res : res) =
    match (cmd, res) with
    | Add _, Res ((Unit, _), ()) -> true
    | Cancel slot, Res ((Bool, _), cancelled) ->
        Bool.equal cancelled (List.exists (is_current slot) state.pending)
    | Run, Res ((List Int, _), called) ->
        let due = List.filter is_due state.pending in
        List.equal Int.equal called (List.map (fun timer -> timer.slot) due)
    | Next, Res ((Option Int, _), next) ->
        let expected =
          match state.pending with
          | [] -> None
          | { time = Due i; _ } :: _ -> Some i
          | { time = Later i; _ } :: _ -> Some (i + 1000)
        in
        Option.equal Int.equal next expected
    | Count, Res ((Int, _), n) -> Int.equal n (List.length state.pending)
    | _ -> false
end

module Sequential = STM_sequential.Make (Spec)
module Parallel = STM_domain.Make (Spec)

let agree_sequentially =
  QCheck.Test.make ~count:(Testing.Effort.few 2000) ~name:"sequential"
    (Sequential.arb_cmds Spec.init_state)
    Sequential.agree_prop

let agree_in_parallel =
  QCheck.Test.make ~count:(Testing.Effort.few 300) ~name:"two domains"
    (Parallel.arb_triple 20 8 Spec.before (Spec.domain 4) (Spec.domain 8))
    (fun triple -> Parallel.agree_prop_par triple)

let property test () = QCheck.Test.check_exn ~rand:(Random.State.make [| 1 |]) test

let () =
  let case = Testing.Watchdog.case in
  Alcotest.run "timers"
    [
      ( "one thread",
        [
          case "what is due is called by time, then by age" order;
          case "a cancelled timer is not called, one that is called cannot be cancelled" cancelling;
          case "a callback may add and cancel" inside;
          case "times: rounded up; now; never; nan is refused" times;
          case "which of them hold the pool" holding;
          case "a million cancelled timers leave nothing behind" no_trace;
          case "many timers at once" many;
        ] );
      ( "the alarm",
        [
          case "timers are called by themselves, none early" on_time;
          case "the alarm goes off in vain, and then for the next timer" in_vain;
        ] );
      ("exceptions", [ case "one callback's exception keeps no other from being called" raising_callback ]);
      ( "several domains",
        [
          case "each timer is called once or cancelled once" once;
          case "a timer that all domains cancel at once is called or cancelled once" contended;
        ] );
      ( "meaning",
        [
          case "like a sorted list, sequentially" (property agree_sequentially);
          case "like a sorted list, two domains at once" (property agree_in_parallel);
        ] );
    ]
