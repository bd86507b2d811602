(* In truth a flat array, which the collector does not scan, whose words are tagged integers. *)
type t = int array

external floats : t -> floatarray = "%identity"

let make = Array_repr.make_immediates

(* The header of a flat array counts words, on 64-bit machines. *)
let[@inline] length a = Float.Array.length (floats a)
let[@inline] set_first (a : t) i (x : int) = Array.unsafe_set a i x
let[@inline] get a i = Atomic_read.get a i

external exchange : t -> (int[@untagged]) -> int -> int
  = "weft_atomic_words_exchange_boxed" "weft_atomic_words_exchange"
[@@noalloc]

external compare_and_set : t -> (int[@untagged]) -> int -> int -> bool
  = "weft_atomic_words_cas_boxed" "weft_atomic_words_cas"
[@@noalloc]

external fetch_and_add : t -> (int[@untagged]) -> int -> int
  = "weft_atomic_words_fetch_and_add_boxed" "weft_atomic_words_fetch_and_add"
[@@noalloc]

external lower : t -> (int[@untagged]) -> int -> bool
  = "weft_atomic_words_lower_boxed" "weft_atomic_words_lower"
[@@noalloc]

external raise_to : t -> (int[@untagged]) -> int -> bool
  = "weft_atomic_words_raise_boxed" "weft_atomic_words_raise"
[@@noalloc]
