type 'a turn = T : { waiter : 'v Waiter.t; value : 'v; about : 'a; mutable given : bool } -> 'a turn
type 'a t = 'a turn Wait_queue.node
type 'a queue = 'a turn Wait_queue.t

let make waiter value about = Wait_queue.node (T { waiter; value; about; given = false })

let about t =
  let (T t) = Wait_queue.contents t in
  t.about

let is_open t =
  let (T turn) = Wait_queue.contents t in
  Waiter.is_open turn.waiter

let give t =
  let (T turn) = Wait_queue.contents t in
  turn.given <- Waiter.wake turn.waiter turn.value;
  Wait_queue.remove t;
  turn.given

let withdraw t =
  let (T turn) = Wait_queue.contents t in
  let given = turn.given in
  turn.given <- false;
  Wait_queue.remove t;
  given

let wait ?timeout ~what ?about ~withdraw x waiter =
  (* It leaves the queue in the same way whether the wait had begun or not. *)
  try Waiter.await ?timeout ~what ?about ~leave:ignore waiter
  with exn ->
    let backtrace = Printexc.get_raw_backtrace () in
    withdraw x;
    Printexc.raise_with_backtrace exn backtrace
