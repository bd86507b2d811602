open Weft_platform
open Weft_scheduler
open Effect.Deep

type identity = Weft_platform.Owner_id.t
type turn = Served | Entered | Leads
type party = { home : Job.home; mutable entry : Suspended_fibers.entry; since : int }

type t =
  | Fiber : (turn, unit) continuation * party -> t
  | Thread : turn Waiter.t * int -> t
  | Submitted : 'a Job.t * (unit -> 'a Job.state) -> t
  | Not_last : t

type settled = Settled : 'a Job.t * 'a Job.waiter list -> settled

let party (home : Job.home) ~what ~end_them =
  let p = { home; entry = Suspended_fibers.no_entry; since = Tsc.now () } in
  p.entry <-
    Suspended_fibers.entry ~source:true ~what ~stack:(fun () -> Some (Printexc.get_callstack 0)) (end_them p);
  p

let list p = Suspended_fibers.add p.home.suspended p.entry
let is_dismissed p = p.entry == Suspended_fibers.no_entry

let dismiss p =
  Suspended_fibers.remove p.home.suspended p.entry;
  p.entry <- Suspended_fibers.no_entry

(* --- telling --- *)

let tell caller turn =
  match caller with
  | Fiber (k, p) ->
      Worker.resume (Job.resumption (fun () -> continue k turn)) p.home;
      true
  | Thread (c, _) -> Waiter.wake c turn
  | Submitted _ | Not_last -> false

let end_wait exn = function
  | Fiber (k, p) -> Worker.resume (Job.resumption (fun () -> discontinue k exn)) p.home
  | Thread (c, _) -> Waiter.give_up c exn
  | Submitted _ | Not_last -> ()

(* --- many at once --- *)

(* Resumes the callers from [lo] to [hi - 1]; run by a worker, on its own stack. *)
let rec continue_from callers home lo hi =
  if hi - lo > 1 then begin
    let middle = (lo + hi) / 2 in
    Worker.resume (Job.resumption (fun () -> continue_from callers home middle hi)) home;
    continue_from callers home lo middle
  end
  else
    match callers.(lo) with
    | Fiber (k, _) -> continue k Served
    | Thread _ | Submitted _ | Not_last -> assert false

let are_of home callers =
  Array.for_all
    (function Fiber (_, p) -> p.home == home | Thread _ | Submitted _ | Not_last -> false)
    callers

let waits = function Fiber _ | Thread _ -> true | Submitted _ | Not_last -> false

let resume callers =
  match Worker.current () with
  | Some w when are_of w.parts.home callers ->
      let home = w.parts.home in
      Worker.resume (Job.resumption (fun () -> continue_from callers home 0 (Array.length callers))) home
  | _ -> Array.iter (fun caller -> ignore (tell caller Served : bool)) callers

let settle callers =
  let add settled = function
    | Submitted (promise, outcome) -> (
        match Job.try_settle promise (outcome ()) with
        | None | Some [] -> settled
        | Some waiters -> Settled (promise, waiters) :: settled)
    | Fiber _ | Thread _ | Not_last -> settled
  in
  List.rev (Array.fold_left add [] callers)

(* An exception (the stack is full, memory is) keeps none of the others waiting. *)
let rec tell_settled = function
  | [] -> ()
  | Settled (promise, waiters) :: rest -> (
      match Resume.deliver promise waiters with
      | () -> tell_settled rest
      | exception exn ->
          let backtrace = Printexc.get_raw_backtrace () in
          tell_settled rest;
          Printexc.raise_with_backtrace exn backtrace)

let tell_served callers =
  let waiting =
    if Array.for_all waits callers then callers else Array.of_list (List.filter waits (Array.to_list callers))
  in
  if Array.length waiting > 0 then resume waiting
