type 'a turn = T : { cell : 'v Cell.t; value : 'v; about : 'a; mutable given : bool } -> 'a turn
type 'a t = 'a turn Line.place
type 'a line = 'a turn Line.t

let make cell value about = Line.place (T { cell; value; about; given = false })

let about t =
  let (T t) = Line.contents t in
  t.about

let is_new t =
  let (T turn) = Line.contents t in
  (not (turn.given || Line.is_in_line t)) && Cell.is_open turn.cell

(* No safepoint after the waking. *)
let give t =
  let (T turn) = Line.contents t in
  turn.given <- Cell.wake turn.cell turn.value || Cell.is_woken_with turn.cell turn.value;
  Line.remove t;
  turn.given

let withdraw t =
  let (T turn) = Line.contents t in
  let given = turn.given in
  turn.given <- false;
  Line.remove t;
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
    Cell.await ?timeout ~what ?about ~leave:ignore cell
  with
  | v -> v
  | exception exn ->
      let backtrace = Printexc.get_raw_backtrace () in
      withdraw x;
      Printexc.raise_with_backtrace exn backtrace
