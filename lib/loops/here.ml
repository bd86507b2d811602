let is_outside () = Deque_cells.current () == Deque_cells.nowhere ()
let in_pool f = if is_outside () then Pools.run_default f else f ()
let index () = (Worker.of_deque (Deque_cells.current ())).index
let workers () = Array.length (Worker.of_deque (Deque_cells.current ())).parts.workers
let[@inline] deque () : Job.task Deque.t = Deque_cells.current ()
let[@inline] is_hungry () = Deque.is_empty (deque ())

(* Half the thieves can have one, and some are left. *)
let is_rich ~workers = Deque.size (deque ()) > workers / 2
let[@inline] attend () = if Deque.is_called (deque ()) then Context.attend ~may_suspend:true
