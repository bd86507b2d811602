type t = { token : bool Cell.t; mutable waits : bool }
type outcome = Token | Timed_out | Interrupted

let create ~interruptible:_ = { token = Cell.make ~show:string_of_bool "token" false; waits = false }

let for_ever p =
  p.waits <- true;
  Process.discard_if (fun () -> Cell.get p.token);
  Process.stop ()

(* The wait begins, or the time is up, at the step that is refused. *)
let take p = Cell.compare_and_set p.token true false
let park p = if take p then Token else for_ever p
let park_for p seconds = if take p then Token else if Process.pass seconds then Timed_out else for_ever p
let unpark p = Cell.set p.token true
let sleeps p = p.waits
