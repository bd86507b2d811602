type t = {
  user : Communicator.t;
  own : Communicator.t;
  rank : int;
  size : int;
  is_of_job : bool;
  is_free : bool Atomic.t;
  busy : bool Atomic.t;
  mutable current_function : Values.kind;
  mutable window : Window.t option;
  mutable base : int;
}

let kind_of who =
  let mismatch source =
    Invalid_argument (Printf.sprintf "%s: rank %d calls another function at the same time" who source)
  in
  Values.kind who mismatch

let make ?(is_of_job = false) user =
  let own = Communicator.duplicate user in
  let rank = Communicator.rank own and size = Communicator.size own in
  let busy = Atomic.make false and is_free = Atomic.make false in
  { user; own; rank; size; is_of_job; is_free; busy; current_function = kind_of ""; window = None; base = 0 }

let user w = w.user
let own w = w.own
let rank w = w.rank
let size w = w.size

let exclusive ~who w f =
  if Atomic.exchange w.busy true then
    invalid_arg (who ^ ": the ranks are in another call already; inside it, use Weft's own functions");
  let f () =
    if Atomic.get w.is_free then invalid_arg (who ^ ": the world has been freed");
    w.current_function <- kind_of who;
    f ()
  in
  Fun.protect ~finally:(fun () -> Atomic.set w.busy false) f

let current_function w = w.current_function

let counter w =
  match w.window with
  | Some window -> window
  | None ->
      let window = Window.create w.own ~slots:1 in
      w.window <- Some window;
      window

let free w =
  let who = "Weft_mpi.free" in
  if w.is_of_job then invalid_arg (who ^ ": the world of Weft_mpi.run");
  exclusive ~who w (fun () ->
      Weft.Cancel.shield (fun () ->
          Option.iter Window.free w.window;
          w.window <- None;
          Communicator.free w.own;
          Atomic.set w.is_free true))

let base w = w.base
let add_base w n = w.base <- w.base + n
