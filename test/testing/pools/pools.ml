open Weft_scheduler

let of_worker (w : Worker.t) =
  let status =
    match w.sleeper.status with
    | Detached -> "takes no part"
    | Working -> "works"
    | Searching -> "searches"
    | Idle -> if w.sleeper.is_retired then "retired" else "sleeps"
  in
  Printf.sprintf "  worker %d: %s, thread %d, %d in its deque, %d jobs, %d steals" w.index status w.thread
    (Weft_scheduler.Deque.size w.deque) w.jobs w.steals

let of_state : Pool_state.state -> string = function
  | Open -> "open"
  | Closing -> "is being closed"
  | Ended -> "closed"

(* What fibers wait for, with how many, eldest first. *)
let of_waits waits =
  let count counts (what, _) =
    let n = Option.value (List.assoc_opt what counts) ~default:0 in
    (what, n + 1) :: List.remove_assoc what counts
  in
  List.rev_map
    (fun (what, n) -> Printf.sprintf "  %d fibers wait in %s" n what)
    (List.fold_left count [] waits)

let of_pool (p : Pool_state.t) =
  let workers = Array.to_list (Array.map of_worker p.parts.workers) in
  let queued = Printf.sprintf "  injector: %s" (if Worker.is_work p.parts then "work" else "nothing") in
  let timers = Printf.sprintf "  %d timers" (Timers.count p.parts.timers) in
  String.concat "\n"
    (Printf.sprintf "pool %S, %s%s:" p.name (of_state p.state)
       (if p.slot_taken then ", somebody from outside works in it" else "")
     :: workers
    @ [ queued; timers ]
    @ of_waits (Suspended_fibers.waits p.parts.home.suspended))

let () = Testing.Watchdog.add_report (fun () -> String.concat "\n" (List.map of_pool (Pool_state.all ())))
