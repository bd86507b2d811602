open Weft_platform
open Weft_scheduler

let of_worker (w : Worker.t) =
  let status =
    match w.sleeper.status with
    | Detached -> "takes no part"
    | Working -> "works"
    | Searching -> "searches"
    | Idle -> if w.sleeper.is_retired then "retired" else "sleeps"
  in
  Printf.sprintf "  worker %d: %s%s, thread %d, %d in its deque (%d to %d), %d jobs, %d steals" w.index status
    (if Deque.is_preempt_requested w.deque then ", called" else "")
    w.thread (Deque.size w.deque) (Deque_memory.top w.deque) (Deque_memory.bottom w.deque) w.jobs
    w.sleeper.counts.steals

let of_state : Pool_state.state -> string = function
  | Open -> "open"
  | Closing -> "is being closed"
  | Ended -> "closed"

(* What fibers wait for, with the number of fibers, eldest first. *)
let of_waits waits =
  let count counts wait =
    let what = Suspended_fibers.what wait in
    let n = Option.value (List.assoc_opt what counts) ~default:0 in
    (what, n + 1) :: List.remove_assoc what counts
  in
  List.rev_map
    (fun (what, n) -> Printf.sprintf "  %d fibers wait in %s" n what)
    (List.fold_left count [] waits)

let of_pool (p : Pool_state.t) =
  let workers = Array.to_list (Array.map of_worker (Pool_state.all_workers p)) in
  let has what injector = if Injector.is_empty injector then "" else ", work in the " ^ what in
  let s = p.parts.sleepers in
  let queued =
    Printf.sprintf "  room for %d: %d working, %d searching, %d listed%s%s" s.room s.working s.searching
      (List.length s.listed) (has "injector" p.parts.injector)
      (has "background" p.parts.background)
  in
  let timers =
    Printf.sprintf "  %d timers%s" (Timers.count p.parts.timers)
      (if Timers.is_due p.parts.timers then ", one is due" else "")
  in
  String.concat "\n"
    (Printf.sprintf "pool %S, %s%s:" p.name (of_state p.state)
       (if p.slot_taken then ", somebody from outside works in it" else "")
     :: workers
    @ [ queued; timers ]
    @ of_waits (Suspended_fibers.waits p.parts.home.suspended))

let () = Testing.Watchdog.add_report (fun () -> String.concat "\n" (List.map of_pool (Pool_state.all ())))
