open Job

type t = spawn_context

let[@inline] within (c : Fiber.context) =
  let plain = Bindings.is_empty c.bindings && not (Fiber.is_stoppable c) in
  Fork { context = c; task = Task c; plain; inside = Resume }

let nobody : t = within Fiber.none

let context (m : t) =
  match m with
  | Fork f -> f.context
  | Task _ | Running _ | Resume | Gave_way | Pending | Awaited_task _ | Awaited_running _ | Awaited_pending _
  | Asks _ | Returned _ | Raised _ ->
      Fiber.none

(* Code that runs behind a shield leaves nothing there, since all forks made there are joined. So one shield
   serves all tasks that are run in place in one context, one after the other. *)
let[@inline never] new_shield (here : t) =
  let c = context here in
  let shield = within (Fiber.in_place c ~bindings:c.bindings) in
  (match here with Fork f when c != Fiber.none -> f.inside <- shield | _ -> ());
  shield

let[@inline] shielded (here : t) =
  match here with Fork { inside = Fork _ as shield; _ } -> shield | _ -> new_shield here

let forget_shield (here : t) = match here with Fork f -> f.inside <- Resume | _ -> ()
let[@inline] here (deque : task Deque.t) : _ state = Deque_memory.context deque
let[@inline] set_here (deque : task Deque.t) (m : t) = Deque_memory.set_context deque m
