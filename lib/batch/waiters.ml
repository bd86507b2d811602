open Weft_platform
open Weft_scheduler
open Effect.Deep

type identity = Weft_platform.Owner_id.t
type turn = Served | Entered | Leads
type party = { home : Job.home; mutable entry : Suspended_fibers.entry; since : int }
type t = Fiber of (turn, unit) continuation * party | Thread of turn Waiter.t * int

let party (home : Job.home) ~what ~end_them =
  let p = { home; entry = Suspended_fibers.no_entry; since = Tsc.now () } in
  p.entry <-
    Suspended_fibers.entry ~source:true ~what ~stack:(fun () -> Some (Printexc.get_callstack 0)) (end_them p);
  p

let list p = Suspended_fibers.add p.home.suspended p.entry
let dismiss p = Suspended_fibers.remove p.home.suspended p.entry
let dismiss_whatever_comes p = Suspended_fibers.remove_whatever_comes p.home.suspended p.entry

(* --- telling --- *)

type message =
  | Resume of { task : Job.task; home : Job.home; queued : bool ref }
  | Wake of turn Waiter.t * turn
  | Give_up of turn Waiter.t * exn

let resume run home = Resume { task = Job.bare run; home; queued = ref false }

let message caller turn =
  match caller with
  | Fiber (k, p) -> resume (fun () -> continue k turn) p.home
  | Thread (c, _) -> Wake (c, turn)

let ending caller exn =
  match caller with
  | Fiber (k, p) -> resume (fun () -> discontinue k exn) p.home
  | Thread (c, _) -> Give_up (c, exn)

(* Who is told [Entered] or [Leads] is told so by nobody else: a cell that has been woken with that was woken by this message. *)
let send = function
  | Resume { task; home; queued } ->
      Worker.queue_once task home queued;
      true
  | Wake (c, turn) -> Waiter.wake c turn || Waiter.is_woken_with c turn
  | Give_up (c, exn) ->
      Waiter.give_up c exn;
      true

(* --- many at once --- *)

let continue_here = function
  | Fiber (k, _) -> continue k Served
  | Thread (c, _) -> ignore (Waiter.wake c Served)

let home_here () = (Worker.of_deque (Deque_memory.current ())).parts.home

(* Those from [lo] to [hi] (excluded) are still to be told, and those that [upper] tells. *)
type range = { callers : t array; lo : int; mutable hi : int; mutable upper : message option }

let rec continue_soon caller =
  match Job.bare (fun () -> continue_here caller) with
  | task -> Worker.resume task (home_here ())
  | exception exn ->
      let backtrace = Printexc.get_raw_backtrace () in
      continue_soon caller;
      Printexc.raise_with_backtrace exn backtrace

(* On the worker's own stack. A signal's exception must lose nobody: what is allocated, is so before [hi] changes, or with the task; and
   a job is queued whatever happens. *)
let go_on range halve =
  match Interrupt.complete halve with
  | () -> continue_here range.callers.(range.lo)
  | exception exn ->
      let backtrace = Printexc.get_raw_backtrace () in
      continue_soon range.callers.(range.lo);
      Printexc.raise_with_backtrace exn backtrace

let rec halve range () =
  match range.upper with
  | Some upper ->
      ignore (send upper : bool);
      range.upper <- None;
      halve range ()
  | None ->
      if range.hi - range.lo > 1 then begin
        let middle = (range.lo + range.hi) / 2 in
        let upper = Some (go_on_later { range with lo = middle }) in
        range.hi <- middle;
        range.upper <- upper;
        halve range ()
      end

and go_on_later range =
  let halve = halve range in
  resume (fun () -> go_on range halve) (home_here ())

let are_of home callers =
  Array.for_all (function Fiber (_, p) -> p.home == home | Thread _ -> false) callers

let served callers =
  match Worker.current () with
  | Some w when are_of w.parts.home callers ->
      Some (go_on_later { callers; lo = 0; hi = Array.length callers; upper = None })
  | _ -> None
