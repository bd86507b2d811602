open Effect.Deep

type failure = { exn : exn; backtrace : Printexc.raw_backtrace; mutable watched : Uncaught.id option }

type 'a state =
  | Fork
  | Task
  | Taken
  | Bare
  | Pending
  | Wanted of 'a waiter list
  | Awaited of 'a waiter list
  | Expected of 'a waiter list
  | Returned of 'a
  | Raised of failure

and 'a t = { mutable state : 'a state; mutable run : unit -> 'a }
and 'a waiter = Joiner of ('a, unit) continuation | Fiber of 'a suspended | Callback of (unit -> unit)

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

exception Not_created

module State = Weft_support.First_field

(* --- making --- *)

(* What [run] is when there is nothing to run, or no longer: these keep nothing alive, and tell created promises from tasks. *)
let nothing () = invalid_arg "Weft: internal error: a job without a function was run"
let finished () = invalid_arg "Weft: internal error: a job was run twice"
let[@inline] fork run = { state = Fork; run }
let[@inline] task run = { state = Task; run }
let pending () = { state = Pending; run = nothing }
let returned v = { state = Returned v; run = nothing }
let bare run = T { state = Bare; run }
let nil = T { state = Taken; run = nothing }

(* --- moving --- *)

let[@inline] get_state j : _ state = State.get j
let[@inline] cas j (was : 'a state) (now : 'a state) = State.compare_and_set (j : 'a t) was now

let rec claim j =
  match get_state j with
  | (Fork | Task) as was -> cas j was Taken || claim j
  | Wanted waiters as was -> cas j was (Awaited waiters) || claim j
  | Taken | Bare | Pending | Awaited _ | Expected _ | Returned _ | Raised _ -> false

let settle j outcome =
  (* The closure first: once settled, the job may be anybody's. *)
  j.run <- finished;
  match (State.exchange (j : 'a t) outcome : 'a state) with
  | Awaited waiters -> waiters
  | Taken | Fork | Task | Bare | Pending | Wanted _ | Expected _ | Returned _ | Raised _ -> []

let rec try_settle j outcome =
  match get_state j with
  | Pending as was -> if cas j was outcome then Some [] else try_settle j outcome
  | Expected waiters as was -> if cas j was outcome then Some waiters else try_settle j outcome
  | Returned _ | Raised _ -> if j.run == nothing then None else raise_notrace Not_created
  | Fork | Task | Taken | Bare | Wanted _ | Awaited _ -> raise_notrace Not_created

let rec add_waiter j w =
  match get_state j with
  | Returned _ | Raised _ -> false
  | (Fork | Task) as was -> cas j was (Wanted [ w ]) || add_waiter j w
  | Wanted ws as was -> cas j was (Wanted (w :: ws)) || add_waiter j w
  | (Taken | Bare) as was -> cas j was (Awaited [ w ]) || add_waiter j w
  | Awaited ws as was -> cas j was (Awaited (w :: ws)) || add_waiter j w
  | Pending as was -> cas j was (Expected [ w ]) || add_waiter j w
  | Expected ws as was -> cas j was (Expected (w :: ws)) || add_waiter j w

let[@inline] is_settled j =
  match get_state j with
  | Returned _ | Raised _ -> true
  | Fork | Task | Taken | Bare | Pending | Wanted _ | Awaited _ | Expected _ -> false

(* --- outcomes --- *)

let failure exn backtrace = { exn; backtrace; watched = None }

let observe f =
  (match f.watched with
  | None -> ()
  | Some id ->
      f.watched <- None;
      Uncaught.forget id);
  (f.exn, f.backtrace)

let watch f ~pool =
  let id = Uncaught.add ~pool f.exn f.backtrace in
  f.watched <- Some id;
  Gc.finalise (fun _ -> Uncaught.report id) f

let unsettled () = invalid_arg "Weft: internal error: the outcome of a job that is not settled"

let get j =
  match get_state j with
  | Returned v -> v
  | Raised f ->
      let exn, backtrace = observe f in
      Printexc.raise_with_backtrace exn backtrace
  | Fork | Task | Taken | Bare | Pending | Wanted _ | Awaited _ | Expected _ -> unsettled ()

let continue_with k j =
  match get_state j with
  | Returned v -> continue k v
  | Raised f ->
      let exn, backtrace = observe f in
      discontinue_with_backtrace k exn backtrace
  | Fork | Task | Taken | Bare | Pending | Wanted _ | Awaited _ | Expected _ -> unsettled ()
