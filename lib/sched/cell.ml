type 'a t = 'a Job.t

let create = Job.pending
let is_open c = not (Job.is_settled c)
let is_woken_with (c : _ t) v = match c.state with Returned w -> w == v | _ -> false

let close c outcome =
  match Job.try_settle c outcome with
  | None -> false
  | Some waiters -> (
      (* No safepoint before this: a signal's exception must not lose the waiter, of whom there is one at most. To tell it twice
         does no harm. *)
      match Worker.deliver c waiters with
      | () -> true
      | exception exn ->
          let backtrace = Printexc.get_raw_backtrace () in
          Interrupt.insist Worker.deliver c waiters;
          Printexc.raise_with_backtrace exn backtrace)

let wake c v = close c (Returned v)
let give_up c exn = ignore (close c (Raised (Job.failure exn (Printexc.get_callstack 0))))

(* Outside a pool. *)
let block ?until c =
  Waiting.block ?until c;
  if is_open c then give_up c Context.Timeout;
  Job.get c

let suspend ~what ~about ?until c =
  let wait () = Waiting.suspend_until ~what ~about ~cancel:(give_up c) c in
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
    if Deque_cells.current () == Deque_cells.nowhere () then
      Probe.while_waiting ~what ~about (fun () -> block ?until c) ()
    else suspend ~what ~about ?until c
  with
  | v -> v
  | exception exn ->
      let backtrace = Printexc.get_raw_backtrace () in
      (* A signal's may have come while the cell was open, or when it had been woken. *)
      ignore (close c (Raised (Job.failure exn backtrace)));
      (match Job.get c with v -> lost v | exception _ -> leave ());
      Printexc.raise_with_backtrace exn backtrace
