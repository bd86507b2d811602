(* Steele, Lea and Flood, Fast splittable pseudorandom number generators (OOPSLA 2014), with 63 bits. *)
(* The state is the first of [words] words, so that the states of two domains are never in one cache line
   or in adjacent ones. *)
type t = int array

let words = 32

let mix z =
  let z = z lxor (z lsr 30) * 0x3f58476d1ce4e5b9 in
  let z = z lxor (z lsr 27) * 0x14d049bb133111eb in
  z lxor (z lsr 31)

let start = ref None
let domains = Atomic.make 0
let lock = Mutex.create ()

(* The start is the same for all domains. It is not [lazy]: if a domain's stack were full when it forced
   the value, the exception would be kept. *)
let the_start () =
  match !start with
  | Some s -> s
  | None ->
      let s = Random.State.bits (Random.State.make_self_init ()) in
      start := Some s;
      s

let first_state () =
  let start = Mutex.protect lock the_start in
  Array.make words (mix (start + (Atomic.fetch_and_add domains 1 lsl 32)))

let here : t Domain.DLS.key = Domain.DLS.new_key first_state
let shift = Sys.int_size - Binary_tree.own_bits

(* If one thread of a domain interrupts another one here, they may draw the same number. That does no harm. *)
let draw () =
  let t = Domain.DLS.get here in
  let state = t.(0) + 0x1e3779b97f4a7c15 in
  t.(0) <- state;
  mix state lsr shift

let seed s = (Domain.DLS.get here).(0) <- mix s
