type ('k, 'v) t =
  | End
  | Head of { mutable right : ('k, 'v) t; down : ('k, 'v) t }
  | Tower of { mutable right : ('k, 'v) t; key : 'k; down : ('k, 'v) t }
  | Leaf of { mutable right : ('k, 'v) t; key : 'k; mutable value : 'v }

(* The field is the first of each block, so this is one load. *)
let[@inline] right = function End -> End | Head b -> b.right | Tower b -> b.right | Leaf b -> b.right

let[@inline] set_right b x =
  match b with End -> () | Head b -> b.right <- x | Tower b -> b.right <- x | Leaf b -> b.right <- x

let[@inline] down = function End | Leaf _ -> End | Head b -> b.down | Tower b -> b.down
let[@inline] stands_on b lower = match b with Tower b -> b.down == lower | End | Head _ | Leaf _ -> false
let[@inline] binding = function Leaf b -> Some (b.key, b.value) | End | Head _ | Tower _ -> None
let rec last b = match right b with End -> b | next -> last next
