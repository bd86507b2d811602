open B_tree_node

let wrong fmt = Printf.ksprintf failwith ("B-tree: " ^^ fmt)

let check_leaf leaf =
  let places = if leaf.n = 0 then 0 else width in
  if Array.length leaf.keys <> places || Array.length leaf.values <> places then
    wrong "a leaf of %d with %d and %d places" leaf.n (Array.length leaf.keys) (Array.length leaf.values);
  let all = List.init width (slot leaf.order) in
  if List.sort Int.compare all <> List.init width Fun.id then wrong "order %x" leaf.order;
  (* Each read from an array of floats makes a new block, so [memq] finds no float: arrays of floats are
     not checked. *)
  if leaf.n > 0 && Array.memq leaf.keys.(0) leaf.keys then begin
    let live = List.init leaf.n (key_at leaf) in
    Array.iter (fun k -> if not (List.memq k live) then wrong "a dead key") leaf.keys
  end;
  if Array.length leaf.children <> 0 then wrong "a leaf with children"

let check_inner node =
  if Array.length node.children <> fanout || Array.length node.keys <> fanout - 1 then
    wrong "an inner node with %d and %d places" (Array.length node.children) (Array.length node.keys);
  let live = Array.sub node.children 0 node.n in
  if not (Array.for_all (fun c -> Array.memq c live) node.children) then wrong "a dead child";
  if Array.length node.values <> 0 then wrong "an inner node with values"

let check ~compare tree =
  let inside low high k =
    (match low with Some l when compare l k > 0 -> wrong "a key below its separator" | _ -> ());
    match high with Some h when compare k h >= 0 -> wrong "a key not below its separator" | _ -> ()
  in
  let rec count node level ~root low high =
    if is_leaf node <> (level = 0) then wrong "a leaf at level %d, or none at 0" level;
    if (not root) && is_weak node then wrong "a weak node of %d at level %d" node.n level;
    if level = 0 then begin
      if node.n < 0 || node.n > width then wrong "a leaf of %d" node.n;
      check_leaf node;
      for p = 0 to node.n - 1 do
        inside low high (key_at node p);
        if p > 0 && compare (key_at node (p - 1)) (key_at node p) >= 0 then wrong "keys out of order"
      done;
      node.n
    end
    else begin
      if node.n < 2 || node.n > fanout then wrong "an inner node of %d" node.n;
      check_inner node;
      let total = ref 0 in
      for i = 0 to node.n - 1 do
        let low = if i = 0 then low else Some node.keys.(i - 1)
        and high = if i = node.n - 1 then high else Some node.keys.(i) in
        if i > 0 then inside None high node.keys.(i - 1);
        total := !total + count node.children.(i) (level - 1) ~root:false low high
      done;
      !total
    end
  in
  let length = count tree.root tree.height ~root:true None None in
  if length <> tree.length then wrong "%d bindings, said to be %d" length tree.length
