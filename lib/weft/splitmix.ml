(* The state and the gamma, in bytes so that neither is boxed. *)
type t = Bytes.t

external get : Bytes.t -> int -> int64 = "%caml_bytes_get64u"
external set : Bytes.t -> int -> int64 -> unit = "%caml_bytes_set64u"

let[@inline] state t = get t 0
let[@inline] gamma t = get t 8

let[@inline] generator state gamma =
  let t = Bytes.create 16 in
  set t 0 state;
  set t 8 gamma;
  t

(* --- the paper's mix functions --- *)

let[@inline] fold shift z = Int64.logxor z (Int64.shift_right_logical z shift)

let[@inline] mix_word z =
  fold 31 (Int64.mul (fold 27 (Int64.mul (fold 30 z) 0xbf58476d1ce4e5b9L)) 0x94d049bb133111ebL)

let[@inline] mix_other z =
  fold 33 (Int64.mul (fold 33 (Int64.mul (fold 33 z) 0xff51afd7ed558ccdL)) 0xc4ceb9fe1a85ec53L)

(* Counts the bits that are set: first in fields of 2, 4 and 8 bits, then in all. A loop would box its
   variable. *)
let[@inline] add_halves mask shift z =
  Int64.add (Int64.logand z mask) (Int64.logand (Int64.shift_right_logical z shift) mask)

let[@inline] ones z =
  let z = add_halves 0x5555555555555555L 1 z in
  let z = add_halves 0x3333333333333333L 2 z in
  let z = add_halves 0x0f0f0f0f0f0f0f0fL 4 z in
  Int64.to_int (Int64.shift_right_logical (Int64.mul z 0x0101010101010101L) 56)

(* If too few bits of a gamma differ from the next bit, the sums would be too similar. *)
let[@inline] mix_gamma z =
  let z = Int64.logor (mix_other z) 1L in
  if ones (fold 1 z) < 24 then Int64.logxor z 0xaaaaaaaaaaaaaaaaL else z

let golden_gamma = 0x9e3779b97f4a7c15L

(* --- generators --- *)

let make seed = generator (Int64.of_int seed) golden_gamma
let copy = Bytes.copy

let[@inline] advance t =
  let z = Int64.add (state t) (gamma t) in
  set t 0 z;
  z

let[@inline] next t = mix_word (advance t)

let split t =
  let state = next t in
  generator state (mix_gamma (advance t))

(* --- by index --- *)

(* The constants only have to differ: digits of pi and e. Without them the state 0 would be its own origin. *)
let[@inline] origin_of_words t = mix_other (Int64.logxor (state t) 0x243f6a8885a308d3L)
let[@inline] origin_of_streams t = mix_other (Int64.logxor (state t) 0xb7e151628aed2a6aL)
let[@inline] element origin t i = Int64.add origin (Int64.mul i (gamma t))
let[@inline] nth t i = mix_word (element (origin_of_words t) t (Int64.of_int i))

let at t i =
  let first = element (origin_of_streams t) t (Int64.mul 2L (Int64.of_int i)) in
  generator (mix_word first) (mix_gamma (Int64.add first (gamma t)))

(* --- bounded integers --- *)

(* [reduce z n] is an integer below [n]; -1 means that the caller must try another word. For small bounds it
   is the upper half of the product of [n] and 32 bits, which needs a division in few cases only (Lemire: Fast
   random integer generation in an interval, TOMACS 2019). For large bounds it is the remainder, unless the
   word lies in the last, incomplete run of [n] values. *)
let[@inline] reduce z n =
  if n <= 1 lsl 30 then begin
    let product = Int64.to_int (Int64.shift_right_logical z 32) * n in
    let low = product land 0xffff_ffff in
    if low >= n || low >= (1 lsl 32) mod n then product lsr 32 else -1
  end
  else begin
    let r = Int64.to_int (Int64.shift_right_logical z 2) in
    let v = r mod n in
    if r - v > max_int - (n - 1) then -1 else v
  end

let rec int t n =
  let v = reduce (next t) n in
  if v >= 0 then v else int t n

let rec again z n =
  let z = mix_word (Int64.add z golden_gamma) in
  let v = reduce z n in
  if v >= 0 then v else again z n

let int_at t i n =
  let z = nth t i in
  let v = reduce z n in
  if v >= 0 then v else again z n
