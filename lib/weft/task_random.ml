(* Within this module, [Random] is OCaml's. *)

type t = Splitmix.t

let make = Splitmix.make
let copy = Splitmix.copy
let split = Splitmix.split
let at = Splitmix.at

(* --- values of words --- *)

let[@inline] bits_of z = Int64.to_int (Int64.shift_right_logical z 34)
let[@inline] bool_of z = Int64.compare z 0L < 0

(* 53 bits, the precision of a float. *)
let[@inline] float_of z bound = Int64.to_float (Int64.shift_right_logical z 11) *. 0x1p-53 *. bound

(* --- draws --- *)

let[@inline] bits64 t = Splitmix.next t
let[@inline] bits t = bits_of (Splitmix.next t)
let[@inline] bool t = bool_of (Splitmix.next t)
let[@inline] uniform t bound = float_of (Splitmix.next t) bound
let bad_bound who n = invalid_arg (Printf.sprintf "Weft.Random.%s: the bound must be positive, not %d" who n)
let int t n = if n <= 0 then bad_bound "int" n else Splitmix.int t n

(* For ranges of more than [max_int] integers: at least a quarter of all integers lie in them. *)
let rec wide t ~min ~max =
  let x = Int64.to_int (Splitmix.next t) in
  if min <= x && x <= max then x else wide t ~min ~max

let int_in_range t ~min ~max =
  if max < min then
    invalid_arg (Printf.sprintf "Weft.Random.int_in_range: max is %d, less than min, %d" max min);
  let span = max - min in
  if span >= 0 && span < max_int then min + Splitmix.int t (span + 1) else wide t ~min ~max

(* --- by index --- *)

let[@inline] bits64_at t i = Splitmix.nth t i
let[@inline] bits_at t i = bits_of (Splitmix.nth t i)
let[@inline] bool_at t i = bool_of (Splitmix.nth t i)
let[@inline] float_at t i bound = float_of (Splitmix.nth t i) bound
let int_at t i n = if n <= 0 then bad_bound "int_at" n else Splitmix.int_at t i n

(* --- orders --- *)

let shuffle t a = Shuffling.shuffle ~who:"Weft.Random.shuffle" t a

let permute ?bucket t n =
  let who = "Weft.Random.permutation" in
  Bounds.length who n;
  let a = Array.make n 0 in
  Loop.blocks ~who ~start:0 ~finish:(n - 1) (fun first last ->
      for i = first to last do
        Array.unsafe_set a i i
      done);
  Shuffling.shuffle ?bucket ~who t a;
  a

let permutation t n = permute t n

module Private = struct
  let permutation ~bucket t n = permute ~bucket t n
end
