exception Cancelled = Fiber.Cancelled
exception Timeout = Fiber.Timeout

let here () : Job.task Deque.t = Deque_memory.current ()
let nowhere = Deque_memory.nowhere ()

let current () =
  let deque = here () in
  if deque == nowhere then Fiber.none else Job.context (Job.here deque)

(* [f] may end on another worker than it began on. *)
let within c f =
  let deque = here () in
  let before = Job.here deque in
  Job.set_here deque (Job.within c);
  match f () with
  | v ->
      Job.set_here (here ()) before;
      v
  | exception exn ->
      let backtrace = Printexc.get_raw_backtrace () in
      Job.set_here (here ()) before;
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
  if c == Fiber.none then f () else within_stoppable (Fiber.wall c ~bindings:c.bindings) f

(* --- noticing --- *)

let on_poll : (may_suspend:bool -> bool) ref = ref (fun ~may_suspend:_ -> false)

let poll ~may_suspend =
  if Deque.acknowledge (here ()) then begin
    let is_left = !on_poll ~may_suspend in
    (* A fiber that is marked is called again wherever it arrives: of two that give way to each other, each must get on. What may not
       suspend leaves the call to the next operation that may. *)
    if may_suspend then begin
      if Deque.acknowledge (here ()) then ignore (!on_poll ~may_suspend:false : bool)
    end
    else if is_left then Deque.request_preempt (here ());
    Fiber.look (current ())
  end;
  Deque.make_room (here ())

(* A fiber that is marked is called again: this is no place at which it ends. *)
let[@inline never] give_way () =
  if here () != nowhere then begin
    if Deque.acknowledge (here ()) then begin
      ignore (!on_poll ~may_suspend:true : bool);
      Fiber.return_to (current ())
    end;
    Deque.make_room (here ())
  end

let[@inline] pass timeout = if Deque.is_preempt_requested (here ()) && Option.is_none timeout then give_way ()

let check () =
  (* Timers may be due that nobody else has the time to see to. *)
  if Deque.is_preempt_requested (here ()) && here () != nowhere then poll ~may_suspend:false;
  let c = current () in
  match Fiber.cancellation c with Stopped _ -> Fiber.look c | Fine | Failing _ -> ()

(* --- owners --- *)

type owner = Owner_id.t

let owner () =
  let deque = here () in
  if deque == nowhere then Owner_id.of_int (Thread.id (Thread.self ()))
  else Owner_id.of_block (Job.context (Job.here deque)).fiber
