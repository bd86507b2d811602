type 'a t = 'a Job.t
type 'a outcome = ('a, exn * Printexc.raw_backtrace) result

let who what = "Weft.Promise." ^ what

(* --- making and settling --- *)

let create = Job.pending
let of_value = Job.returned

(* [room] is for those whom it lets go on, and for promises that it settles in turn. *)
let try_settle ~room what p outcome =
  Weft_platform.Stack_room.ensure room;
  match Job.try_settle p outcome with
  | None -> None
  | Some _ as waiters -> waiters
  | exception Job.Not_created -> invalid_arg (who what ^ ": this promise belongs to a task, which settles it")

let settled_already who what =
  invalid_arg (Printf.sprintf "%s: the promise is settled already; try_%s is false instead" (who what) what)

let deep = Weft_platform.Stack_room.deep
let step = Weft_platform.Stack_room.step

let try_resolve_as ?(room = deep) what p v =
  match try_settle ~room what p (Returned v) with
  | None -> false
  | Some waiters ->
      Resume.deliver p waiters;
      true

let rejected =
  Uncaught.Other "a promise was rejected, and nobody awaits it (await it, or withdraw its resolver)"

let try_reject_as ?(room = deep) what backtrace p exn =
  let backtrace = match backtrace with Some b -> b | None -> Printexc.get_raw_backtrace () in
  let failure = Job.failure exn backtrace in
  (* Watch it before it is settled: a fiber that observes it afterwards must find it watched. *)
  Job.watch failure rejected;
  match try_settle ~room what p (Raised failure) with
  | None ->
      ignore (Job.observe failure);
      false
  | Some waiters ->
      Resume.deliver p waiters;
      true
  | exception misuse ->
      ignore (Job.observe failure);
      raise misuse

let check_open what p =
  if Job.has_resolver p then invalid_arg (who what ^ ": this promise has a resolver, which settles it")

let try_resolve p v =
  check_open "try_resolve" p;
  try_resolve_as "try_resolve" p v

let try_reject ?backtrace p exn =
  check_open "try_reject" p;
  try_reject_as "try_reject" backtrace p exn

let resolve p v =
  check_open "resolve" p;
  if not (try_resolve_as "resolve" p v) then settled_already who "resolve"

let reject ?backtrace p exn =
  check_open "reject" p;
  if not (try_reject_as "reject" backtrace p exn) then settled_already who "reject"

module Resolver = struct
  type nonrec 'a t = 'a t

  let who what = "Weft.Promise.Resolver." ^ what
  let promise = Fun.id
  let try_resolve r v = try_resolve_as "Resolver.try_resolve" r v
  let try_reject ?backtrace r exn = try_reject_as "Resolver.try_reject" backtrace r exn
  let resolve r v = if not (try_resolve r v) then settled_already who "resolve"
  let reject ?backtrace r exn = if not (try_reject ?backtrace r exn) then settled_already who "reject"

  (* Nobody is told of a promise that was cancelled: see {!Job.watch}. *)
  let withdraw ?(reason = "the promise was withdrawn") r = try_reject r (Fiber.Cancelled reason)
end

let make () =
  let p = Job.pending_of_resolver () in
  (p, p)

(* --- tasks that may be cancelled --- *)

let cancellable f =
  Weft_platform.Stack_room.(ensure call);
  let task = Cancellable.create () in
  let id = Task_name.make f in
  let run () =
    Task_name.begins id;
    Cancellable.run task f
  in
  let p = Fork_join.task run in
  ignore (Job.add_waiter p (Cancellable.canceller task p ~ended:ignore) : bool);
  Fork_join.start ~who:(who "cancellable") p;
  p

let cancel ?(reason = "the promise was cancelled") p =
  Weft_platform.Stack_room.(ensure call);
  match Job.canceller p with
  | Some c -> c.cancel (Fiber.Cancelled reason)
  | None ->
      if not (Job.is_settled p) then
        invalid_arg (who "cancel" ^ ": this promise is not that of Promise.cancellable or Scope.async")

(* --- asking --- *)

let await = Fork_join.await
let is_settled = Job.is_settled

let peek (p : _ t) =
  match Job.state p with
  | Returned v -> Some (Ok v)
  | Raised f -> Some (Error (Job.observe f))
  | Fork _ | Task _ | Running _ | Resume | Gave_way | Pending | Awaited_task _ | Awaited_running _
  | Awaited_pending _ | Asks _ ->
      None

