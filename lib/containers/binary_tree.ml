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

  (* One step down. A change will read the size of the node beside, too. *)
  let[@inline] below t k ~change =
    match t with
    | Leaf -> Leaf
    | Node { left; key; right; _ } ->
        let is_left = Key.compare k key < 0 in
        if change then ignore (Sys.opaque_identity (note (if is_left then right else left)) : int);
        if is_left then left else right

  (* Eight searches at most, one level of each in turn. Their places are in variables: in an array, each step
     would be a write that the collector is told of, and searches would take half as long again. *)
  let warm_group t ~change n key =
    let[@inline] start i = if i < n then t else Leaf in
    let[@inline] key i = key (if i < n then i else 0) in
    let ka = key 0 and kb = key 1 and kc = key 2 and kd = key 3 in
    let ke = key 4 and kf = key 5 and kg = key 6 and kh = key 7 in
    let a = ref (start 0) and b = ref (start 1) and c = ref (start 2) and d = ref (start 3) in
    let e = ref (start 4) and f = ref (start 5) and g = ref (start 6) and h = ref (start 7) in
    while
      match (!a, !b, !c, !d, !e, !f, !g, !h) with
      | Leaf, Leaf, Leaf, Leaf, Leaf, Leaf, Leaf, Leaf -> false
      | _ -> true
    do
      a := below !a ka ~change;
      b := below !b kb ~change;
      c := below !c kc ~change;
      d := below !d kd ~change;
      e := below !e ke ~change;
      f := below !f kf ~change;
      g := below !g kg ~change;
      h := below !h kh ~change
    done

  let rec warm_from first t ~change n key =
    if first < n then begin
      warm_group t ~change (n - first) (fun i -> key (first + i));
      warm_from (first + 8) t ~change n key
    end

  let warm t ~change n key = warm_from 0 t ~change n key

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
