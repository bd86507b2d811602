open Weft_platform
open Weft_scheduler

(* Elements are boxed, as the deque requires; they are mutable, so that equal ones are not shared. *)
type element = { mutable value : int } [@@warning "-69"]

let nil = { value = -1 }

let with_deque f =
  let wake = Deque_memory.make_word () in
  let d = Deque.create ~id:0 ~wake in
  Deque_memory.adopt d;
  Fun.protect
    (fun () -> f d)
    ~finally:(fun () ->
      while Deque.pop d ~nil != nil do
        ()
      done;
      Deque_memory.abandon d;
      Deque_memory.free d;
      Deque_memory.free_word wake)

let push d x =
  if Deque.is_full d then Deque.make_room d;
  Deque.push d x

(* With a deque that is the calling thread's, as a worker's is: so it answers thieves that ask. *)
let with_current f =
  with_deque @@ fun d ->
  Deque_memory.set_current d;
  Fun.protect (fun () -> f d) ~finally:(fun () -> Deque_memory.set_current (Deque_memory.nowhere ()))

(* --- one thread --- *)

let order () =
  with_deque @@ fun d ->
  let n = 10_000 in
  for i = 0 to n - 1 do
    push d { value = i }
  done;
  Alcotest.(check int) "size" n (Deque.size d);
  for i = 0 to 99 do
    Alcotest.(check int) "stolen, eldest first" i (Deque.steal d ~nil).value
  done;
  for i = n - 1 downto 100 do
    Alcotest.(check int) "popped, youngest first" i (Deque.pop d ~nil).value
  done;
  Alcotest.(check bool) "empty" true (Deque.pop d ~nil == nil && Deque.steal d ~nil == nil && Deque.size d = 0)

let pop_if () =
  with_deque @@ fun d ->
  let a = { value = 1 } and b = { value = 2 } in
  Alcotest.(check bool) "from an empty deque" false (Deque.pop_if d a);
  push d a;
  push d b;
  Alcotest.(check bool) "not at the bottom" false (Deque.pop_if d a);
  Alcotest.(check bool) "an equal one" false (Deque.pop_if d { value = 2 });
  Alcotest.(check bool) "at the bottom" true (Deque.pop_if d b);
  Alcotest.(check bool) "gone" false (Deque.pop_if d b);
  Alcotest.(check bool) "stolen" true (Deque.steal d ~nil == a);
  (* The slot still holds the element: the indices must show that it is gone. *)
  Alcotest.(check bool) "gone" false (Deque.pop_if d a);
  push d b;
  Alcotest.(check bool) "and works on" true (Deque.pop_if d b && Deque.size d = 0)

let deferred () =
  with_deque @@ fun d ->
  let is what wanted = Alcotest.(check bool) what wanted (Deque.is_deferred d) in
  let a = { value = 1 } and b = { value = 2 } in
  is "new" false;
  for _ = 1 to 1_000 do
    if Deque.is_full d then Deque.make_room d;
    Deque.push_deferred d a;
    is "pushed" true;
    push d b;
    is "below another one" true;
    ignore (Deque.pop d ~nil);
    Alcotest.(check bool) "popped" true (Deque.pop_if d a);
    is "gone" false;
    push d b;
    is "what is pushed next" false;
    Alcotest.(check bool) "stolen" true (Deque.steal d ~nil == b)
  done;
  Deque.push_deferred d a;
  push d b;
  Alcotest.(check bool) "stolen all the same" true (Deque.steal d ~nil == a);
  is "the next one" false;
  Alcotest.(check bool) "the next one" true (Deque.pop_if d b)

let called () =
  with_deque @@ fun d ->
  let n = 1_000 in
  let state what ~called ~full =
    Alcotest.(check (pair bool bool)) what (called, full) (Deque.is_preempt_requested d, Deque.is_full d)
  in
  state "new" ~called:false ~full:false;
  Alcotest.(check bool) "an answer to nobody" false (Deque.acknowledge d);
  Deque.request_preempt d;
  Deque.request_preempt d;
  state "called" ~called:true ~full:true;
  for i = 0 to n - 1 do
    push d { value = i };
    state "pushed to" ~called:true ~full:true
  done;
  Alcotest.(check int) "stolen" 0 (Deque.steal d ~nil).value;
  Alcotest.(check int) "popped" (n - 1) (Deque.pop d ~nil).value;
  Alcotest.(check bool) "two calls, answered" true (Deque.acknowledge d);
  Alcotest.(check bool) "by one answer" false (Deque.acknowledge d);
  state "answered, not made usual again" ~called:true ~full:true;
  Deque.make_room d;
  state "no longer" ~called:false ~full:false;
  (* Twice as many as fit: [make_room] must not have promised too much. *)
  for i = n - 1 to (4 * n) - 1 do
    push d { value = i };
    if i = 2 * n then Deque.request_preempt d
  done;
  state "called in between" ~called:true ~full:true;
  Alcotest.(check bool) "answered" true (Deque.acknowledge d);
  for i = (4 * n) - 1 downto 1 do
    Alcotest.(check int) "popped" i (Deque.pop d ~nil).value
  done;
  Alcotest.(check int) "all" 0 (Deque.size d)

