open Effect.Deep
include Types.Job

type added = Added | Settled | To_answer of asking

exception Performed of parked
exception Asked of asking
exception Not_created

module State = Weft_platform.First_field

(* --- making --- *)

(* [run] of a job that has no function, or has it no longer. It keeps nothing alive, and tells created
   promises from tasks. *)
let nothing () = invalid_arg "Weft: internal error: a job without a function was run"

(* The same, for promises that their resolvers settle. *)
let nothing_either () = nothing ()
let finished () = invalid_arg "Weft: internal error: a job was run twice"

external any : unit state -> 'a state = "%identity"

let nobodys_task : unit state = Task Fiber.none

(* Made once for each context, since [async] shall allocate as little as possible; a [Task] does not depend
   on the type. *)
let[@inline] task_of (here : spawn_context) : 'a state =
  any (match here with Fork f -> f.task | _ -> nobodys_task)

let[@inline] fork here run = { state = here; run }
let[@inline] task (here : spawn_context) run = { state = task_of here; run }
let pending () = { state = Pending; run = nothing }
let pending_of_resolver () = { (pending ()) with run = nothing_either }
let has_resolver j = j.run == nothing_either
let returned v = { state = Returned v; run = nothing }
let resumption run = T { state = Resume; run }
let gave_way run = T { state = Gave_way; run }
let running = Running Fiber.none
let nil = T { state = running; run = nothing }

(* --- moving --- *)

