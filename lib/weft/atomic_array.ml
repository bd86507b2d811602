open Weft_platform

type t = Atomic_words.t

let name = "Weft.Atomic_array."

(* --- making arrays --- *)

let by_blocks who n write = Loop.blocks ~who ~start:0 ~finish:(n - 1) write

let make n x =
  let who = name ^ "make" in
  Bounds.length who n;
  let a = Atomic_words.make n in
  by_blocks who n (fun first last ->
      for i = first to last do
        Atomic_words.set_first a i x
      done);
  a

let init n f =
  let who = name ^ "init" in
  Bounds.length who n;
  let a = Atomic_words.make n in
  by_blocks who n (fun first last ->
      for i = first to last do
        Atomic_words.set_first a i (f i)
      done);
  a

let of_array b =
  let n = Array.length b in
  let a = Atomic_words.make n in
  by_blocks (name ^ "of_array") n (fun first last ->
      for i = first to last do
        Atomic_words.set_first a i (Array.unsafe_get b i)
      done);
  a

let length = Atomic_words.length

let to_array a =
  let b = Array.make (length a) 0 in
  by_blocks (name ^ "to_array") (length a) (fun first last ->
      for i = first to last do
        Array.unsafe_set b i (Atomic_words.get a i)
      done);
  b

(* --- elements --- *)

let[@inline never] no_element f a i =
  Invalid_argument (Printf.sprintf "%s%s: index %d in a length of %d" name f i (length a))

(* Raised here: so the compiler knows that nothing follows, and keeps no variables for it on the stack. *)
let[@inline] check f a i = if i < 0 || i >= Atomic_words.length a then raise (no_element f a i)

let[@inline] get a i =
  check "get" a i;
  Atomic_words.get a i

let[@inline] set a i x =
  check "set" a i;
  ignore (Atomic_words.exchange a i x : int)

let[@inline] exchange a i x =
  check "exchange" a i;
  Atomic_words.exchange a i x

let[@inline] compare_and_set a i was x =
  check "compare_and_set" a i;
  Atomic_words.compare_and_set a i was x

let[@inline] fetch_and_add a i n =
  check "fetch_and_add" a i;
  Atomic_words.fetch_and_add a i n

let[@inline] incr a i =
  check "incr" a i;
  ignore (Atomic_words.fetch_and_add a i 1 : int)

let[@inline] decr a i =
  check "decr" a i;
  ignore (Atomic_words.fetch_and_add a i (-1) : int)

(* --- the best so far --- *)

(* Most offers are no better: these cost a read. *)
let[@inline] write_min a i x =
  check "write_min" a i;
  x < Atomic_words.get a i && Atomic_words.lower a i x

let[@inline] write_max a i x =
  check "write_max" a i;
  x > Atomic_words.get a i && Atomic_words.raise_to a i x

let rec improve better a i x =
  let was = Atomic_words.get a i in
  better x was && (Atomic_words.compare_and_set a i was x || improve better a i x)

let priority_update ~better a i x =
  check "priority_update" a i;
  improve better a i x
