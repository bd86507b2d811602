type t = { token : bool Cell.t; mutable waits : bool }
type outcome = Token | Timed_out | Interrupted

let create ~interruptible:_ = { token = Cell.make ~show:string_of_bool "token" false; waits = false }

let park p =
  if Cell.compare_and_set p.token true false then Token
  else begin
    p.waits <- true;
    Process.discard_if (fun () -> Cell.get p.token);
    Process.stop ()
  end

let park_for p seconds =
  if Cell.compare_and_set p.token true false then Token
  else begin
    Process.pass seconds;
    Timed_out
  end

let unpark p = Cell.set p.token true
let sleeps p = p.waits