let nowhere () =
  let d : element Deque.t = Deque_memory.nowhere () in
  let check what =
    Alcotest.(check (pair bool bool)) what (true, true) (Deque.is_preempt_requested d, Deque.is_full d)
  in
  check "always called";
  Deque.request_preempt d;
  check "also when it is called";
  ignore (Deque.acknowledge d : bool);
  Deque.make_room d;
  check "also when it makes room";
  let x = { value = 1 } in
  Alcotest.(check bool) "it has nothing" true (Deque.is_empty d && not (Deque.pop_if d x));
  Alcotest.(check int) "nobody is to be woken" 0 (Deque_memory.wake d);
  Deque_memory.set_context d x;
  Deque_memory.set_loops d x;
  let is_kept v = Obj.repr v == Obj.repr x in
  Alcotest.(check bool) "it keeps nothing" false Deque_memory.(is_kept (context d) || is_kept (loops d))

(* --- the owner and thieves --- *)

(* The owner pushes, pops and takes the eldest element in random bursts, deep enough to grow the ring,
   while thieves steal: each element is taken once. Small boxed elements and collections in between test
   that the slots are roots. *)
let exactly_once ?(asking = false) ~thieves () =
  Testing.Watchdog.until_undisturbed "thieves have their share" @@ fun () ->
  with_current @@ fun d ->
  let n = 1_000_000 in
  let marks = Array.init (thieves + 1) (fun _ -> Bytes.make n '\000') in
  let mark who x =
    if x.value < 0 || x.value >= n then failwith "not an element";
    Bytes.set marks.(who) x.value (Char.chr (1 + Char.code (Bytes.get marks.(who) x.value)))
  in
  let over = Atomic.make false in
  let thief who () =
    with_deque @@ fun own ->
    let stolen = ref 0 and tries = ref 0 in
    while not (Atomic.get over && Deque.size d = 0) do
      incr tries;
      let asks = asking && (who > 1 || !tries land 7 <> 0) in
      let x = if asks then Deque.ask d ~by:own ~nil else Deque.steal d ~nil in
      if x == nil then Domain.cpu_relax ()
      else begin
        mark who x;
        if asks || (not asking) || Membarrier.by_owner then incr stolen
      end
    done;
    !stolen
  in
  let domains = List.init thieves (fun i -> Domain.spawn (thief (i + 1))) in
  let state = Random.State.make [| 42 |] in
  let next = ref 0 in
  while !next < n do
    let burst = if Random.State.int state 100 = 0 then 3000 else 1 + Random.State.int state 8 in
    let last = ref nil in
    for _ = 1 to min burst (n - !next) do
      last := { value = !next };
      push d !last;
      incr next
    done;
    if Random.State.bool state && Deque.pop_if d !last then mark 0 !last;
    if Random.State.int state 4 = 0 then begin
      let x = Deque.take_eldest d ~nil in
      if x != nil then mark 0 x
    end;
    for _ = 1 to Random.State.int state (burst + 2) do
      let x = Deque.pop d ~nil in
      if x != nil then mark 0 x
    done;
    if Random.State.int state 20_000 = 0 then Gc.minor ()
  done;
  Atomic.set over true;
  let rec rest () =
    let x = Deque.pop d ~nil in
    if x != nil then begin
      mark 0 x;
      rest ()
    end
  in
  rest ();
  let stolen = List.fold_left (fun n t -> n + Domain.join t) 0 domains in
  for i = 0 to n - 1 do
    let times = Array.fold_left (fun sum m -> sum + Char.code (Bytes.get m i)) 0 marks in
    if times <> 1 then Alcotest.failf "element %d was taken %d times" i times
  done;
  if stolen > 0 then Ok () else Error "nothing was stolen"

