(* Steele, Lea and Flood, Fast splittable pseudorandom number generators (OOPSLA 2014), with 63 bits. *)
type t = { mutable state : int }

let mix z =
  let z = z lxor (z lsr 30) * 0x3f58476d1ce4e5b9 in
  let z = z lxor (z lsr 27) * 0x14d049bb133111eb in
  z lxor (z lsr 31)

let start = lazy (Random.State.bits (Random.State.make_self_init ()))
let domains = Atomic.make 0
let lock = Mutex.create ()

(* A lazy value must not be forced by two domains at once. *)
let first_state () =
  let start = Mutex.protect lock (fun () -> Lazy.force start) in
  { state = mix (start + (Atomic.fetch_and_add domains 1 lsl 32)) }

let here = Domain.DLS.new_key first_state
let shift = Sys.int_size - Binary_tree.own_bits

(* Threads of one domain may draw the same number if one interrupts the other here; no harm. *)
let draw () =
  let t = Domain.DLS.get here in
  t.state <- t.state + 0x1e3779b97f4a7c15;
  mix t.state lsr shift

let seed s = (Domain.DLS.get here).state <- mix s
