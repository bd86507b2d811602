type 'a turn = T : { cell : 'v Waiter.t; value : 'v; about : 'a; mutable given : bool } -> 'a turn
type 'a t = 'a turn Wait_queue.place
type 'a line = 'a turn Wait_queue.t

let make cell value about = Wait_queue.place (T { cell; value; about; given = false })

let about t =
  let (T t) = Wait_queue.contents t in
  t.about

let is_new t =
  let (T turn) = Wait_queue.contents t in
  (not (turn.given || Wait_queue.is_in_line t)) && Waiter.is_open turn.cell

(* No safepoint after the waking. *)
let give t =
  let (T turn) = Wait_queue.contents t in
  turn.given <- Waiter.wake turn.cell turn.value || Waiter.is_woken_with turn.cell turn.value;
  Wait_queue.remove t;
  turn.given

let withdraw t =
  let (T turn) = Wait_queue.contents t in
  let given = turn.given in
  turn.given <- false;
  Wait_queue.remove t;
  given

type progress = { mutable over : bool; mutable changed : bool; mutable misuse : bool }

let step_on step x p =
  if not p.over then begin
    step x p;
    p.over <- true
  end

(* The first allocation is where a signal that came during a critical section is likely to be noticed. *)
let rec completely lock step x =
  match
    let p = { over = false; changed = false; misuse = false } in
    let under_lock () = Interrupt.complete (fun () -> step_on step x p) in
    (p, fun () -> if not p.over then Lock.protect lock under_lock)
  with
  | p, attempt ->
      Interrupt.complete attempt;
      p
  | exception exn ->
      let backtrace = Printexc.get_raw_backtrace () in
      ignore (completely lock step x);
      Printexc.raise_with_backtrace exn backtrace

let wait ?timeout ~what ?about ~enter ~withdraw x cell =
  match
    enter x;
    (* Leaving the line is one thing, whether the wait had begun or not. *)
    Waiter.await ?timeout ~what ?about ~leave:ignore cell
  with
  | v -> v
  | exception exn ->
      let backtrace = Printexc.get_raw_backtrace () in
      withdraw x;
      Printexc.raise_with_backtrace exn backtrace
