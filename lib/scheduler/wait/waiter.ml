type 'a t = 'a Job.t

let create = Job.pending
let is_open c = not (Job.is_settled c)
let is_woken_with (c : _ t) v = match Job.state c with Returned w -> w == v | _ -> false

(* No safepoint before this: a signal's exception must not lose the waiter, of whom there is one at most. To tell it twice does no
   harm. *)
let deliver c waiters =
  match Resume.deliver c waiters with
  | () -> ()
  | exception exn ->
      let backtrace = Printexc.get_raw_backtrace () in
      Interrupt.insist Resume.deliver c waiters;
      Printexc.raise_with_backtrace exn backtrace

let close c outcome =
  match Job.try_settle c outcome with
  | None -> false
  | Some waiters ->
      deliver c waiters;
      true

let wake c v = close c (Returned v)

(* --- woken now, told later --- *)

type 'a told = { cell : 'a t; mutable waiters : 'a Job.waiter list }
type woken = Nobody | Woken : 'a told * woken -> woken
type later = { mutable woken : woken }

let later () = { woken = Nobody }

(* Noted without a safepoint after the settling, but while the pool is profiled (doc/limits.md). *)
let wake_later l c v =
  let told = { cell = c; waiters = [] } in
  let woken = Woken (told, l.woken) in
  match Job.try_settle c (Returned v) with
  | None -> false
  | Some [] -> true
  | Some waiters ->
      told.waiters <- waiters;
      l.woken <- woken;
      true

let nobody = Nobody

let[@inline] take l =
  let woken = l.woken in
  if woken != Nobody then l.woken <- Nobody;
  woken

let rec tell_all woken () =
  match woken with
  | Nobody -> ()
  | Woken (told, earlier) ->
      tell_all earlier ();
      Resume.deliver told.cell told.waiters

let[@inline never] tell woken =
  match tell_all woken () with
  | () -> ()
  | exception exn ->
      let backtrace = Printexc.get_raw_backtrace () in
      Interrupt.insist tell_all woken ();
      Printexc.raise_with_backtrace exn backtrace

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

let await ?timeout ~what ?(about = 0) ~leave ?(lost = ignore) c =
  match
    let until = Option.map (Clock.after ~who:what) timeout in
    if Deque_memory.current () == Deque_memory.nowhere () then
      Trace_hooks.while_waiting ~what ~about (fun () -> block ?until c) ()
    else suspend ~what ~about ?until c
  with
  | v -> v
  | exception exn ->
      let backtrace = Printexc.get_raw_backtrace () in
      (* A signal's may have come while the cell was open, or when it had been woken. *)
      ignore (close c (Raised (Job.failure exn backtrace)));
      (match Job.get c with v -> lost v | exception _ -> leave ());
      Printexc.raise_with_backtrace exn backtrace
