let is_outside () = Deque_cells.current () == Deque_cells.nowhere ()
let in_pool f = if is_outside () then Pools.run_default f else f ()
let workers () = Array.length (Worker.of_deque (Deque_cells.current ())).parts.workers
let queued () = Deque.size (Deque_cells.current () : Job.task Deque.t)
let is_hungry () = queued () = 0

(* Every thief can have one, and some are left. *)
let enough = 8
let is_rich () = queued () >= enough
