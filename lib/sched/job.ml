open Effect.Deep

type failure = { exn : exn; backtrace : Printexc.raw_backtrace; mutable watched : Uncaught.id option }

type 'a state =
  | Fork of { context : Fiber.context; task : maker; plain : bool; mutable inside : maker }
  | Task of Fiber.context
  | Taken of Fiber.context
  | Bare
  | Pending
  | Wanted of Fiber.context * 'a waiter list
  | Awaited of 'a waiter list
  | Expected of 'a waiter list
  | Returned of 'a
  | Raised of failure

and maker = unit state
and 'a t = { mutable state : 'a state; mutable run : unit -> 'a }

and 'a waiter =
  | Joiner of ('a, unit) continuation
  | Fiber of 'a suspended
  | Callback of (unit -> unit)
  | Guest of guest
  | Witness

and guest = (unit -> unit) Atomic.t

and 'a suspended = {
  continuation : ('a, unit) continuation;
  claimed : bool Atomic.t;
  home : home;
  mutable entry : Suspended.entry;
}

and home = {
  name : string;
  mutable queue : task -> unit;
  mutable wake : unit -> unit;
  suspended : Suspended.t;
}

and task = T : 'a t -> task [@@unboxed]

type parked =
  | Parked : {
      operation : 'a Effect.t;
      continuation : ('a, unit) continuation;
      runner : Fiber.context;
      here : maker;
      home : home;
      strand : Strand.t;
    }
      -> parked

exception Performed of parked
exception Not_created

module State = Weft_support.First_field

(* --- making --- *)

(* What [run] is when there is nothing to run, or no longer: these keep nothing alive, and tell created promises from tasks. *)
let nothing () = invalid_arg "Weft: internal error: a job without a function was run"
let finished () = invalid_arg "Weft: internal error: a job was run twice"

let[@inline] within (c : Fiber.context) =
  let plain = Bindings.is_empty c.bindings && not (Fiber.is_stoppable c) in
  Fork { context = c; task = Task c; plain; inside = Bare }

external any : unit state -> 'a state = "%identity"

let nobodys_task : unit state = Task Fiber.none

(* Prepared once for each context, since [async] allocates as little as possible: a [Task] says nothing of the type. *)
let[@inline] task_of (here : maker) : 'a state = any (match here with Fork f -> f.task | _ -> nobodys_task)
let[@inline] fork here run = { state = here; run }
let[@inline] task (here : maker) run = { state = task_of here; run }
let pending () = { state = Pending; run = nothing }
let returned v = { state = Returned v; run = nothing }
let bare run = T { state = Bare; run }
let taken = Taken Fiber.none
let nil = T { state = taken; run = nothing }

(* --- moving --- *)

let[@inline] state j : _ state = State.get j
let[@inline] cas j (was : 'a state) (now : 'a state) = State.compare_and_set (j : 'a t) was now

let rec claim j ~taken =
  match state j with
  | (Fork _ | Task _) as was -> cas j was taken || claim j ~taken
  | Wanted (_, waiters) as was -> cas j was (Awaited waiters) || claim j ~taken
  | Taken _ | Bare | Pending | Awaited _ | Expected _ | Returned _ | Raised _ -> false

let[@inline] is_stale j =
  match state j with
  | Taken _ | Awaited _ | Returned _ | Raised _ -> true
  | Fork _ | Task _ | Bare | Pending | Wanted _ | Expected _ -> false

let is_bare j = state j == Bare

let is_unstarted_task j =
  match state j with
  | Task _ | Wanted _ -> true
  | Fork _ | Taken _ | Bare | Pending | Awaited _ | Expected _ | Returned _ | Raised _ -> false

let claim_bare j = cas j Bare taken

let maker j =
  match state j with
  | Fork { context = c; _ } | Task c | Wanted (c, _) -> c
  | Taken _ | Bare | Pending | Awaited _ | Expected _ | Returned _ | Raised _ -> Fiber.none

let nobody = within Fiber.none

let context (m : maker) =
  match m with
  | Fork f -> f.context
  | Task _ | Taken _ | Bare | Pending | Wanted _ | Awaited _ | Expected _ | Returned _ | Raised _ ->
      Fiber.none

(* What runs behind a wall leaves nothing there, for all forks made there are joined. So one wall serves all the tasks that are run in
   place in one context, one after the other. *)
let[@inline never] new_wall (here : maker) =
  let c = context here in
  let wall = within (Fiber.wall c ~bindings:c.bindings) in
  (match here with Fork f when c != Fiber.none -> f.inside <- wall | _ -> ());
  wall

let[@inline] walled (here : maker) =
  match here with Fork { inside = Fork _ as wall; _ } -> wall | _ -> new_wall here

let tear_down (here : maker) = match here with Fork f -> f.inside <- Bare | _ -> ()

let[@inline] is_own (here : maker) j =
  match here with Fork { plain = true; task; _ } -> state j == any task | _ -> false

let[@inline] claim_own (here : maker) j = cas j (task_of here) taken
let[@inline] here (deque : task Deque.t) : _ state = Deque_cells.context deque
let[@inline] set_here (deque : task Deque.t) (m : maker) = Deque_cells.set_context deque m

let settle j outcome =
  (* The closure first: once settled, the job may be anybody's. *)
  j.run <- (if !Strand.profiling then Strand.settled ~created:false else finished);
  match (State.exchange (j : 'a t) outcome : 'a state) with
  | Awaited waiters -> waiters
  | Taken _ | Fork _ | Task _ | Bare | Pending | Wanted _ | Expected _ | Returned _ | Raised _ -> []

let rec try_settle j outcome =
  match state j with
  | Pending as was -> if cas j was outcome then Some [] else try_settle j outcome
  | Expected waiters as was ->
      (* Before the change: an allocation may be interrupted. *)
      let told = Some waiters in
      if cas j was outcome then told else try_settle j outcome
  | Returned _ | Raised _ ->
      if j.run == nothing || Strand.is_created j.run then None else raise_notrace Not_created
  | Fork _ | Task _ | Taken _ | Bare | Wanted _ | Awaited _ -> raise_notrace Not_created

(* Before the waiters are told, who look at it. *)
let try_settle j outcome =
  let told = try_settle j outcome in
  if !Strand.profiling && Option.is_some told then j.run <- Strand.settled ~created:true;
  told

let rec add_waiter j w =
  match state j with
  | Returned _ | Raised _ -> false
  | (Fork { context = c; _ } | Task c) as was -> cas j was (Wanted (c, [ w ])) || add_waiter j w
  | Wanted (c, ws) as was -> cas j was (Wanted (c, w :: ws)) || add_waiter j w
  | (Taken _ | Bare) as was -> cas j was (Awaited [ w ]) || add_waiter j w
  | Awaited ws as was -> cas j was (Awaited (w :: ws)) || add_waiter j w
  | Pending as was -> cas j was (Expected [ w ]) || add_waiter j w
  | Expected ws as was -> cas j was (Expected (w :: ws)) || add_waiter j w

(* What a guest calls that has left: nothing, or nothing but that it is a witness. *)
let gone () = ()
let gone_as_witness () = invalid_arg "Weft: internal error: a witness was called"
let guest call = Guest (Atomic.make call)
let is_witness = function Witness -> true | Guest g -> Atomic.get g == gone_as_witness | _ -> false

(* Without [w], and without those that are of no use any more, fibers that somebody else has undertaken to continue and guests
   that have left: they would all come to remove themselves, and a hundred thousand that time out together would copy the list as
   often. *)
let stays w v =
  match v with
  | Fiber s -> (match w with Fiber t -> s != t | _ -> true) && not (Atomic.get s.claimed)
  | Guest g ->
      v != w
      &&
      let call = Atomic.get g in
      call != gone && call != gone_as_witness
  | Joiner _ | Callback _ | Witness -> v != w

let without w ws =
  let left = List.filter (stays w) ws in
  if List.exists is_witness ws && not (List.exists is_witness left) then Witness :: left else left

let rec change_waiters j change =
  match state j with
  | Returned _ | Raised _ -> false
  | (Fork { context = c; _ } | Task c) as was ->
      replace j was [] change ~none:was ~some:(fun ws -> Wanted (c, ws))
  | Wanted (c, ws) as was -> replace j was ws change ~none:(Task c) ~some:(fun ws -> Wanted (c, ws))
  | (Taken _ | Bare) as was -> replace j was [] change ~none:was ~some:(fun ws -> Awaited ws)
  | Awaited ws as was -> replace j was ws change ~none:taken ~some:(fun ws -> Awaited ws)
  | Pending as was -> replace j was [] change ~none:was ~some:(fun ws -> Expected ws)
  | Expected ws as was -> replace j was ws change ~none:Pending ~some:(fun ws -> Expected ws)

and replace j was ws change ~none ~some =
  let now = match change ws with [] -> none | left -> some left in
  now == was || cas j was now || change_waiters j change

let remove_waiter j w = change_waiters j (without w)

(* Each removal takes all the others with it, so few are enough: of [n] that give up together, some [16 n] steps in all. Every
   [n]th time, so that when many of one job come one after the other, the last do not stay behind; and as often by chance (the high
   bits of the multiples of an odd number), so that when several jobs take turns, none is left out. *)
let givers_up = Atomic.make 0

let one_of n =
  n = 1
  ||
  let k = Atomic.fetch_and_add givers_up 1 in
  k land (n - 1) = 0 || ((k * 0x1E3779B97F4A7C15) lsr 40) land (n - 1) = 0

let forget_waiter j w =
  match state j with
  | Wanted (_, ws) | Awaited ws | Expected ws ->
      let longer n = List.compare_length_with ws n > 0 in
      let one_in =
        if not (longer 16) then 1
        else if not (longer 256) then 16
        else if not (longer 4096) then 256
        else 4096
      in
      if one_of one_in then ignore (remove_waiter j w)
  | Fork _ | Task _ | Taken _ | Bare | Pending | Returned _ | Raised _ -> ()

let[@inline] is_settled j =
  match state j with
  | Returned _ | Raised _ -> true
  | Fork _ | Task _ | Taken _ | Bare | Pending | Wanted _ | Awaited _ | Expected _ -> false

(* --- parked parts --- *)

let parked j =
  match state j with
  | Raised { exn = Performed p; _ } -> Some p
  | Raised _ | Returned _ | Fork _ | Task _ | Taken _ | Bare | Pending | Wanted _ | Awaited _ | Expected _ ->
      None

let is_over j = is_settled j && Option.is_none (parked j)
let retake j (Parked p) = ignore (State.exchange (j : 'a t) (Taken p.runner) : 'a state)

(* --- outcomes --- *)

let failure exn backtrace = { exn; backtrace; watched = None }

(* The exception that has just been raised; or a signal's, that comes meanwhile. The call of itself is no tail call: see Interrupt. *)
let rec raised exn =
  match Raised (failure exn (Printexc.get_raw_backtrace ())) with
  | outcome -> outcome
  | exception signal -> Sys.opaque_identity (raised signal)

let observe f =
  (match f.watched with
  | None -> ()
  | Some id ->
      f.watched <- None;
      Uncaught.forget id);
  (f.exn, f.backtrace)

let witness j =
  match state j with
  | Raised f -> ignore (observe f)
  | Returned _ | Fork _ | Task _ | Taken _ | Bare | Pending | Wanted _ | Awaited _ | Expected _ -> ()

let depart j w call =
  match w with
  | Guest g ->
      Atomic.set g call;
      forget_waiter j w
  | Joiner _ | Fiber _ | Callback _ | Witness -> invalid_arg "Weft: internal error: no guest"

let leave j w = depart j w gone

let leave_witness j w =
  depart j w gone_as_witness;
  witness j

let tell j g =
  let call = Atomic.get g in
  if call == gone_as_witness then witness j else call ()

let watch f ~pool =
  match f.exn with
  | Fiber.Cancelled _ -> ()
  | exn ->
      let id = Uncaught.add ~pool exn f.backtrace in
      f.watched <- Some id;
      Gc.finalise (fun _ -> Uncaught.report id) f

let unsettled () = invalid_arg "Weft: internal error: the outcome of a job that is not settled"

let get j =
  match state j with
  | Returned v -> v
  | Raised f ->
      let exn, backtrace = observe f in
      Printexc.raise_with_backtrace exn backtrace
  | Fork _ | Task _ | Taken _ | Bare | Pending | Wanted _ | Awaited _ | Expected _ -> unsettled ()

exception Delivered of exn * Printexc.raw_backtrace

let delivered f =
  let exn, backtrace = observe f in
  (* Of one who gave up, nothing but the place where it waits is of interest. *)
  if Printexc.raw_backtrace_length backtrace = 0 then exn else Delivered (exn, backtrace)

let continue_with k j =
  match state j with
  | Returned v -> continue k v
  | Raised f -> (
      match delivered f with
      | exn -> discontinue k exn
      (* A signal's, on the worker's stack: it must end the fiber, not lose it. *)
      | exception exn -> discontinue k exn)
  | Fork _ | Task _ | Taken _ | Bare | Pending | Wanted _ | Awaited _ | Expected _ -> unsettled ()
