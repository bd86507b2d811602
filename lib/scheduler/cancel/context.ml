exception Cancelled = Fiber.Cancelled
exception Timeout = Fiber.Timeout

let here () : Job.task Deque.t = Deque_memory.current ()
let nowhere = Deque_memory.nowhere ()

let current () =
  let deque = here () in
  if deque == nowhere then Fiber.none else Spawn_context.context (Spawn_context.here deque)

(* [f] may end on another worker than it began on. *)
let within c f =
  let deque = here () in
  let before = Spawn_context.here deque in
  Spawn_context.set_here deque (Spawn_context.within c);
  match f () with
  | v ->
      Spawn_context.set_here (here ()) before;
      v
  | exception exn ->
      let backtrace = Printexc.get_raw_backtrace () in
      Spawn_context.set_here (here ()) before;
      Printexc.raise_with_backtrace exn backtrace

let return () =
  let c = current () in
  if c != Fiber.none then Fiber.return_to c

let within_stoppable c f =
  match within c f with
  | v ->
      return ();
      v
  | exception exn ->
      let backtrace = Printexc.get_raw_backtrace () in
      return ();
      Printexc.raise_with_backtrace exn backtrace

let shield f =
  let c = current () in
  if c == Fiber.none then f () else within_stoppable (Fiber.shield c ~bindings:c.bindings) f

(* --- owners --- *)

type owner = Owner_id.t

let owner () =
  let deque = here () in
  if deque == nowhere then Owner_id.of_int (Thread.id (Thread.self ()))
  else Owner_id.of_block (Spawn_context.context (Spawn_context.here deque)).fiber

let is_running owner = Owner_id.is_int owner || not (Fiber.is_suspended (Owner_id.block owner))