let[@inline] state j : _ state = State.get j
let[@inline] cas j (was : 'a state) (now : 'a state) = State.compare_and_set (j : 'a t) was now

let rec claim j ~running =
  match state j with
  | (Fork _ | Task _) as was -> cas j was running || claim j ~running
  | Awaited_task (_, waiters) as was -> cas j was (Awaited_running waiters) || claim j ~running
  | Running _ | Resume | Gave_way | Pending | Awaited_running _ | Awaited_pending _ | Asks _ | Returned _
  | Raised _ ->
      false

let[@inline] is_stale j =
  match state j with
  | Running _ | Awaited_running _ | Asks _ | Returned _ | Raised _ -> true
  | Fork _ | Task _ | Resume | Gave_way | Pending | Awaited_task _ | Awaited_pending _ -> false

let is_resumption j = match state j with Resume | Gave_way -> true | _ -> false
let has_given_way j = state j == Gave_way
let is_unstarted_fork j = match state j with Fork _ -> true | _ -> false
let is_unstarted_task j = match state j with Task _ | Awaited_task _ -> true | _ -> false

let spawned_in j =
  match state j with
  | Fork { context = c; _ } | Task c | Awaited_task (c, _) -> c
  | Running _ | Resume | Gave_way | Pending | Awaited_running _ | Awaited_pending _ | Asks _ | Returned _
  | Raised _ ->
      Fiber.none

let[@inline] is_own (here : spawn_context) j =
  match here with Fork { plain = true; task; _ } -> state j == any task | _ -> false

let[@inline] claim_own (here : spawn_context) j = cas j (task_of here) running

let settle j outcome =
  (* The closure is dropped first: once settled, anybody may have the job. *)
  j.run <- (if !Span_session.profiling then Work_span.settled ~created:false else finished);
  match (State.exchange (j : 'a t) outcome : 'a state) with
  | Awaited_running waiters | Asks (_, waiters) -> waiters
  | Running _ | Fork _ | Task _ | Resume | Gave_way | Pending | Awaited_task _ | Awaited_pending _
  | Returned _ | Raised _ ->
      []

let rec try_settle j outcome =
  match state j with
  | Pending as was -> if cas j was outcome then Some [] else try_settle j outcome
  | Awaited_pending waiters as was -> if cas j was outcome then Some waiters else try_settle j outcome
  | Returned _ | Raised _ ->
      if j.run == nothing || has_resolver j || Work_span.is_created j.run then None
      else raise_notrace Not_created
  | Fork _ | Task _ | Running _ | Resume | Gave_way | Awaited_task _ | Awaited_running _ | Asks _ ->
      raise_notrace Not_created

(* Before the waiters are told, since they look at it. *)
let try_settle j outcome =
  let told = try_settle j outcome in
  if !Span_session.profiling && Option.is_some told then j.run <- Work_span.settled ~created:true;
  told

let with_one w ws ~first = if first then ws @ [ w ] else w :: ws
let awaited ws = match ws with [] -> running | ws -> Awaited_running ws

let rec add j w ~first =
  match state j with
  | Returned _ | Raised _ -> Settled
  | (Fork { context = c; _ } | Task c) as was ->
      if cas j was (Awaited_task (c, [ w ])) then Added else add j w ~first
  | Awaited_task (c, ws) as was -> if cas j was (Awaited_task (c, w :: ws)) then Added else add j w ~first
  | (Running _ | Resume | Gave_way) as was ->
      if cas j was (Awaited_running [ w ]) then Added else add j w ~first
  | Awaited_running ws as was ->
      if cas j was (Awaited_running (with_one w ws ~first)) then Added else add j w ~first
  | Asks (a, ws) as was ->
      let answered = Claim.is_taken a.answered in
      let now, added =
        match w with
        | _ when answered -> (Awaited_running (with_one w ws ~first), Added)
        | Fiber _ -> (awaited ws, To_answer a)
        | Attendant _ | Removable _ -> (Awaited_running (w :: ws), To_answer a)
        | Joiner _ | Callback _ | Canceller _ | Witness -> (Asks (a, w :: ws), Added)
      in
      if cas j was now then added else add j w ~first
  | Pending as was -> if cas j was (Awaited_pending [ w ]) then Added else add j w ~first
  | Awaited_pending ws as was -> if cas j was (Awaited_pending (w :: ws)) then Added else add j w ~first

let add_waiter j w = match add j w ~first:false with Settled -> false | Added | To_answer _ -> true

(* What a removable waiter calls once it has left: nothing; or it stays as a mere witness. *)
let gone () = ()
let gone_as_witness () = invalid_arg "Weft: internal error: a witness was called"
let always () = true
let removable ?(wanted = always) call = Removable { call = Atomic.make call; wanted }
let is_witness = function Witness -> true | Removable g -> Atomic.get g.call == gone_as_witness | _ -> false

let is_needed g =
  let call = Atomic.get g.call in
  call != gone && call != gone_as_witness && g.wanted ()

(* Removes [w], and with it those that are of no use any more: fibers that somebody else has claimed, and
   removable waiters that have left or are not wanted. Each of them would come to remove itself, and a
   hundred thousand that time out together would copy the list as often. *)
let stays w v =
  match v with
  | Fiber s -> (match w with Fiber t -> s != t | _ -> true) && not (Claim.is_taken s.claim)
  | Removable g -> v != w && is_needed g
  | Joiner _ | Callback _ | Attendant _ | Canceller _ | Witness -> v != w

let without w ws =
  let left = List.filter (stays w) ws in
  if List.exists is_witness ws && not (List.exists is_witness left) then Witness :: left else left

let rec change_waiters j change =
  match state j with
  | Returned _ | Raised _ -> false
  | (Fork { context = c; _ } | Task c) as was ->
      replace j was [] change ~none:was ~some:(fun ws -> Awaited_task (c, ws))
  | Awaited_task (c, ws) as was ->
      replace j was ws change ~none:(Task c) ~some:(fun ws -> Awaited_task (c, ws))
  | (Running _ | Resume | Gave_way) as was ->
      replace j was [] change ~none:was ~some:(fun ws -> Awaited_running ws)
  | Awaited_running ws as was -> replace j was ws change ~none:running ~some:(fun ws -> Awaited_running ws)
  | Asks (a, ws) as was -> replace j was ws change ~none:(Asks (a, [])) ~some:(fun ws -> Asks (a, ws))
  | Pending as was -> replace j was [] change ~none:was ~some:(fun ws -> Awaited_pending ws)
  | Awaited_pending ws as was -> replace j was ws change ~none:Pending ~some:(fun ws -> Awaited_pending ws)

and replace j was ws change ~none ~some =
  let now = match change ws with [] -> none | left -> some left in
  now == was || cas j was now || change_waiters j change

let remove_waiter j w = change_waiters j (without w)

(* Each removal takes along all that are of no use, so few removals are enough: of [n] waiters that give up
   together, some [16 n] steps in all. It is done every [n]th time, so that when many of one job give up one
   after the other, the last do not stay behind; and as often at random (by the high bits of multiples of an
   odd number), so that when several jobs take turns, none is left out. *)
let givers_up = Atomic.make 0
let comes_round k n = k land (n - 1) = 0 || ((k * 0x1E3779B97F4A7C15) lsr 40) land (n - 1) = 0
let longer ws n = List.compare_length_with ws n > 0

(* A list is measured no further than the draw demands. *)
let is_due ws =
  let k = Atomic.fetch_and_add givers_up 1 in
  let due_beyond n = (not (longer ws n)) || comes_round k n in
  comes_round k 16 && due_beyond 256 && due_beyond 4096

let waiters j =
  match state j with
  | Awaited_task (_, ws) | Awaited_running ws | Awaited_pending ws | Asks (_, ws) -> ws
  | Fork _ | Task _ | Running _ | Resume | Gave_way | Pending | Returned _ | Raised _ -> []

let forget_if j w is_time =
  match waiters j with [] -> () | ws -> if is_time ws then ignore (remove_waiter j w)

let forget_waiter j w = forget_if j w (fun ws -> (not (longer ws 16)) || is_due ws)

(* All leave a witness behind. *)
let clear_away j = forget_if j Witness (fun ws -> longer ws 16 && is_due ws)
let[@inline] is_settled j = match state j with Returned _ | Raised _ -> true | _ -> false
let canceller j = List.find_map (function Canceller c -> Some c | _ -> None) (waiters j)

(* --- parked parts --- *)

let awaits w =
  match w with
  | Fiber s -> not (Claim.is_taken s.claim)
  | Removable g -> is_needed g
  | Attendant _ -> true
  | Joiner _ | Callback _ | Canceller _ | Witness -> false

let is_awaited ws = List.exists awaits ws

(* The eldest. *)
let first_to_await ws = List.fold_left (fun first w -> if awaits w then Some w else first) None ws

let rec ask j a =
  match state j with
  | Running _ as was -> if cas j was (Asks (a, [])) then None else ask j a
  | Asks (b, _) when not (Claim.is_taken b.answered) -> None
  | (Awaited_running ws | Asks (_, ws)) as was -> (
      match first_to_await ws with
      | None -> if cas j was (Asks (a, ws)) then None else ask j a
      | Some (Fiber _ as w) as first -> if cas j was (awaited (without w ws)) then first else ask j a
      | first -> first)
  (* It is told again, too late: the task has gone on. *)
  | Returned _ | Raised _ -> None
  | Fork _ | Task _ | Resume | Gave_way | Pending | Awaited_task _ | Awaited_pending _ ->
      invalid_arg "Weft: internal error: no task that runs asks"

let parked j = match state j with Raised { exn = Performed p; _ } -> Some p | _ -> None
let retake j (Parked p) = ignore (State.exchange (j : 'a t) (Running p.runner) : 'a state)

(* --- outcomes --- *)

let failure exn backtrace = { exn; backtrace; watched = None }
let raised exn = Raised (failure exn (Printexc.get_raw_backtrace ()))

let observe f =
  (match f.watched with
  | None -> ()
  | Some id ->
      f.watched <- None;
      Uncaught.forget id);
  (f.exn, f.backtrace)

let witness j = match state j with Raised f -> ignore (observe f) | _ -> ()

let depart j w call =
  match w with
  | Removable g ->
      Atomic.set g.call call;
      forget_waiter j w
  | Joiner _ | Fiber _ | Callback _ | Attendant _ | Canceller _ | Witness ->
      invalid_arg "Weft: internal error: not a removable waiter"

let leave j w = depart j w gone

let leave_witness j w =
  depart j w gone_as_witness;
  witness j

let tell j g =
  let call = Atomic.get g.call in
  if call == gone_as_witness then witness j else call ()

let is_raised_with j exn = match state j with Raised f -> f.exn == exn | _ -> false

let watch f origin =
  match f.exn with
  | Fiber.Cancelled _ -> ()
  | exn ->
      let id = Uncaught.add origin exn f.backtrace in
      f.watched <- Some id;
      Gc.finalise (fun _ -> Uncaught.report id) f

let unsettled () = invalid_arg "Weft: internal error: the outcome of a job that is not settled"

let get j =
  match state j with
  | Returned v -> v
  | Raised f ->
      let exn, backtrace = observe f in
      Printexc.raise_with_backtrace exn backtrace
  | Fork _ | Task _ | Running _ | Resume | Gave_way | Pending | Awaited_task _ | Awaited_running _
  | Awaited_pending _ | Asks _ ->
      unsettled ()

exception Delivered of exn * Printexc.raw_backtrace

let delivered f =
  let exn, backtrace = observe f in
  (* A waiter that gave up needs nothing but its place in the list. *)
  if Printexc.raw_backtrace_length backtrace = 0 then exn else Delivered (exn, backtrace)

let continue_with k j =
  match state j with
  | Returned v -> continue k v
  | Raised f -> discontinue k (delivered f)
  | Fork _ | Task _ | Running _ | Resume | Gave_way | Pending | Awaited_task _ | Awaited_running _
  | Awaited_pending _ | Asks _ ->
      unsettled ()
