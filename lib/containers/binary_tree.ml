type ('k, 'v) t = Leaf | Node of { left : ('k, 'v) t; key : 'k; value : 'v; right : ('k, 'v) t; note : int }

let own_bits = 28
let own_mask = (1 lsl own_bits) - 1
let[@inline] note = function Leaf -> 0 | Node n -> n.note
let[@inline] own t = note t land own_mask
let[@inline] length t = note t lsr own_bits
let size_mask = lnot own_mask

let[@inline] node own left key value right =
  let note = (note left land size_mask) + (note right land size_mask) + (1 lsl own_bits) + own in
  Node { left; key; value; right; note }

let expose : _ -> _ Persistent.view = function
  | Leaf -> Empty
  | Node { left; key; value; right; note = _ } -> Root { left; key; value; right }

let rec min_binding_opt = function
  | Leaf -> None
  | Node { left = Leaf; key; value; _ } -> Some (key, value)
  | Node { left; _ } -> min_binding_opt left

let rec max_binding_opt = function
  | Leaf -> None
  | Node { right = Leaf; key; value; _ } -> Some (key, value)
  | Node { right; _ } -> max_binding_opt right

let rec iter f = function
  | Leaf -> ()
  | Node { left; key; value; right; _ } ->
      iter f left;
      f key value;
      iter f right

let rec fold f t acc =
  match t with
  | Leaf -> acc
  | Node { left; key; value; right; _ } -> fold f right (f key value (fold f left acc))

(* Visits [tree], then [above]: a stack of nodes whose left subtrees have been visited. *)
let rec visit tree above () =
  match (tree, above) with
  | Node { left; _ }, _ -> visit left (tree :: above) ()
  | Leaf, Node { key; value; right; _ } :: above -> Seq.Cons ((key, value), visit right above)
  | Leaf, _ -> Seq.Nil

let to_seq t = visit t []

module Searches (Key : Maps.ORDERED) = struct
  let rec mem t k =
    match t with
    | Leaf -> false
    | Node { left; key; right; _ } ->
        let c = Key.compare k key in
        c = 0 || mem (if c < 0 then left else right) k

  let rec find_opt t k =
    match t with
    | Leaf -> None
    | Node { left; key; value; right; _ } ->
        let c = Key.compare k key in
        if c = 0 then Some value else find_opt (if c < 0 then left else right) k

  let binding = function Leaf -> None | Node { key; value; _ } -> Some (key, value)

  (* [best] is the last node on the path whose key is greater than [k], for [succ_or], or less, for
     [pred_or]. *)
  let rec succ_or best t k =
    match t with
    | Leaf -> binding best
    | Node { left; key; right; _ } -> if Key.compare k key < 0 then succ_or t left k else succ_or best right k

  let rec pred_or best t k =
    match t with
    | Leaf -> binding best
    | Node { left; key; right; _ } -> if Key.compare k key > 0 then pred_or t right k else pred_or best left k

  let succ t k = succ_or Leaf t k
  let pred t k = pred_or Leaf t k

  let[@inline] below t k =
    match t with
    | Leaf -> Leaf
    | Node { left; key; right; _ } -> if Key.compare k key < 0 then left else right

  let rec descend a ka b kb c kc d kd =
    match (a, b, c, d) with
    | Leaf, Leaf, Leaf, Leaf -> ()
    | _ -> descend (below a ka) ka (below b kb) kb (below c kc) kc (below d kd) kd

  let warm t a b c d = descend t a t b t c t d

  let check t =
    let rec sizes = function
      | Leaf -> 0
      | Node { left; right; _ } as t ->
          let n = sizes left + sizes right + 1 in
          if n <> length t then failwith (Printf.sprintf "a tree of %d keys has noted %d" n (length t));
          n
    in
    ignore (sizes t : int);
    let in_order key _ = function
      | Some before when Key.compare before key >= 0 -> failwith "keys out of order"
      | _ -> Some key
    in
    ignore (fold in_order t None : Key.t option)
end