(* Domains adopt the deque and abandon it while thieves ask: none waits for ever, and nothing is lost. *)
let owners_come_and_go () =
  with_deque @@ fun d ->
  Deque_memory.abandon d;
  let over = Atomic.make false in
  let thief () =
    with_deque @@ fun own ->
    let sum = ref 0 in
    while not (Atomic.get over) do
      let x = Deque.ask d ~by:own ~nil in
      if x != nil then sum := !sum + x.value
    done;
    !sum
  in
  let thieves = List.init 2 (fun _ -> Domain.spawn thief) in
  let own = ref 0 and all = ref 0 in
  for i = 1 to Testing.Effort.count ~quick:3_000 ~usual:30_000 ~long:300_000 do
    Deque_memory.adopt d;
    Deque_memory.set_current d;
    for k = 1 to i land 15 do
      all := !all + k;
      push d { value = k };
      ignore (Sys.opaque_identity (ref k))
    done;
    let rec empty () =
      let x = Deque.pop d ~nil in
      if x != nil then begin
        own := !own + x.value;
        empty ()
      end
    in
    empty ();
    Deque_memory.set_current (Deque_memory.nowhere ());
    Deque_memory.abandon d
  done;
  Atomic.set over true;
  let stolen = List.fold_left (fun sum t -> sum + Domain.join t) 0 thieves in
  Deque_memory.adopt d;
  Alcotest.(check int) "taken once each" !all (!own + stolen)

(* While thieves ask all the time, another thread of the owner's domain gets its turns by the runtime's
   ticks alone. *)
let ticks_come () =
  with_current @@ fun d ->
  let over = Atomic.make false and turns = Atomic.make 0 in
  let thief () =
    with_deque @@ fun own ->
    while not (Atomic.get over) do
      ignore (Deque.ask d ~by:own ~nil : element)
    done
  in
  let other () =
    while not (Atomic.get over) do
      Atomic.incr turns;
      Thread.yield ()
    done
  in
  let domain = Domain.spawn thief and thread = Thread.create other () in
  let x = ref nil in
  while Atomic.get turns < 20 do
    if Deque.size d = 0 then begin
      x := { value = 1 };
      push d !x
    end
  done;
  Atomic.set over true;
  Domain.join domain;
  Thread.join thread

external mark_slowly : bool -> unit = "test_mark_slowly" [@@noalloc]
external are_being_marked : unit -> bool = "test_roots_are_being_marked" [@@noalloc]

(* From OCaml 5.5 on, the thief may run while the owner marks its roots; it steals only then. Nothing else refers
   to what it has stolen. *)
let roots_being_marked () =
  with_deque @@ fun d ->
  let n = 200 and over = Atomic.make false in
  let slice () = ignore (Gc.major_slice 10_000 : int) in
  let thief () =
    let stolen = ref [] and turns = ref 0 in
    while not (Atomic.get over) do
      if are_being_marked () then begin
        let x = Deque.steal d ~nil in
        if x != nil then stolen := x :: !stolen;
        for _ = 1 to 100 do
          if are_being_marked () then Domain.cpu_relax ()
        done
      end
      else begin
        (* Rarely, as in a slice it may be waiting for the owner. *)
        incr turns;
        if !turns land 0xfff = 0 then slice ();
        Domain.cpu_relax ()
      end
    done;
    List.rev !stolen
  in
  for i = 1 to n do
    push d { value = i }
  done;
  Gc.full_major ();
  let domain = Domain.spawn thief in
  mark_slowly true;
  (* The collector begins to mark when so much has been allocated. *)
  for _ = 1 to Testing.Effort.few 150 do
    slice ();
    ignore (Sys.opaque_identity (Array.make 100_000 0));
    Gc.minor ()
  done;
  mark_slowly false;
  Atomic.set over true;
  let stolen = Domain.join domain in
  (* What was freed is used again. *)
  Gc.full_major ();
  let others = List.init 3_000 (fun i -> { value = -i }) in
  Gc.full_major ();
  Alcotest.(check (list int))
    "as they were"
    (List.init (List.length stolen) succ)
    (List.map (fun x -> x.value) stolen);
  ignore (Sys.opaque_identity others)

