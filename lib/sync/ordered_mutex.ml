type t = { number : int; mutex : Mutex.t; later : Waiter.later }

let numbers = Atomic.make 0
let create () = { number = Atomic.fetch_and_add numbers 1; mutex = Mutex.create (); later = Waiter.later () }
let number g = g.number + 1

let[@inline] release g =
  let woken = Waiter.take g.later in
  Mutex.unlock g.mutex;
  if woken != Waiter.nobody then Waiter.tell woken

let protect g f =
  Stack_room.(ensure call);
  Mutex.lock g.mutex;
  match f () with
  | v ->
      release g;
      v
  | exception exn ->
      let backtrace = Printexc.get_raw_backtrace () in
      release g;
      Printexc.raise_with_backtrace exn backtrace

let wake g waiter v = Waiter.wake_later g.later waiter v

let rec protect_each gs f =
  match gs with [] -> f () | g :: rest -> protect g (fun () -> protect_each rest f)

let protect_all gs f =
  match gs with
  | [] | [ _ ] -> protect_each gs f
  | gs -> protect_each (List.sort_uniq (fun g h -> Int.compare g.number h.number) gs) f
