type state = Waits | Read | Taken | Left of (unit -> unit)
type t = state Atomic.t

let make () = Atomic.make Waits
let[@inline] take c = Atomic.compare_and_set c Waits Taken
let is_taken c = match Atomic.get c with Taken | Left _ -> true | Waits | Read -> false

let[@inline never] rec take_or_leave c go_on =
  match Atomic.get c with
  | Taken | Left _ -> false
  | Waits when take c ->
      go_on ();
      true
  | Read when Atomic.compare_and_set c Read (Left go_on) -> true
  | Waits | Read -> take_or_leave c go_on

let end_read c =
  if not (Atomic.compare_and_set c Read Waits) then
    match Atomic.exchange c Taken with Left go_on -> go_on () | Waits | Read | Taken -> ()

let read c f =
  if not (Atomic.compare_and_set c Waits Read) then None
  else
    let v = f () in
    end_read c;
    Some v
