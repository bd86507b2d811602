type 'a t = 'a Job.t

let create = Job.pending
let is_open c = not (Job.is_settled c)

let close c outcome =
  match Job.try_settle c outcome with
  | None -> false
  | Some waiters ->
      Resume.deliver c waiters;
      true

let wake c v = close c (Returned v)

(* --- woken now, told later --- *)

type woken = Nobody | Woken : 'a t * 'a Job.waiter list * woken -> woken
type later = { mutable woken : woken }

let later () = { woken = Nobody }

let wake_later l c v =
  match Job.try_settle c (Returned v) with
  | None -> false
  | Some [] -> true
  | Some waiters ->
      l.woken <- Woken (c, waiters, l.woken);
      true

let nobody = Nobody

let[@inline] take l =
  let woken = l.woken in
  if woken != Nobody then l.woken <- Nobody;
  woken

let[@inline never] rec tell woken =
  match woken with
  | Nobody -> ()
  | Woken (c, waiters, earlier) ->
      tell earlier;
      Resume.deliver c waiters

let give_up c exn = ignore (close c (Raised (Job.failure exn (Printexc.get_callstack 0))))

(* Outside a pool. *)
let block ?until c =
  Suspend.block ?until c;
  if is_open c then give_up c Context.Timeout;
  Job.get c

let suspend ~what ~about ?until c =
  let wait () = Suspend.suspend_until ~what ~about ~cancel:(give_up c) c in
  match until with
  | None -> wait ()
  | Some until -> (
      let timer = Clock.at until (fun () -> give_up c Context.Timeout) in
      match wait () with
      | v ->
          Clock.forget timer;
          v
      | exception exn ->
          let backtrace = Printexc.get_raw_backtrace () in
          Clock.forget timer;
          Printexc.raise_with_backtrace exn backtrace)

let await ?timeout ~what ?(about = Trace_hooks.nothing) ~leave ?(lost = ignore) c =
  match
    let until = Option.map (Clock.after ~who:what) timeout in
    if Deque_memory.current () == Deque_memory.nowhere () then
      Trace_hooks.while_waiting ~what ~about (fun () -> block ?until c) ()
    else suspend ~what ~about ?until c
  with
  | v -> v
  | exception exn ->
      let backtrace = Printexc.get_raw_backtrace () in
      (* Outside a pool, a signal's handler may raise when the waiter has been woken already. *)
      ignore (close c (Raised (Job.failure exn backtrace)));
      (match Job.get c with v -> lost v | exception _ -> leave ());
      Printexc.raise_with_backtrace exn backtrace
