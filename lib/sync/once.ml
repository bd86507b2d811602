type 'a state =
  | Waiting of (unit -> 'a)
  | Running of { owner : Context.owner; ended : unit Write_once.t }  (** filled once the state is another *)
  | Value of 'a
  | Failure of exn * Printexc.raw_backtrace

type 'a t = 'a state Atomic.t

let make f = Atomic.make (Waiting f)
let is_done o = match Atomic.get o with Value _ | Failure _ -> true | Waiting _ | Running _ -> false

(* Whether [exn] ended the computing fiber, not the computation itself. *)
let ends_the_fiber exn =
  match exn with
  | Pool_state.Closed _ | Deadlock.Deadlock _ -> true
  | exn -> Fiber.is_stopped_with (Context.current ()) exn

(* Once the state has changed it may be another's. *)
let end_with o ended state =
  Atomic.set o state;
  ignore (Write_once.put ended () : bool)

(* The state is Running; the fiber that runs leaves it. *)
let compute o f ended =
  match f () with
  | v ->
      end_with o ended (Value v);
      v
  | exception exn ->
      let backtrace = Printexc.get_raw_backtrace () in
      end_with o ended (if ends_the_fiber exn then Waiting f else Failure (exn, backtrace));
      Printexc.raise_with_backtrace exn backtrace

let rec get o =
  match Atomic.get o with
  | Value v ->
      Poll.checkpoint ();
      v
  | Failure (exn, backtrace) ->
      Poll.checkpoint ();
      Printexc.raise_with_backtrace exn backtrace
  | Waiting f as was ->
      (* [end_with] must not be ended in its middle: [put] asks for the room of a call, deeper. *)
      Stack_room.(ensure (call + step));
      let ended = Write_once.create () in
      let running = Running { owner = Context.owner (); ended } in
      if Atomic.compare_and_set o was running then compute o f ended else get o
  | Running r ->
      if r.owner == Context.owner () then invalid_arg "Weft.Once.get: called by its own computation";
      Write_once.wait ~what:"Weft.Once.get" r.ended;
      get o
