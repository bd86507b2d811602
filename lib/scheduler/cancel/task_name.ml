(* Some context of the fiber is that of a task which its awaiter runs in place. *)
let rec is_in_place (c : Fiber.context) =
  c != Fiber.none
  &&
  match c.way with
  | Place | Place_in _ -> true
  | Free | Stoppable | Shield | Linked _ -> c.outer.fiber == c.fiber && is_in_place c.outer

let here () = (Context.current ()).fiber.id
let[@inline never] make_traced name f = Fiber_id.started ?name ~place:(Closure.place f) ~parent:(here ()) ()
let[@inline] make ?name f = if !Trace_hooks.on then make_traced name f else Fiber_id.unknown

(* A task that an awaiter runs in place has no fiber of its own. *)
let[@inline never] begins_traced id =
  let c = Context.current () in
  if c != Fiber.none && not (is_in_place c) then begin
    c.fiber.id <- id;
    !Trace_hooks.listener.fiber_begins id
  end

let[@inline] begins id = if Fiber_id.is_known id then begins_traced id

let[@inline never] call name place =
  let c = Context.current () in
  if not (is_in_place c) then Fiber_id.call c.fiber.id ~name ~place

let named name f () =
  if !Trace_hooks.on then call name (Closure.place f);
  f ()

let within f =
  if not !Trace_hooks.on then f
  else
    let id = make_traced None f in
    fun () ->
      begins id;
      f ()
