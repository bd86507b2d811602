(* Wrong functions, each with the kind of failure that must be found. *)

open Points
module Promise = Weft.Promise
module Mutex = Weft.Mutex
module Condition = Weft.Condition
module Chan = Weft.Chan
module Cancel = Weft.Cancel

type t = { name : string; kind : string; f : unit -> unit }

let fault name kind f = { name; kind; f }
let assertion = "exception Assert_failure"

let lost_update () =
  let n = ref 0 in
  let add () =
    let was = !n in
    point ();
    n := was + 1
  in
  both add add;
  assert (!n = 2)

let made_twice () =
  let made = ref 0 in
  let get () =
    if !made = 0 then begin
      point ();
      incr made
    end
  in
  both get get;
  assert (!made = 1)

let lock_order () =
  let a = Mutex.create () and b = Mutex.create () in
  let hold first second () = Mutex.protect first (fun () -> Mutex.protect second ignore) in
  both (hold a b) (hold b a)

let lost_wake () =
  let m = Mutex.create () and c = Condition.create () and ready = ref false in
  let wait () =
    if not !ready then begin
      (* The look is outside of the lock. *)
      point ();
      Mutex.protect m (fun () -> Condition.wait c m)
    end
  in
  let signal () =
    Mutex.protect m (fun () ->
        ready := true;
        Condition.signal c)
  in
  both signal wait

let signal_for_one_of_two () =
  let m = Mutex.create () and c = Condition.create () and items = ref 0 in
  let take () =
    Mutex.protect m (fun () ->
        while !items = 0 do
          Condition.wait c m
        done;
        decr items)
  in
  let put () =
    Mutex.protect m (fun () ->
        incr items;
        (* Only if there was none: the second of two waiters is not woken. *)
        if !items = 1 then Condition.signal c)
  in
  both
    (fun () -> both take take)
    (fun () ->
      put ();
      put ())

let if_for_while () =
  let m = Mutex.create () and c = Condition.create () and items = ref 0 in
  let take () =
    Mutex.protect m (fun () ->
        if !items = 0 then Condition.wait c m;
        decr items;
        assert (!items >= 0))
  in
  let put () =
    Mutex.protect m (fun () ->
        incr items;
        Condition.broadcast c)
  in
  both
    (fun () -> both take take)
    (fun () ->
      put ();
      put ())

let released_twice () =
  let s = Weft.Semaphore.create 1 and inside = ref 0 in
  let enter () =
    Weft.Semaphore.acquire s;
    incr inside;
    point ();
    assert (!inside = 1);
    decr inside;
    Weft.Semaphore.release s
  in
  both
    (fun () -> both enter enter)
    (fun () -> if Weft.Semaphore.available s = 0 then Weft.Semaphore.release s)

let resolved_twice () =
  let p = Promise.create () in
  let resolve () =
    if not (Promise.is_settled p) then begin
      point ();
      Promise.resolve p ()
    end
  in
  both resolve resolve

let closed_too_early () =
  let c = Chan.bounded 1 in
  both
    (fun () ->
      Chan.send c 1;
      Chan.send c 2)
    (fun () ->
      ignore (Chan.recv c : int);
      Chan.close c)

let a_receiver_too_few () =
  let c = Chan.bounded 1 in
  let stop = ref false in
  both
    (fun () ->
      if not !stop then begin
        point ();
        Chan.send c 1;
        Chan.send c 2
      end)
    (fun () ->
      point ();
      stop := true;
      if Chan.length c > 0 then ignore (Chan.recv c : int))

let torn_pair () =
  let a = ref 0 and b = ref 0 in
  let write () =
    a := 1;
    point ();
    b := 1
  in
  let read () =
    let x = !a in
    point ();
    assert (x = !b || !b = 1)
  in
  both write read

let upgraded_lock () =
  let l = Weft.Rwlock.create () and n = ref 0 in
  let update () =
    Weft.Rwlock.read_lock l;
    let was = !n in
    (* Two readers wait for each other to leave. *)
    Weft.Rwlock.write_lock l;
    n := was + 1
  in
  let safe () = try update () with Invalid_argument _ -> () in
  both safe safe

let freed_twice () =
  let count = ref 2 and freed = ref 0 in
  let drop () =
    decr count;
    point ();
    if !count = 0 then incr freed
  in
  both drop drop;
  assert (!freed = 1)

let taken_from_nothing () =
  let q = Queue.create () in
  Queue.add 1 q;
  let take () =
    if not (Queue.is_empty q) then begin
      point ();
      ignore (Queue.take q : int)
    end
  in
  both take take

