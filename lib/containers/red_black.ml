module Nodes (Key : Maps.ORDERED) = struct
  open Binary_tree
  module Key = Key

  type 'v t = (Key.t, 'v) Binary_tree.t

  let empty = Leaf
  let length = length
  let expose = expose

  (* A node stores twice its black height (the number of black nodes on a path down from it, itself
     included), plus 1 if it is red. Leaves are black and have the black height 0. *)

  let[@inline] is_red t = own t land 1 = 1
  let[@inline] black_height t = own t lsr 1
  let red left key value right = node (own left lor 1) left key value right
  let black left key value right = node ((own left lor 1) + 1) left key value right

  let blacken = function
    | Node { left; key; value; right; _ } as t when is_red t -> black left key value right
    | t -> t

  (* A change may leave a red node with a red child as the child of a black node. [black_left] is [black]
     for a left child of which this may be true, and repairs it. *)
  let black_left left key value right =
    match left with
    | Node ({ left = Node _ as a; _ } as l) when is_red left && is_red a ->
        red (blacken a) l.key l.value (black l.right key value right)
    | Node ({ right = Node m as b; _ } as l) when is_red left && is_red b ->
        red (black l.left l.key l.value m.left) m.key m.value (black m.right key value right)
    | _ -> black left key value right

  let black_right left key value right =
    match right with
    | Node ({ right = Node _ as b; _ } as r) when is_red right && is_red b ->
        red (black left key value r.left) r.key r.value (blacken b)
    | Node ({ left = Node m as a; _ } as r) when is_red right && is_red a ->
        red (black left key value m.left) m.key m.value (black m.right r.key r.value r.right)
    | _ -> black left key value right

  (* Repairs a root that is red and has a red child. *)
  let settle t =
    match t with
    | Node { left; right; _ } when is_red t && (is_red left || is_red right) -> blacken t
    | _ -> t

  (* [right] is black, and its black height is at most that of [left]. *)
  let rec hang_right left key value right =
    match left with
    | Node l when is_red left -> red l.left l.key l.value (hang_right l.right key value right)
    | Node l when black_height left > black_height right ->
        black_right l.left l.key l.value (hang_right l.right key value right)
    | _ -> red left key value right

  let rec hang_left left key value right =
    match right with
    | Node r when is_red right -> red (hang_left left key value r.left) r.key r.value r.right
    | Node r when black_height right > black_height left ->
        black_left (hang_left left key value r.left) r.key r.value r.right
    | _ -> red left key value right

  let join left key value right =
    let a = black_height left and b = black_height right in
    if a > b then settle (hang_right left key value (blacken right))
    else if b > a then settle (hang_left (blacken left) key value right)
    else if is_red left || is_red right then black left key value right
    else red left key value right

  let rejoin t left key value right =
    if black_height left = black_height right then
      if not (is_red t) then black left key value right
      else if is_red left || is_red right then black left key value right
      else red left key value right
    else join left key value right
end

module Make (Key : Maps.ORDERED) = struct
  module Tree = struct
    open Binary_tree
    module Nodes = Nodes (Key)
    include Join_based.Make (Nodes)
    open Nodes

    let rejoin = Nodes.rejoin

    include Searches (Key)

    let min_binding_opt = min_binding_opt
    let max_binding_opt = max_binding_opt
    let iter = iter
    let fold = fold
    let to_seq = to_seq

    let rec insert_below t k v =
      match t with
      | Leaf -> red Leaf k v Leaf
      | Node { left; key; value; right; note } ->
          let c = Key.compare k key in
          if c = 0 then if value == v then t else Node { left; key; value = v; right; note }
          else if c < 0 then
            let left' = insert_below left k v in
            if left' == left then t
            else if is_red t then red left' key value right
            else black_left left' key value right
          else
            let right' = insert_below right k v in
            if right' == right then t
            else if is_red t then red left key value right'
            else black_right left key value right'

    let insert t k v = settle (insert_below t k v)

    let rec remove_min t =
      match t with
      | Node { left = Leaf; right; _ } -> right
      | Node { left; key; value; right; _ } -> rejoin t (remove_min left) key value right
      | Leaf -> t

    let rec min_node t = match t with Node { left = Node _ as left; _ } -> min_node left | _ -> t

    let rec remove t k =
      match t with
      | Leaf -> t
      | Node { left; key; value; right; _ } -> (
          let c = Key.compare k key in
          if c < 0 then
            let left' = remove left k in
            if left' == left then t else rejoin t left' key value right
          else if c > 0 then
            let right' = remove right k in
            if right' == right then t else rejoin t left key value right'
          else
            match (left, min_node right) with
            | Leaf, _ -> right
            | _, Leaf -> left
            | _, Node m -> rejoin t left m.key m.value (remove_min right))

    let check t =
      check t;
      let rec heights = function
        | Leaf -> 0
        | Node { left; right; _ } as t ->
            let a = heights left in
            if heights right <> a then failwith "paths with different numbers of black nodes";
            if is_red t && (is_red left || is_red right) then failwith "a red node has a red child";
            let height = if is_red t then a else a + 1 in
            if black_height t <> height then failwith "a wrong black height is noted";
            height
      in
      ignore (heights t : int)
  end

  include (Rooted.Make (Tree) : Rooted.S with module Key := Key and module Tree := Tree)

  let check t = Tree.check (snapshot t)
end
