type state = Begins | Runs of Fiber.context | Cancelled of exn
type t = state Atomic.t

let create () = Atomic.make Begins

let rec attach t context =
  match Atomic.get t with
  | Cancelled exn -> Fiber.stop context exn
  | (Begins | Runs _) as was -> if not (Atomic.compare_and_set t was (Runs context)) then attach t context

let run t f =
  let context = Fiber.inside (Context.current ()) in
  attach t context;
  Context.within_stoppable context (fun () ->
      Poll.check ();
      f ())

let rec stop t exn =
  match Atomic.get t with
  | Begins -> if not (Atomic.compare_and_set t Begins (Cancelled exn)) then stop t exn
  | Runs context -> Fiber.stop context exn
  | Cancelled _ -> ()

(* Who claims a task settles it. *)
let cancel t j exn =
  if Run_job.claim j then
    Resume.deliver j (Job.settle j (Raised (Job.failure exn (Printexc.get_callstack 0))))
  else stop t exn

let canceller t j ~ended = Job.Canceller { ended; cancel = cancel t j }

let is_cancelled_with t exn =
  match Atomic.get t with
  | Begins -> false
  | Runs context -> Fiber.is_stopped_with context exn
  | Cancelled stop -> stop == exn
