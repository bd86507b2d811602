module Cells = Deque_cells

(* --- threads that are no workers --- *)

module Threads = struct
  module By_id = Map.Make (Int)

  (* Replaced as a whole, not locked: a signal handler may come in between. Holds only threads with bindings. *)
  let all = Atomic.make By_id.empty
  let this () = Thread.id (Thread.self ())

  let get () =
    let bound = Atomic.get all in
    if By_id.is_empty bound then Bindings.empty
    else Option.value (By_id.find_opt (this ()) bound) ~default:Bindings.empty

  let rec set b =
    let was = Atomic.get all in
    let now = if Bindings.is_empty b then By_id.remove (this ()) was else By_id.add (this ()) b was in
    if not (Atomic.compare_and_set all was now) then set b
end

(* --- here --- *)

let here () : Job.task Deque.t = Cells.current ()
let[@inline] any_here () = Deque.is_tripped (here ())

let current () =
  let deque = here () in
  if not (Deque.is_tripped deque) then Bindings.empty
  else if deque == Cells.nowhere () then Threads.get ()
  else (Worker.of_deque deque).locals

(* In a pool. [f] may end on another worker than it began on. No safepoint between the look at what was bound and the start
   of [f], nor between the end of [f] and the putting back: not even to get the backtrace. *)
let within_fiber deque b f =
  let w = Worker.of_deque deque in
  let before = w.locals in
  if b == before then f ()
  else begin
    Worker.set_locals w b;
    match f () with
    | v ->
        Worker.set_locals (Worker.of_deque (here ())) before;
        v
    | exception exn ->
        Worker.set_locals (Worker.of_deque (here ())) before;
        Printexc.raise_with_backtrace exn (Printexc.get_raw_backtrace ())
  end

let within_thread b f =
  let before = Threads.get () in
  let put_back () = Threads.set before in
  match
    Threads.set b;
    f ()
  with
  | v ->
      Interrupt.complete put_back;
      v
  | exception exn ->
      Interrupt.complete put_back;
      Printexc.raise_with_backtrace exn (Printexc.get_raw_backtrace ())

let within b f =
  let deque = here () in
  if deque == Cells.nowhere () then within_thread b f else within_fiber deque b f

let none_while f = within Bindings.empty f

let inherited f =
  let b = current () in
  if Bindings.is_empty b then f else fun () -> within b f
