let is_outside () = Deque_memory.current () == Deque_memory.nowhere ()

let in_pool f =
  if is_outside () then Pools.run_default f
  else begin
    Weft_platform.Stack_room.(ensure call);
    f ()
  end

let worker () = Worker.of_deque (Deque_memory.current ())
let index () = if is_outside () then 0 else (worker ()).index

let is_profiled () =
  !Explored.on || (!Span_session.profiling && Span_session.is_profiled (Deque_memory.current ()))

let workers () =
  let deque = Deque_memory.current () in
  let assumed = Span_session.workers deque in
  if assumed > 0 then assumed
  else if !Explored.on then Explored.domains
  else if Deque_memory.id deque < 0 then 1
  else Array.length (Worker.of_deque deque).parts.workers

let[@inline] deque () : Job.task Deque.t = Deque_memory.current ()
let[@inline] has_no_jobs () = Deque.is_empty (deque ()) && not (is_profiled () || is_outside ())

(* Half of the thieves can each take one, and some are left. *)
let has_many_jobs ~workers = Deque.size (deque ()) > workers / 2
let[@inline] poll () = if Deque.is_preempt_requested (deque ()) then Poll.poll ~may_suspend:true ()
let[@inline never] poll_inside () = if not (is_outside ()) then Poll.poll ~may_suspend:true ()
let[@inline] poll_anywhere () = if Deque.is_preempt_requested (deque ()) then poll_inside ()
