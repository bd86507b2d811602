module Lock = Weft_platform.Lock

exception Cancelled = Context.Cancelled
exception Timeout = Context.Timeout

(* --- tokens --- *)

type t = {
  lock : Lock.t; (* guards [members] *)
  stop : exn option Atomic.t;
  members : Fiber.context Wait_queue.t; (* the contexts of the calls that depend on it *)
}

let create () = { lock = Lock.create (); stop = Atomic.make None; members = Wait_queue.create () }

(* A signal handler may call this, so it must not wait for the lock. It stops the calls that are listed; a
   call that comes later looks at [stop]. *)
let cancel ?(reason = "cancelled") t =
  let exn = Cancelled reason in
  if Atomic.compare_and_set t.stop None (Some exn) then
    Lock.do_soon t.lock (fun () -> List.iter (fun c -> Fiber.stop c exn) (Wait_queue.to_list t.members))

let reason t = match Atomic.get t.stop with Some (Cancelled reason) -> Some reason | _ -> None
let is_cancelled t = Option.is_some (Atomic.get t.stop)

(* Calls [f] in the context [c], which may be stopped from outside; then [leave ()], whatever happened. *)
let stoppable c ~leave f =
  Fun.protect ~finally:leave (fun () ->
      Context.within_stoppable c (fun () ->
          Poll.checkpoint ();
          Poll.check ();
          f ()))

let within t f =
  Current_worker.in_pool @@ fun () ->
  let c = Fiber.inside (Context.current ()) in
  let node = Wait_queue.node c in
  let leave () = Lock.protect t.lock (fun () -> Wait_queue.remove node) in
  Lock.protect t.lock (fun () -> Wait_queue.add t.members node);
  (* The call is listed before it looks at [stop]: so if [t] is cancelled after that, [cancel] finds it. *)
  Option.iter (Fiber.stop c) (Atomic.get t.stop);
  stoppable c ~leave f

(* --- time --- *)

let with_moment moment f =
  Current_worker.in_pool @@ fun () ->
  let c = Fiber.inside (Context.current ()) in
  (* An exception for this call alone: so the call can tell its own time-out from that of a call around it. *)
  let passed = Cancelled "timed out" in
  if moment <= Weft_platform.Timer_thread.now () then raise Timeout;
  let timer = Clock.at moment (fun () -> Fiber.stop c passed) in
  let leave () = Clock.forget timer in
  try stoppable c ~leave f
  with exn when exn == passed -> Printexc.raise_with_backtrace Timeout (Printexc.get_raw_backtrace ())

let with_timeout seconds f = with_moment (Clock.after ~who:"Weft.Cancel.with_timeout" seconds) f
let with_deadline moment f = with_moment (Clock.moment ~who:"Weft.Cancel.with_deadline" moment) f

(* --- the calling fiber --- *)

let check () =
  Poll.choose ~what:"Weft.Cancel.check";
  Poll.check ()

let shield f =
  Context.shield (fun () ->
      Poll.checkpoint ();
      f ())
