type t = No_loop | Loop : { state : 'a; promote : 'a -> unit; outer : t; mutable is_promoted : bool } -> t

let[@inline] here (deque : Job.task Deque.t) : t = Deque_memory.loops deque
let[@inline] set (deque : Job.task Deque.t) (loops : t) = Deque_memory.set_loops deque loops

let rec promote = function
  | No_loop | Loop { is_promoted = true; _ } -> ()
  | Loop loop ->
      loop.is_promoted <- true;
      loop.promote loop.state;
      promote loop.outer
