type t

external raw : int -> t = "weft_fresh_raw"
external seal_stub : t -> unit = "weft_fresh_seal" [@@noalloc]
external as_ints : t -> int array = "%identity"
external as_array : t -> 'a array = "%identity"
external immediate : 'a -> int = "%identity"
external is_immediate : 'a -> bool = "%obj_is_int"

let worthwhile = 1 lsl 16

let fill b first last x =
  let a = as_ints b in
  for i = first to last do
    Array.unsafe_set a i x
  done

let seal b =
  seal_stub b;
  as_array b

let is_immediate x = is_immediate x
let immediate x = immediate x

external of_floats : float array -> 'a array = "%identity"

let floats_like x n =
  let o = Obj.repr x in
  if Obj.is_block o && Obj.tag o = Obj.double_tag then Some (of_floats (Array.create_float n)) else None
