module Nodes (Key : Maps.ORDERED) = struct
  open Binary_tree
  module Key = Key

  type 'v t = (Key.t, 'v) Binary_tree.t

  let empty = Leaf
  let height = own
  let length = length
  let expose = expose

  let create left key value right =
    let a = height left and b = height right in
    node ((if a >= b then a else b) + 1) left key value right

  (* The heights of [left] and [right] differ by at most two. *)
  let balance left key value right =
    let a = height left and b = height right in
    if a > b + 1 then
      match left with
      | Node { left = ll; key = lk; value = lv; right = lr; _ } -> (
          if height ll >= height lr then create ll lk lv (create lr key value right)
          else
            match lr with
            | Node m -> create (create ll lk lv m.left) m.key m.value (create m.right key value right)
            | Leaf -> assert false)
      | Leaf -> assert false
    else if b > a + 1 then
      match right with
      | Node { left = rl; key = rk; value = rv; right = rr; _ } -> (
          if height rr >= height rl then create (create left key value rl) rk rv rr
          else
            match rl with
            | Node m -> create (create left key value m.left) m.key m.value (create m.right rk rv rr)
            | Leaf -> assert false)
      | Leaf -> assert false
    else node ((if a >= b then a else b) + 1) left key value right

  let rec join left key value right =
    let a = height left and b = height right in
    match (left, right) with
    | Node l, _ when a > b + 1 -> balance l.left l.key l.value (join l.right key value right)
    | _, Node r when b > a + 1 -> balance (join left key value r.left) r.key r.value r.right
    | _ -> create left key value right
end

module Make (Key : Maps.ORDERED) = struct
  module Tree = struct
    open Binary_tree
    module Nodes = Nodes (Key)
    include Join_based.Make (Nodes)
    open Nodes

    let rejoin _ left key value right = join left key value right

    include Searches (Key)

    let min_binding_opt = min_binding_opt
    let max_binding_opt = max_binding_opt
    let iter = iter
    let fold = fold
    let to_seq = to_seq

    let rec insert t k v =
      match t with
      | Leaf -> create Leaf k v Leaf
      | Node { left; key; value; right; note } ->
          let c = Key.compare k key in
          if c = 0 then if value == v then t else Node { left; key; value = v; right; note }
          else if c < 0 then
            let left' = insert left k v in
            if left' == left then t else balance left' key value right
          else
            let right' = insert right k v in
            if right' == right then t else balance left key value right'

    let rec remove_min left key value right =
      match left with
      | Leaf -> right
      | Node l -> balance (remove_min l.left l.key l.value l.right) key value right

    let rec min_node t = match t with Node { left = Node _ as left; _ } -> min_node left | _ -> t

    (* The heights of [left] and [right] differ by at most one. *)
    let join_neighbours left right =
      match (left, right) with
      | Leaf, t | t, Leaf -> t
      | Node _, Node r -> (
          match min_node right with
          | Node m -> balance left m.key m.value (remove_min r.left r.key r.value r.right)
          | Leaf -> assert false)

    let rec remove t k =
      match t with
      | Leaf -> t
      | Node { left; key; value; right; _ } ->
          let c = Key.compare k key in
          if c = 0 then join_neighbours left right
          else if c < 0 then
            let left' = remove left k in
            if left' == left then t else balance left' key value right
          else
            let right' = remove right k in
            if right' == right then t else balance left key value right'

    let check t =
      check t;
      let rec heights = function
        | Leaf -> 0
        | Node { left; right; _ } as t ->
            let a = heights left and b = heights right in
            if abs (a - b) > 1 then failwith (Printf.sprintf "heights %d and %d side by side" a b);
            if height t <> max a b + 1 then failwith "a wrong height is noted";
            max a b + 1
      in
      ignore (heights t : int)
  end

  include (Rooted.Make (Tree) : Rooted.S with module Key := Key and module Tree := Tree)

  let check t = Tree.check (snapshot t)
end
