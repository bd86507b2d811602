type state = Shut | Open | Awaited of unit Promise.t
type t = state Atomic.t

let shut () = Atomic.make Shut
let opened () = Atomic.make Open

let[@inline never] wait g =
  let p = Promise.create () in
  (* If the exchange fails, the gate has just been opened, since nothing else changes a gate that is shut. *)
  if Atomic.compare_and_set g Shut (Awaited p) then Promise.await p

let[@inline] is_open g = Atomic.get g = Open
let pass g = match Atomic.get g with Open -> () | Shut | Awaited _ -> wait g
let unlock g = match Atomic.exchange g Open with Awaited p -> Promise.resolve p () | Shut | Open -> ()
