type boxed = Boxed of boxed [@@boxed]

type 'a view =
  | Floats of floatarray * (float -> float -> int)
  | Boxed of boxed array * (boxed -> boxed -> int)

(* An array of length 0 has tag 0, and is [Boxed] whatever its type. *)
let is_flat a = Obj.tag (Obj.repr a) = Obj.double_array_tag

let view (compare : 'a -> 'a -> int) (a : 'a array) =
  if is_flat a then Floats (Obj.magic a, Obj.magic compare) else Boxed (Obj.magic a, Obj.magic compare)

external of_floats : floatarray -> 'a array = "%identity"
external of_boxed : boxed array -> 'a array = "%identity"

let is_immediate (x : boxed) = Obj.is_int (Obj.repr x)

external is_integer : 'a -> int -> bool = "%eq"

let order_of_immediates (compare : boxed -> boxed -> int) : int -> int -> int = Obj.magic compare

(* A flat array is not initialised, so the pages of a long one are first touched by the domain that first
   writes to them. In bytecode even a store of an integer goes through the write barrier, which looks at what
   was there: that must not look like a block. *)
let make_immediates n : int array =
  Obj.magic
    (match Sys.backend_type with
    | Bytecode -> Float.Array.make n (Int64.float_of_bits 1L)
    | Native | Other _ -> Float.Array.create n)

external to_int : boxed -> int = "%identity"
external of_int : int -> boxed = "%identity"

let gather a (b : int array) first last =
  let rec from i =
    i > last
    ||
    let x = Array.unsafe_get a i in
    is_immediate x
    && begin
         Array.unsafe_set b i (to_int x);
         from (i + 1)
       end
  in
  from first

let scatter (b : int array) a first last =
  for i = first to last do
    Array.unsafe_set a i (of_int (Array.unsafe_get b i))
  done

(* It asks for the tag of the destination only, and reads the words of the source as values, which they
   are. *)
external blit : int array -> int -> boxed array -> int -> int -> unit = "caml_array_blit"

let put_back b a = blit b 0 a 0 (Array.length a)

external of_float_array : float array -> 'a array = "%identity"

let uninitialised_like x n =
  let o = Obj.repr x in
  if Obj.is_block o && Obj.tag o = Obj.double_tag then Some (of_float_array (Array.create_float n)) else None

let blank n : 'a array = Obj.magic (Array.make n ())
let same_kind a n = if is_flat a then of_float_array (Array.create_float n) else blank n

external is_int : 'a -> bool = "%obj_is_int"
external ints_of : 'a array -> int array = "%identity"
external int_of : 'a -> int = "%identity"

(* If the array is flat, [x] is no integer. *)
let[@inline] set_first a i x =
  if is_int x then Array.unsafe_set (ints_of a) i (int_of x) else Array.unsafe_set a i x
