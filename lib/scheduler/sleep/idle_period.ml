type limits = { least : float; most : float }

let none = { least = 0.; most = 0. }

(* Times are in nanoseconds. *)
type t = {
  limits : limits;
  began : int;
  has_collected : unit -> bool;
  mutable pause : float;
  mutable postponed_to : int;
}

(* One collection is no sign: the program may rest after it, too. *)
let some_collections = 3

(* Seconds. *)
let longest_pause = 0.1
let nanoseconds seconds = Float.to_int (Float.min seconds 1e9 *. 1e9)

let begin_ limits deque parker =
  Deque_memory.wake_after_collections deque parker some_collections;
  (* An attempt to retire abandons the deque, after which the count is 0, too. If the attempt failed,
     [postponed_to] decides. *)
  let has_collected () = Deque_memory.collections_left deque = 0 in
  { limits; began = Timer_thread.now (); has_collected; pause = limits.least; postponed_to = min_int }

let left p =
  let wait = if p.has_collected () then p.limits.least else Float.max p.limits.least p.limits.most in
  float_of_int (Int.max p.postponed_to (p.began + nanoseconds wait) - Timer_thread.now ()) *. 1e-9

let postpone p =
  p.pause <- Float.max p.limits.least (Float.min longest_pause (Float.max 0.001 (2. *. p.pause)));
  p.postponed_to <- Timer_thread.now () + nanoseconds p.pause

let end_ deque = Deque_memory.wake_after_collections_no_more deque
