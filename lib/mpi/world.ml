type t = {
  user : Communicator.t;
  own : Communicator.t;
  rank : int;
  size : int;
  busy : bool Atomic.t;
  mutable window : Window.t option;
  mutable base : int;
}

let make user =
  let own = Communicator.duplicate user in
  let rank = Communicator.rank own and size = Communicator.size own in
  { user; own; rank; size; busy = Atomic.make false; window = None; base = 0 }

let user w = w.user
let own w = w.own
let rank w = w.rank
let size w = w.size

let exclusive ~who w f =
  if Atomic.exchange w.busy true then
    invalid_arg (who ^ ": the ranks are in another call already; inside it, use Weft's own functions");
  Fun.protect ~finally:(fun () -> Atomic.set w.busy false) f

let counter w =
  match w.window with
  | Some window -> window
  | None ->
      let window = Window.create w.own ~slots:1 in
      w.window <- Some window;
      window

let base w = w.base
let add_base w n = w.base <- w.base + n