let await_result p =
  match await p with
  | v -> Ok v
  | exception exn ->
      let backtrace = Printexc.get_raw_backtrace () in
      (* Another exception has ended the wait, not the promise. *)
      if Job.is_raised_with p exn then Error (exn, backtrace) else Printexc.raise_with_backtrace exn backtrace

let in_callback =
  Uncaught.Other
    "a function of Promise.on_settled has raised, which nobody can catch (let it handle its exceptions)"

let why_refused =
  "no handler inside the function of Promise.on_settled handles it, and those of other functions are not \
   asked; put the handler inside"

(* A handler around whoever settles [p] could drop the computation, and with it those who are not told yet. *)
let on_settled p f =
  Weft_platform.Stack_room.(ensure step);
  let call () = f (Option.get (peek p)) in
  let tell () =
    try Context.shield (Weft_platform.Refused_effects.within ~why:why_refused call)
    with exn -> Uncaught.(report (add in_callback exn (Printexc.get_raw_backtrace ())))
  in
  if not (Job.add_waiter p (Callback tell)) then tell ()

(* --- combining --- *)

let map f p = Fork_join.async (fun () -> f (await p))
let bind p f = Fork_join.async (fun () -> await (f (await p)))
let get = function Ok v -> v | Error (exn, backtrace) -> Printexc.raise_with_backtrace exn backtrace

let both p q =
  Fork_join.async (fun () ->
      let a = await_result p in
      let b = await_result q in
      let a = get a in
      (a, get b))

let all ps =
  Fork_join.async (fun () ->
      let outcomes = List.map await_result ps in
      List.map get outcomes)

(* A weak reference: it does not keep [x] alive. *)
let weakly x =
  let w = Weak.create 1 in
  Weak.set w 0 (Some x);
  w

(* [first_of ps decide] is a promise that [decide] settles. The thread that settles [p] calls
   [decide p first], which must not take long.

   [first] keeps all of [ps] alive, and their callbacks; these refer to [first] weakly. So a promise that
   waits for ever does not keep a [first] that the program has dropped. If [first] is garbage, its waiters (the
   callbacks in [ps]) are unwanted, and the next one that adds a callback there removes them. A [first] that is
   still reachable keeps the combinations that decide it. Once [first] is settled, by anybody, all its waiters
   leave, those that are still to be added, too: a callback of [first] does that. *)
let first_of ps decide =
  let first = create () in
  let alive = weakly first in
  (* Not [Weak.get]: that would keep the promise alive beyond the collection that is under way. *)
  let wanted () = Weak.check alive 0 in
  let watch p =
    let decide = decide p in
    let settled () = Option.iter decide (Weak.get alive 0) in
    (p, settled, Job.removable ~wanted settled)
  in
  let watched = List.map watch ps in
  let take_leave () = List.iter (fun (p, _, waiter) -> Job.leave_witness p waiter) watched in
  ignore (Job.add_waiter first (Callback take_leave) : bool);
  let add (p, settled, waiter) =
    if Forward_effects.await ~first:false p waiter then Job.clear_away p else settled ()
  in
  List.iter add watched;
  if is_settled first then take_leave ();
  first

let any ps =
  if ps = [] then invalid_arg (who "any" ^ ": an empty list");
  let left = Atomic.make (List.length ps) in
  first_of ps @@ fun p first ->
  match peek p with
  | Some (Ok v) -> ignore (try_resolve_as ~room:step "any" first v : bool)
  | Some (Error _) | None ->
      if Atomic.fetch_and_add left (-1) = 1 then
        (* All have failed. *)
        let exn, backtrace =
          List.find_map (fun p -> match peek p with Some (Error e) -> Some e | _ -> None) ps |> Option.get
        in
        ignore (try_reject_as ~room:step "any" (Some backtrace) first exn : bool)

let race ps =
  if ps = [] then invalid_arg (who "race" ^ ": an empty list");
  first_of ps @@ fun p first ->
  match peek p with
  | Some (Ok v) -> ignore (try_resolve_as ~room:step "race" first v : bool)
  | Some (Error (exn, backtrace)) ->
      ignore (try_reject_as ~room:step "race" (Some backtrace) first exn : bool)
  | None -> ()

module Private = struct
  external of_job : 'a Job.t -> 'a t = "%identity"
  external to_job : 'a t -> 'a Job.t = "%identity"
end
