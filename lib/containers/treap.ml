module Nodes (Key : Maps.ORDERED) = struct
  open Binary_tree
  module Key = Key

  type 'v t = (Key.t, 'v) Binary_tree.t

  let empty = Leaf
  let length = length
  let expose = expose

  (* No node has a greater priority than its parent. The priority of a leaf is 0. *)
  let priority = own

  let rec join_with p left key value right =
    match (left, right) with
    | Node l, _ when priority left > p && priority left >= priority right ->
        node (priority left) l.left l.key l.value (join_with p l.right key value right)
    | _, Node r when priority right > p ->
        node (priority right) (join_with p left key value r.left) r.key r.value r.right
    | _ -> node p left key value right

  let join left key value right = join_with (Priorities.draw ()) left key value right
  let rejoin t left key value right = join_with (priority t) left key value right
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

    let rec insert t k v =
      match t with
      | Leaf -> node (Priorities.draw ()) Leaf k v Leaf
      | Node { left; key; value; right; note } -> (
          let c = Key.compare k key in
          if c = 0 then if value == v then t else Node { left; key; value = v; right; note }
          else if c < 0 then
            match insert left k v with
            | left' when left' == left -> t
            | Node l as left' when priority left' > priority t ->
                node (priority left') l.left l.key l.value (node (priority t) l.right key value right)
            | left' -> node (priority t) left' key value right
          else
            match insert right k v with
            | right' when right' == right -> t
            | Node r as right' when priority right' > priority t ->
                node (priority right') (node (priority t) left key value r.left) r.key r.value r.right
            | right' -> node (priority t) left key value right')

    let rec join2 left right =
      match (left, right) with
      | Leaf, t | t, Leaf -> t
      | Node l, Node r ->
          if priority left >= priority right then
            node (priority left) l.left l.key l.value (join2 l.right right)
          else node (priority right) (join2 left r.left) r.key r.value r.right

    let rec remove t k =
      match t with
      | Leaf -> t
      | Node { left; key; value; right; _ } ->
          let c = Key.compare k key in
          if c = 0 then join2 left right
          else if c < 0 then
            let left' = remove left k in
            if left' == left then t else node (priority t) left' key value right
          else
            let right' = remove right k in
            if right' == right then t else node (priority t) left key value right'

    (* Each key has its priority already, so none need be drawn. *)
    let rec split t k =
      match t with
      | Leaf -> (t, None, t)
      | Node { left; key; value; right; _ } ->
          let c = Key.compare k key in
          if c = 0 then (left, Some value, right)
          else if c < 0 then
            let l, found, r = split left k in
            (l, found, node (priority t) r key value right)
          else
            let l, found, r = split right k in
            (node (priority t) left key value l, found, r)

    let check t =
      check t;
      let rec priorities = function
        | Leaf -> ()
        | Node { left; right; _ } as t ->
            if priority left > priority t || priority right > priority t then
              failwith "a node has a greater priority than its parent";
            priorities left;
            priorities right
      in
      priorities t
  end

  include (Rooted.Make (Tree) : Rooted.S with module Key := Key and module Tree := Tree)

  let check t = Tree.check (snapshot t)
end
