module By_number = Map.Make (Int)

type 'a key = 'a Type.Id.t
type binding = Bound : 'a key * 'a -> binding
type t = binding By_number.t

let empty = By_number.empty

(* The empty map is no block. *)
let[@inline] is_empty b = b == empty
let key () = Type.Id.make ()
let add k v b = By_number.add (Type.Id.uid k) (Bound (k, v)) b

let find (type a) (k : a key) ~(default : a) b =
  match By_number.find_opt (Type.Id.uid k) b with
  | None -> default
  | Some (Bound (other, v)) -> (
      match Type.Id.provably_equal other k with Some Equal -> (v : a) | None -> default)