(* The hardest case: the owner and the thieves compete for one element. *)
let last_element () =
  with_deque @@ fun d ->
  let rounds = 300_000 in
  let over = Atomic.make false in
  let thief () =
    let sum = ref 0 and count = ref 0 in
    while not (Atomic.get over) do
      let x = Deque.steal d ~nil in
      if x != nil then begin
        sum := !sum + x.value;
        incr count
      end
    done;
    (!sum, !count)
  in
  let domains = List.init 2 (fun _ -> Domain.spawn thief) in
  let sum = ref 0 and count = ref 0 in
  for i = 1 to rounds do
    let x = { value = i } in
    push d x;
    if i land 3 = 0 then Domain.cpu_relax ();
    if Deque.pop_if d x then begin
      sum := !sum + i;
      incr count
    end
  done;
  while Deque.size d > 0 do
    Domain.cpu_relax ()
  done;
  Atomic.set over true;
  let stolen_sum, stolen_count =
    List.fold_left
      (fun (s, c) t ->
        let s', c' = Domain.join t in
        (s + s', c + c'))
      (0, 0) domains
  in
  Alcotest.(check int) "taken once each: count" rounds (!count + stolen_count);
  Alcotest.(check int) "taken once each: sum" (rounds * (rounds + 1) / 2) (!sum + stolen_sum)

(* The owner makes room with every push, and acknowledges requests as a fork does, if there is one, or with
   every push. The requester, which also steals, sets [wanted], requests, and waits until the owner has
   seen it. It would wait for ever for a lost request. *)
let no_call_is_lost () =
  let per_deque = 500 and deques = Testing.Effort.count ~quick:4 ~usual:40 ~long:400 in
  let pushed = ref 0 and popped = ref 0 and stolen = ref 0 in
  let round deque =
    with_deque @@ fun d ->
    (* [wanted] is not atomic: the acknowledgement must make it visible. *)
    let wanted = ref 0 and seen = Atomic.make 0 and over = Atomic.make false in
    let rec await n spins =
      if Atomic.get seen < n then begin
        if spins land 0xff = 0 then Unix.sleepf 1e-6;
        Domain.cpu_relax ();
        await n (spins + 1)
      end
    in
    let caller () =
      Fun.protect ~finally:(fun () -> Atomic.set over true) @@ fun () ->
      let sum = ref 0 in
      for i = 1 to per_deque do
        let x = Deque.steal d ~nil in
        if x != nil then sum := !sum + x.value;
        wanted := i;
        Deque.request_preempt d;
        await i 1
      done;
      !sum
    in
    let caller = Domain.spawn caller in
    let pop () =
      let x = Deque.pop d ~nil in
      if x != nil then popped := !popped + x.value;
      x != nil
    in
    while not (Atomic.get over) do
      for _ = 1 to 8 do
        if (deque land 1 = 0 || Deque.is_preempt_requested d) && Deque.acknowledge d then
          Atomic.set seen !wanted;
        incr pushed;
        let x = { value = !pushed } in
        Deque.make_room d;
        Deque.push d x
      done;
      if Deque.size d > 10_000 then
        while pop () do
          ()
        done
    done;
    while pop () do
      ()
    done;
    stolen := !stolen + Domain.join caller
  in
  (* On a busy machine, the two seldom run at the same time. *)
  let rec rounds i =
    if i <= deques || !stolen = 0 then begin
      round i;
      rounds (i + 1)
    end
  in
  rounds 1;
  Alcotest.(check int) "each element is taken once: sum" (!pushed * (!pushed + 1) / 2) (!popped + !stolen)

(* --- against the sequential meaning: the owner in one domain, a thief in another --- *)

