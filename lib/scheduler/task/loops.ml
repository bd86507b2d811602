type t =
  | No_loop
  | Loop : {
      state : 'a;
      promote : 'a -> 'b Job.state -> unit;
      context : 'b Job.state;
      outer : t;
      mutable is_promoted : bool;
    }
      -> t

let[@inline] here (deque : Job.task Deque.t) : t = Deque_memory.loops deque
let[@inline] set (deque : Job.task Deque.t) (loops : t) = Deque_memory.set_loops deque loops

let[@inline] make deque ~outer state promote =
  Loop { state; promote; context = Spawn_context.here deque; outer; is_promoted = false }

let[@inline] enter deque ~outer state promote = set deque (make deque ~outer state promote)

let rec promote = function
  | No_loop | Loop { is_promoted = true; _ } -> ()
  | Loop loop ->
      loop.is_promoted <- true;
      loop.promote loop.state loop.context;
      promote loop.outer
