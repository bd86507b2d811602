open Weft_support
open Weft_sched
open Effect.Deep

type identity = Weft_support.Identity.t
type turn = Served | Entered | Leads
type party = { home : Job.home; mutable entry : Suspended.entry; since : int }
type t = Fiber of (turn, unit) continuation * party | Thread of turn Cell.t * int

let party (home : Job.home) ~what ~end_them =
  let p = { home; entry = Suspended.no_entry; since = Ticks.now () } in
  p.entry <-
    Suspended.entry ~source:true ~what ~stack:(fun () -> Some (Printexc.get_callstack 0)) (end_them p);
  Suspended.add home.suspended p.entry;
  p

let dismiss p = Suspended.remove p.home.suspended p.entry

let tell caller turn =
  match caller with
  | Fiber (k, p) ->
      Worker.resume (Job.bare (fun () -> continue k turn)) p.home;
      true
  | Thread (c, _) -> Cell.wake c turn

let raise_in caller exn =
  match caller with
  | Fiber (k, p) -> Worker.resume (Job.bare (fun () -> discontinue k exn)) p.home
  | Thread (c, _) -> ignore (Cell.give_up c exn)

(* --- many at once --- *)

let continue_here = function
  | Fiber (k, _) -> continue k Served
  | Thread (c, _) -> ignore (Cell.wake c Served)

(* Those from [lo] to [hi] (excluded) are still to be told. *)
type range = { callers : t array; lo : int; mutable hi : int }

let resume_here task = Worker.resume task (Worker.of_deque (Deque_cells.current ())).parts.home

(* On the worker's own stack. A signal's exception must lose nobody: what is allocated, is so before [hi] changes, and a job is
   queued whatever happens. *)
let rec go_on range =
  let halve () =
    while range.hi - range.lo > 1 do
      let middle = (range.lo + range.hi) / 2 in
      let upper =
        Job.bare
          (let upper = { range with lo = middle } in
           fun () -> go_on upper)
      in
      range.hi <- middle;
      resume_here upper
    done
  in
  match Interrupt.complete halve with
  | () -> continue_here range.callers.(range.lo)
  | exception exn ->
      let backtrace = Printexc.get_raw_backtrace () in
      resume_here (Job.bare (fun () -> continue_here range.callers.(range.lo)));
      Printexc.raise_with_backtrace exn backtrace

let are_of home callers =
  Array.for_all (function Fiber (_, p) -> p.home == home | Thread _ -> false) callers

let served callers =
  match Worker.current () with
  | Some w when are_of w.parts.home callers ->
      Some (Job.bare (fun () -> go_on { callers; lo = 0; hi = Array.length callers }))
  | _ -> None
