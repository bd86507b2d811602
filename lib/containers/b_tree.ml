open B_tree_node

module Make (Key : Maps.ORDERED) = struct
  type key = Key.t
  type 'v t = (Key.t, 'v) tree

  let create = empty
  let length t = t.length
  let check t = B_tree_check.check ~compare:Key.compare t

  (* Searching *)

  (* How many of the separators before [hi] are not greater than [k], if all those before [lo] are not. *)
  let rec not_greater keys k lo hi =
    if lo >= hi then lo
    else
      let middle = (lo + hi) lsr 1 in
      if Key.compare k (Array.unsafe_get keys middle) < 0 then not_greater keys k lo middle
      else not_greater keys k (middle + 1) hi

  let child_index node k = not_greater node.keys k 0 (node.n - 1)

  let rec search keys order k lo hi =
    if lo >= hi then lo lsl 1
    else
      let middle = (lo + hi) lsr 1 in
      let c = Key.compare k (Array.unsafe_get keys (slot order middle)) in
      if c = 0 then (middle lsl 1) lor 1
      else if c < 0 then search keys order k lo middle
      else search keys order k (middle + 1) hi

  let place leaf k = search leaf.keys leaf.order k 0 leaf.n

  let rec leaf_of node k =
    if is_leaf node then node else leaf_of (Array.unsafe_get node.children (child_index node k)) k

  let mem t k = place (leaf_of t.root k) k land 1 = 1

  let find_opt t k =
    let leaf = leaf_of t.root k in
    let place = place leaf k in
    if place land 1 = 1 then Some (value_at leaf (place lsr 1)) else None

  (* Changes *)

  let rec descend t node k path =
    if is_leaf node then begin
      t.path <- path;
      node
    end
    else
      let i = child_index node k in
      descend t (Array.unsafe_get node.children i) k ((path lsl path_bits) lor i)

  let[@inline never] repair t path extra = B_tree_repair.(repair ~both:sequentially t [| { path; extra } |])

  let insert t leaf path p k v =
    if leaf.n < width then insert_at leaf p k v else repair t path (split_insert leaf p k v);
    t.length <- t.length + 1

  let delete t leaf path p =
    remove_at leaf p;
    t.length <- t.length - 1;
    if is_weak leaf && t.height > 0 then repair t path [||]

  let add t k v =
    let leaf = descend t t.root k 0 in
    let place = place leaf k in
    if place land 1 = 1 then set_value leaf (place lsr 1) v else insert t leaf t.path (place lsr 1) k v

  let remove t k =
    let leaf = descend t t.root k 0 in
    let place = place leaf k in
    place land 1 = 1
    && begin
         delete t leaf t.path (place lsr 1);
         true
       end

  let update t k f =
    let leaf = descend t t.root k 0 in
    let path = t.path in
    let place = place leaf k in
    let p = place lsr 1 in
    let before = if place land 1 = 1 then Some (value_at leaf p) else None in
    let after = f before in
    (match (before, after) with
    | None, None -> ()
    | None, Some v -> insert t leaf path p k v
    | Some _, None -> delete t leaf path p
    | Some _, Some v -> if before != after then set_value leaf p v);
    before

  (* In order *)

  let binding leaf p = Some (key_at leaf p, value_at leaf p)

  let rec least node =
    if not (is_leaf node) then least node.children.(0) else if node.n = 0 then None else binding node 0

  let rec greatest node =
    if not (is_leaf node) then greatest node.children.(node.n - 1)
    else if node.n = 0 then None
    else binding node (node.n - 1)

  let min_binding_opt t = least t.root
  let max_binding_opt t = greatest t.root

  (* Only the root may be an empty leaf. So if the child [i] has no greater key, the next child has one. *)
  let rec succ_below node k =
    if is_leaf node then
      let p = (place node k + 1) lsr 1 in
      if p < node.n then binding node p else None
    else
      let i = child_index node k in
      match succ_below node.children.(i) k with
      | None when i + 1 < node.n -> least node.children.(i + 1)
      | answer -> answer

  let rec pred_below node k =
    if is_leaf node then
      let p = (place node k lsr 1) - 1 in
      if p >= 0 then binding node p else None
    else
      let i = child_index node k in
      match pred_below node.children.(i) k with
      | None when i > 0 -> greatest node.children.(i - 1)
      | answer -> answer

  let succ t k = succ_below t.root k
  let pred t k = pred_below t.root k

  let rec iter_below f node =
    if is_leaf node then
      for p = 0 to node.n - 1 do
        f (key_at node p) (value_at node p)
      done
    else
      for i = 0 to node.n - 1 do
        iter_below f node.children.(i)
      done

  let iter f t = iter_below f t.root

  let fold f t init =
    let acc = ref init in
    iter (fun k v -> acc := f k v !acc) t;
    !acc

  let rec seq_from node i rest () =
    if i = node.n then rest ()
    else if is_leaf node then Seq.Cons ((key_at node i, value_at node i), seq_from node (i + 1) rest)
    else seq_from node.children.(i) 0 (seq_from node (i + 1) rest) ()

  let to_seq t = seq_from t.root 0 Seq.empty
end