let message_lost_by_a_time_out () =
  let c = Chan.unbounded () and got = ref 0 in
  let receive () =
    try
      Cancel.with_timeout 1. (fun () ->
          let v = Chan.recv c in
          point ();
          Weft.sleep 0.5;
          got := v)
    with Cancel.Timeout -> ()
  in
  both receive (fun () ->
      Weft.sleep 0.7;
      Chan.send c 1);
  assert (!got = 1 || Chan.length c = 1)

let each_lets_the_other_first () =
  let wants = [| false; false |] in
  let enter me () =
    wants.(me) <- true;
    point ();
    while wants.(1 - me) do
      Weft.yield ()
    done;
    wants.(me) <- false
  in
  both (enter 0) (enter 1)

(* The faults that need three switches or more at exact places. *)

let philosophers () =
  let forks = Array.init 3 (fun _ -> Mutex.create ()) in
  let eat i () = Mutex.protect forks.(i) (fun () -> Mutex.protect forks.((i + 1) mod 3) ignore) in
  both (eat 0) (fun () -> both (eat 1) (eat 2))

let in_turn steps () =
  let at = ref 0 in
  let step n = if !at = n then at := n + 1 in
  let go me () =
    for n = 0 to steps do
      if n mod 2 = me then begin
        step n;
        point ()
      end
    done
  in
  both (go 0) (go 1);
  assert (!at < steps)

type node = { value : int; mutable next : node option }

let same a b = match (a, b) with Some a, Some b -> a == b | None, None -> true | _ -> false

(* A stack whose nodes are used again: the compare-and-set finds the node that it saw, with another one behind. *)
let used_again () =
  let last = { value = 2; next = None } in
  let first = { value = 1; next = Some last } in
  let top = ref (Some first) in
  let cas seen next =
    same !top seen
    && begin
         top := next;
         true
       end
  in
  let rec pop () =
    match !top with
    | None -> None
    | Some node as seen ->
        let next = node.next in
        point ();
        if cas seen next then Some node else pop ()
  in
  let push node =
    node.next <- !top;
    top := Some node
  in
  let got = ref [] in
  let note = function Some n -> got := n.value :: !got | None -> () in
  both
    (fun () -> note (pop ()))
    (fun () ->
      let a = pop () in
      note (pop ());
      point ();
      Option.iter push a);
  let rec left = function None -> [] | Some n -> n.value :: left n.next in
  assert (List.sort compare (!got @ left !top) = [ 1; 2 ])

let turn_set_too_early () =
  (* Peterson's algorithm, where one side sets the turn too early. *)
  let wants = [| false; false |] and turn = ref 0 and inside = ref 0 in
  let enter me () =
    turn := 1 - me;
    point ();
    wants.(me) <- true;
    point ();
    while wants.(1 - me) && !turn <> me do
      Weft.yield ()
    done;
    incr inside;
    point ();
    assert (!inside = 1);
    decr inside;
    wants.(me) <- false
  in
  both (enter 0) (enter 1)

(* Short items must not make what follows depend on the clock: it would fail, and not again. *)
let lost_in_a_pipeline () =
  let n = 40 and made = ref 0 and seen = ref 0 in
  let produce () =
    incr made;
    if !made > n then None else Some !made
  and add _ =
    let was = !seen in
    point ();
    seen := was + 1
  in
  Weft.pipeline ~tokens:3 produce Weft.Stage.(in_order Fun.id >>> parallel add >>> in_order ignore);
  assert (!seen > n - 2)

let all =
  [
    fault "a lost update" assertion lost_update;
    fault "made twice" assertion made_twice;
    fault "two lost updates in a pipeline" assertion lost_in_a_pipeline;
    fault "two locks, in two orders" "deadlock" lock_order;
    fault "a look before the lock" "deadlock" lost_wake;
    fault "a signal too few" "deadlock" signal_for_one_of_two;
    fault "if in place of while" assertion if_for_while;
    fault "released twice" assertion released_twice;
    fault "resolved twice" "exception Invalid_argument" resolved_twice;
    fault "closed too early" "exception Weft.Chan.Closed" closed_too_early;
    fault "a receiver too few" "deadlock" a_receiver_too_few;
    fault "a torn pair" assertion torn_pair;
    fault "two readers become writers" "deadlock" upgraded_lock;
    fault "freed twice" assertion freed_twice;
    fault "taken from nothing" "exception Stdlib.Queue.Empty" taken_from_nothing;
    fault "a message lost by a time-out" assertion message_lost_by_a_time_out;
    fault "two that let each other go first" "livelock" each_lets_the_other_first;
    fault "three philosophers" "deadlock" philosophers;
    fault "three switches" assertion (in_turn 4);
    fault "four switches" assertion (in_turn 5);
    fault "five switches" assertion (in_turn 6);
    fault "a node that is used again" assertion used_again;
    fault "a turn that is set too early" assertion turn_set_too_early;
  ]
