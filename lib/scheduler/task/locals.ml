module Cells = Deque_memory

(* --- threads that are no workers --- *)

module Threads = struct
  module By_id = Map.Make (Int)

  (* Replaced as a whole and not locked, since a signal handler outside of pools may come in between. It
     holds only threads with bindings. *)
  let all = Atomic.make By_id.empty
  let this () = Thread.id (Thread.self ())

  let get () =
    let bound = Atomic.get all in
    if By_id.is_empty bound then Bindings.empty
    else Option.value (By_id.find_opt (this ()) bound) ~default:Bindings.empty

  let rec set b =
    let was = Atomic.get all in
    let now = if Bindings.is_empty b then By_id.remove (this ()) was else By_id.add (this ()) b was in
    if not (Atomic.compare_and_set all was now) then set b
end

(* --- here --- *)

let is_outside () = Cells.current () == Cells.nowhere ()
let current () = if is_outside () then Threads.get () else (Context.current ()).bindings

let within_thread b f =
  let before = Threads.get () in
  Threads.set b;
  Fun.protect ~finally:(fun () -> Threads.set before) f

let within b f =
  if is_outside () then within_thread b f
  else
    let c = Context.current () in
    if b == c.bindings then f () else Context.within (Fiber.binding c b) f

let within_all b f = if Bindings.inherited b == b then f () else within b f

let keep f =
  let b = current () in
  if Bindings.inherited b == b then f else fun () -> within b f

let spawn_context () : Job.spawn_context =
  let deque = Cells.current () in
  if deque == Cells.nowhere () then
    let b = Threads.get () in
    if Bindings.is_empty b then Spawn_context.nobody else Spawn_context.within (Fiber.binding Fiber.none b)
  else Spawn_context.here deque
