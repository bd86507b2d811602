type state = Shut | Open | Awaited of unit Promise.t
type t = state Atomic.t

let shut () = Atomic.make Shut
let opened () = Atomic.make Open

let[@inline never] wait g =
  let p = Promise.create () in
  (* It stays shut until it is open: a failure means it has just been opened. *)
  if Atomic.compare_and_set g Shut (Awaited p) then Promise.await p

let pass g = match Atomic.get g with Open -> () | Shut | Awaited _ -> wait g
let unlock g = match Atomic.exchange g Open with Awaited p -> Promise.resolve p () | Shut | Open -> ()
