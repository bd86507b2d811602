type 'a t = 'a Job.t

let create = Job.pending
let is_open c = not (Job.is_settled c)

let close c outcome =
  match Job.try_settle c outcome with
  | None -> false
  | Some waiters ->
      Worker.deliver c waiters;
      true

let wake c v = close c (Returned v)

let await ?timeout ~what ~leave ?(lost = ignore) c =
  ignore (timeout, what);
  match
    if Deque_cells.current () == Deque_cells.nowhere () then begin
      Waiting.block c;
      Job.get c
    end
    else Waiting.suspend c
  with
  | v -> v
  | exception exn ->
      let backtrace = Printexc.get_raw_backtrace () in
      ignore (close c (Raised (Job.failure exn backtrace)));
      (match Job.get c with v -> lost v | exception _ -> leave ());
      Printexc.raise_with_backtrace exn backtrace
