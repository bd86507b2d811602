(* Lock-free code, wrong and right. It says nothing of points: its atomics are checked. *)

open Points
module Atomic = Weft_explore.Atomic

let fault name kind f : Faults.t = { name; kind; f }

(* --- wrong --- *)

let read_then_written () =
  let n = Atomic.make 0 in
  let add () = Atomic.set n (Atomic.get n + 1) in
  both add add;
  assert (Atomic.get n = 2)

let looked_then_taken () =
  let taken = Atomic.make 0 and got = Atomic.make 0 in
  let take () =
    if Atomic.get taken < 1 then begin
      Atomic.incr taken;
      Atomic.incr got
    end
  in
  both take take;
  assert (Atomic.get got = 1)

let counted_down_twice () =
  let references = Atomic.make 2 and freed = Atomic.make 0 in
  let drop () =
    Atomic.decr references;
    if Atomic.get references = 0 then Atomic.incr freed
  in
  both drop drop;
  assert (Atomic.get freed = 1)

let ready_too_early () =
  let data = Atomic.make None and ready = Atomic.make false in
  both
    (fun () ->
      Atomic.set ready true;
      Atomic.set data (Some 1))
    (fun () -> if Atomic.get ready then assert (Atomic.get data <> None))

(* Two switches: between the look and the write of one push comes the other push as a whole. *)
let pushed_without_a_retry () =
  let s = Atomic.make [] in
  let push x =
    let was = Atomic.get s in
    ignore (Atomic.compare_and_set s was (x :: was) : bool)
  in
  both (fun () -> push 1) (fun () -> push 2);
  assert (List.length (Atomic.get s) = 2)

type node = { value : int; next : node option Atomic.t }

let node value = { value; next = Atomic.make None }

(* The stack's nodes are used again: three switches. *)
let used_again () =
  let last = node 2 and first = node 1 in
  Atomic.set first.next (Some last);
  (* The nodes are compared, not the options around them. *)
  let nodes = [| first; last |] in
  let none = -1 in
  let index = function None -> none | Some n -> if n == first then 0 else 1 in
  let top = Atomic.make 0 in
  let rec pop () =
    match Atomic.get top with
    | i when i = none -> None
    | i ->
        let next = index (Atomic.get nodes.(i).next) in
        if Atomic.compare_and_set top i next then Some i else pop ()
  in
  let push i =
    let t = Atomic.get top in
    Atomic.set nodes.(i).next (if t = none then None else Some nodes.(t));
    Atomic.set top i
  in
  let got = Atomic.make [] in
  let rec note i =
    let was = Atomic.get got in
    if not (Atomic.compare_and_set got was (i :: was)) then note i
  in
  both
    (fun () -> Option.iter note (pop ()))
    (fun () ->
      let a = pop () in
      Option.iter note (pop ());
      Option.iter push a);
  let rec left i = if i = none then [] else i :: left (index (Atomic.get nodes.(i).next)) in
  assert (List.sort compare (Atomic.get got @ left (Atomic.get top)) = [ 0; 1 ])

(* Peterson's algorithm, where the turn is set before the wish. *)
let turn_set_too_early () =
  let wants = Array.init 2 (fun _ -> Atomic.make false) and turn = Atomic.make 0 in
  let inside = Atomic.make 0 in
  let enter me () =
    Atomic.set turn (1 - me);
    Atomic.set wants.(me) true;
    while Atomic.get wants.(1 - me) && Atomic.get turn <> me do
      Weft.yield ()
    done;
    assert (Atomic.fetch_and_add inside 1 = 0);
    Atomic.decr inside;
    Atomic.set wants.(me) false
  in
  both (enter 0) (enter 1)

let spins () =
  let held = Atomic.make true in
  both
    (fun () ->
      while Atomic.get held do
        ()
      done)
    (fun () -> Atomic.set held false)

let wrong =
  let assertion = Faults.assertion in
  [
    fault "atomics: read, then written" assertion read_then_written;
    fault "atomics: looked, then taken" assertion looked_then_taken;
    fault "atomics: counted down, then read" assertion counted_down_twice;
    fault "atomics: ready too early" assertion ready_too_early;
    fault "atomics: no retry" assertion pushed_without_a_retry;
    fault "atomics: a node that is used again" assertion used_again;
    fault "atomics: a turn that is set too early" assertion turn_set_too_early;
    fault "atomics: a loop that spins" "livelock" spins;
  ]

(* --- right --- *)

let peterson () =
  let wants = Array.init 2 (fun _ -> Atomic.make false) and turn = Atomic.make 0 in
  let inside = Atomic.make 0 in
  let enter me () =
    Atomic.set wants.(me) true;
    Atomic.set turn (1 - me);
    while Atomic.get wants.(1 - me) && Atomic.get turn <> me do
      Weft.yield ()
    done;
    assert (Atomic.fetch_and_add inside 1 = 0);
    Atomic.decr inside;
    Atomic.set wants.(me) false
  in
  both (enter 0) (enter 1)

let stack () =
  let s = Atomic.make [] in
  let rec push x =
    let was = Atomic.get s in
    if not (Atomic.compare_and_set s was (x :: was)) then push x
  in
  let rec pop () =
    match Atomic.get s with
    | [] -> None
    | x :: rest as was -> if Atomic.compare_and_set s was rest then Some x else pop ()
  in
  let got = ref [] in
  let take () = Option.iter (fun x -> got := x :: !got) (pop ()) in
  both
    (fun () ->
      push 1;
      take ())
    (fun () ->
      push 2;
      take ();
      push 3);
  assert (List.sort compare (!got @ Atomic.get s) = [ 1; 2; 3 ])

(* Michael and Scott 1996. *)
let queue () =
  let dummy = node 0 in
  let head = Atomic.make dummy and tail = Atomic.make dummy in
  let rec push n =
    let last = Atomic.get tail in
    match Atomic.get last.next with
    | None when Atomic.compare_and_set last.next None (Some n) ->
        ignore (Atomic.compare_and_set tail last n : bool)
    | None -> push n
    | Some next ->
        ignore (Atomic.compare_and_set tail last next : bool);
        push n
  in
  let rec pop () =
    let first = Atomic.get head in
    match Atomic.get first.next with
    | None -> None
    | Some n -> if Atomic.compare_and_set head first n then Some n.value else pop ()
  in
  let got = ref [] in
  let take () = Option.iter (fun x -> got := !got @ [ x ]) (pop ()) in
  both
    (fun () ->
      push (node 1);
      push (node 2))
    (fun () ->
      take ();
      push (node 3);
      take ());
  let rec rest () = match pop () with None -> [] | Some x -> x :: rest () in
  let all = !got @ rest () in
  assert (List.sort compare all = [ 1; 2; 3 ]);
  assert (List.filter (fun x -> x < 3) all = [ 1; 2 ])

(* No access raises, although the fiber is cancelled between two of them. *)
let cancelled () =
  let n = Atomic.make 0 in
  let p =
    Weft.Promise.cancellable (fun () ->
        Atomic.incr n;
        Atomic.incr n)
  in
  Weft.Promise.cancel p;
  (try Weft.await p with Weft.Cancel.Cancelled _ -> ());
  assert (Atomic.get n <> 1)

let right =
  [
    ("atomics: Peterson's algorithm", peterson);
    ("atomics: a stack", stack);
    ("atomics: a queue", queue);
    ("atomics: cancelled", cancelled);
  ]
