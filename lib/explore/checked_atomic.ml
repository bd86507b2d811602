type 'a t = 'a Atomic.t

(* Not where the scheduler calls back while no fiber runs, as when a pool is closed. *)
let is_in_fiber () =
  let deque : Job.task Deque.t = Weft_platform.Deque_memory.current () in
  deque != Weft_platform.Deque_memory.nowhere () && Spawn_context.(here deque != nobody)

let[@inline never] explored what = if is_in_fiber () then Poll.access ~what
let[@inline] point what = if !Explored.on then explored what
let make = Atomic.make
let make_contended = Atomic.make_contended

let get a =
  point "Atomic.get";
  Atomic.get a

let set a v =
  point "Atomic.set";
  Atomic.set a v

let exchange a v =
  point "Atomic.exchange";
  Atomic.exchange a v

let compare_and_set a seen v =
  point "Atomic.compare_and_set";
  Atomic.compare_and_set a seen v

let fetch_and_add a n =
  point "Atomic.fetch_and_add";
  Atomic.fetch_and_add a n

let incr a =
  point "Atomic.incr";
  Atomic.incr a

let decr a =
  point "Atomic.decr";
  Atomic.decr a