module Spec = struct
  open STM

  type cmd = Push of int | Pop | Steal | Size | Call | Is_called | Answer
  type state = { elements : int list; (* youngest first *) called : bool }
  type sut = { deque : element Deque.t; wake : Deque_memory.word }

  let show_cmd = function
    | Push i -> Printf.sprintf "Push %d" i
    | Pop -> "Pop"
    | Steal -> "Steal"
    | Size -> "Size"
    | Call -> "Call"
    | Is_called -> "Is_called"
    | Answer -> "Answer"

  let generated list = QCheck.make ~print:show_cmd (QCheck.Gen.frequency list)
  let always = QCheck.Gen.return
  let push_gen = QCheck.Gen.map (fun i -> Push i) QCheck.Gen.nat
  let thief_cmd _ = generated [ (2, always Steal); (1, always Call) ]

  let owner_cmd _ =
    generated
      [
        (6, push_gen);
        (4, always Pop);
        (2, always Size);
        (1, always Call);
        (1, always Is_called);
        (2, always Answer);
      ]

  let arb_cmd = owner_cmd
  let init_state = { elements = []; called = false }

  let init_sut () =
    let wake = Deque_memory.make_word () in
    let deque = Deque.create ~id:0 ~wake in
    Deque_memory.adopt deque;
    { deque; wake }

  let cleanup s =
    while Deque.steal s.deque ~nil != nil || Deque.size s.deque > 0 do
      ()
    done;
    Deque_memory.abandon s.deque;
    Deque_memory.free s.deque;
    Deque_memory.free_word s.wake

  let rec without_last = function [] | [ _ ] -> [] | x :: xs -> x :: without_last xs

  let next_state cmd state =
    match cmd with
    | Push i -> { state with elements = i :: state.elements }
    | Pop -> { state with elements = (match state.elements with [] -> [] | _ :: rest -> rest) }
    | Steal -> { state with elements = without_last state.elements }
    | Call -> { state with called = true }
    | Answer -> { state with called = false }
    | Size | Is_called -> state

  let precond _ _ = true

  (* In mode Thief nothing orders the owner's reads behind its pushes: a thief may see a push only after
     the reads. *)
  let behind_my_pushes read d =
    if not Membarrier.by_owner then Membarrier.full ();
    read d

  let run cmd s =
    match cmd with
    | Push i -> Res (unit, push s.deque { value = i })
    | Pop -> Res (int, (Deque.pop s.deque ~nil).value)
    | Steal -> Res (int, (Deque.steal s.deque ~nil).value)
    | Size -> Res (int, behind_my_pushes Deque.size s.deque)
    | Call -> Res (unit, Deque.request_preempt s.deque)
    | Is_called -> Res (bool, behind_my_pushes Deque.is_preempt_requested s.deque)
    | Answer ->
        let called = Deque.acknowledge s.deque in
        Deque.make_room s.deque;
        Res (bool, called)

  let youngest elements = match elements with [] -> -1 | x :: _ -> x

  (* A steal may fail because the owner was faster. *)
  let may_steal elements v = v = -1 || (elements <> [] && v = List.nth elements (List.length elements - 1))

  let postcond cmd (state : state) (res : res) =
    match (cmd, res) with
    | (Push _ | Call), Res ((Unit, _), ()) -> true
    | Pop, Res ((Int, _), v) -> Int.equal v (youngest state.elements)
    | Steal, Res ((Int, _), v) -> may_steal state.elements v
    | Size, Res ((Int, _), n) -> Int.equal n (List.length state.elements)
    (* There may be false alarms: a request may be acknowledged while it is being made. *)
    | Is_called, Res ((Bool, _), called) -> called || not state.called
    | Answer, Res ((Bool, _), called) -> Bool.equal called state.called
    | _ -> false
end

module Sequential = STM_sequential.Make (Spec)
module Parallel = STM_domain.Make (Spec)

let agree_sequentially =
  QCheck.Test.make ~count:1000 ~name:"sequential" (Sequential.arb_cmds Spec.init_state) Sequential.agree_prop

(* The owner runs the prefix and one of the two parallel parts; the thief runs the other. *)
let agree_in_parallel =
  QCheck.Test.make ~count:300 ~retries:5 ~name:"owner and thief"
    (Parallel.arb_triple 20 10 Spec.owner_cmd Spec.owner_cmd Spec.thief_cmd) (fun triple ->
      Parallel.agree_prop_par_asym triple)

let property test () = QCheck.Test.check_exn ~rand:(Random.State.make [| 1 |]) test

let () =
  let case = Testing.Watchdog.case in
  Alcotest.run "deque"
    [
      ( "one thread",
        [
          case "youngest first for the owner, eldest first for thieves" order;
          case "pop_if takes only the bottom" pop_if;
          case "what is pushed deferred is known by its index" deferred;
          case "a called deque is full for its owner until the call is answered and room is made" called;
          case "a thread without a deque has one that is always preempted" nowhere;
        ] );
      ( "thieves",
        [
          case "each element is taken once, 1 thief" (exactly_once ~thieves:1);
          case "each element is taken once, 2 thieves" (exactly_once ~thieves:2);
          case "each element is taken once, 7 thieves" (exactly_once ~thieves:7);
          case "each element is taken once, 1 thief that asks" (exactly_once ~asking:true ~thieves:1);
          case "each element is taken once, 3 thieves that ask" (exactly_once ~asking:true ~thieves:3);
          case "owners come and go, thieves ask" owners_come_and_go;
          case "the runtime's ticks come while thieves ask" ticks_come;
          case "what is stolen while roots are being marked stays alive" roots_being_marked;
          case "the last element is taken once" last_element;
          case "no call is lost, and elements are unaffected" no_call_is_lost;
        ] );
      ( "meaning",
        [
          case "like a list, sequentially" (property agree_sequentially);
          case "like a list, owner and thief at once" (property agree_in_parallel);
        ] );
    ]
