module By_number = Map.Make (Int)

(* Keys that tasks do not inherit have negative numbers, the others positive ones. *)
type 'a key = { id : 'a Type.Id.t; number : int }
type binding = Bound : 'a key * 'a -> binding
type t = binding By_number.t

let empty = By_number.empty

(* The empty map is no block. *)
let[@inline] is_empty b = b == empty

let key ?(inherited = true) () =
  let id = Type.Id.make () in
  let number = Type.Id.uid id + 1 in
  { id; number = (if inherited then number else -number) }

let add k v b = By_number.add k.number (Bound (k, v)) b

let[@inline never] without_own b =
  let number, _ = By_number.min_binding b in
  if number > 0 then b
  else
    let _, _, left = By_number.split 0 b in
    left

let[@inline] inherited b = if is_empty b then b else without_own b

let find (type a) (k : a key) ~(default : a) b =
  match By_number.find_opt k.number b with
  | None -> default
  | Some (Bound (other, v)) -> (
      match Type.Id.provably_equal other.id k.id with Some Equal -> (v : a) | None -> default)
