module Tree = Veb_tree

type key = int
type 'v t = { bits : int; mutable tree : 'v Tree.t; mutable length : int }

let create ~bits () =
  Universe.check_bits "Weft_containers.Veb.create" bits;
  { bits; tree = Tree.empty; length = 0 }

let bits t = t.bits
let length t = t.length

(* --- one key, unchecked --- *)

let[@inline] put t k v =
  if Tree.is_empty t.tree then begin
    t.tree <- Tree.singleton t.bits k v;
    t.length <- t.length + 1
  end
  else if Tree.add t.tree t.bits k v then t.length <- t.length + 1

let[@inline] drop t k =
  match Tree.remove t.tree t.bits k with
  | Absent -> false
  | Removed ->
      t.length <- t.length - 1;
      true
  | Emptied ->
      t.tree <- Tree.empty;
      t.length <- t.length - 1;
      true

let change t k f =
  let before = Tree.find_opt t.tree t.bits k in
  (match (before, f before) with
  | None, None -> ()
  | Some _, None -> ignore (drop t k : bool)
  | _, Some v -> put t k v);
  before

(* --- one key --- *)

let mem t k =
  Universe.check "Weft_containers.Veb.mem" t.bits k;
  Tree.mem t.tree t.bits k

let find_opt t k =
  Universe.check "Weft_containers.Veb.find_opt" t.bits k;
  Tree.find_opt t.tree t.bits k

let add t k v =
  Universe.check "Weft_containers.Veb.add" t.bits k;
  put t k v

let remove t k =
  Universe.check "Weft_containers.Veb.remove" t.bits k;
  drop t k

let update t k f =
  Universe.check "Weft_containers.Veb.update" t.bits k;
  change t k f

(* --- in order --- *)

let binding t k =
  if k < 0 then None else match Tree.find_opt t.tree t.bits k with None -> None | Some v -> Some (k, v)

let min_binding_opt t = binding t (Tree.min t.tree)
let max_binding_opt t = binding t (Tree.max t.tree)

let succ t k =
  Universe.check "Weft_containers.Veb.succ" t.bits k;
  binding t (Tree.succ t.tree t.bits k)

let pred t k =
  Universe.check "Weft_containers.Veb.pred" t.bits k;
  binding t (Tree.pred t.tree t.bits k)

let iter f t = Tree.iter f 0 t.tree t.bits

let fold f t init =
  let acc = ref init in
  iter (fun k v -> acc := f k v !acc) t;
  !acc

let to_seq t =
  let rec from = function
    | None -> Seq.Nil
    | Some ((k, _) as binding) -> Seq.Cons (binding, fun () -> from (succ t k))
  in
  fun () -> from (min_binding_opt t)

let check t =
  let n = Tree.check t.tree t.bits in
  if n <> t.length then failwith (Printf.sprintf "Veb: %d keys, length %d" n t.length)

(* --- in parts --- *)

(* A shard is a cluster of the topmost node, as a map of its own. Its length is the number of keys by which
   it has grown. If there is no node because keys have few bits, everything is shard 0. Clusters in an
   array are replaced where they are; other clusters, and those of a node that does not exist yet, are kept
   in [trees] until the repair. *)
type 'v shard = 'v t

type 'v parts = {
  bits : int;  (** of the keys of the whole map *)
  touched : int array;
  low : int;
  top : 'v Tree.t;
  least : int;  (** the least key before the work; it is in no cluster *)
  mutable least_moved : bool;  (** whether that key is in its cluster now *)
  in_place : bool;
  trees : 'v Tree.t array;
  changes : int array;  (** of each shard: four times its growth, plus [filled] or [emptied] if it was *)
}

let filled = 1
let emptied = 2
let whole (t : _ t) = t.bits <= Bit_word.bits
let shard_of (t : _ t) k = if whole t then 0 else k lsr Tree.low_bits t.bits

let expose (t : _ t) ~touched =
  let whole = whole t in
  let in_place = (not whole) && Tree.has_array t.tree in
  {
    bits = t.bits;
    touched;
    low = (if whole then t.bits else Tree.low_bits t.bits);
    top = t.tree;
    least = (if whole then -1 else Tree.min t.tree);
    least_moved = false;
    in_place;
    trees =
      (if in_place then [||]
       else if whole then Array.map (fun _ -> t.tree) touched
       else Array.map (Tree.get_cluster t.tree) touched);
    changes = Array.make (Array.length touched) 0;
  }

let[@inline] kept parts i =
  if parts.in_place then Tree.get_cluster parts.top parts.touched.(i) else parts.trees.(i)

let open_shard parts i =
  let s : _ shard = { bits = parts.low; tree = kept parts i; length = 0 } in
  if parts.least >= 0 && parts.least lsr parts.low = parts.touched.(i) then begin
    put s (parts.least land ((1 lsl parts.low) - 1)) (Tree.min_value parts.top);
    s.length <- 0;
    parts.least_moved <- true
  end;
  s

let close_shard parts i s =
  let before = kept parts i in
  let change =
    match (Tree.is_empty before, Tree.is_empty s.tree) with
    | true, false -> filled
    | false, true -> emptied
    | true, true | false, false -> 0
  in
  parts.changes.(i) <- (4 * s.length) + change;
  if s.tree != before then
    if parts.in_place then Tree.replace_in_array parts.top parts.touched.(i) s.tree
    else parts.trees.(i) <- s.tree

let warm parts keys n = if parts.in_place then Tree.warm parts.top parts.bits keys n
let[@inline] local (s : _ shard) k = k land ((1 lsl s.bits) - 1)
let mem_in (s : _ shard) k = Tree.mem s.tree s.bits (local s k)
let find_in (s : _ shard) k = Tree.find_opt s.tree s.bits (local s k)
let add_in s k v = put s (local s k) v
let remove_in s k = drop s (local s k)
let update_in s k f = change s (local s k) f

(* Takes the first key out of the shards, and makes the node for all of them from it. *)
let make_node (t : _ t) parts =
  let rec first i =
    if i < Array.length parts.trees then
      if Tree.is_empty parts.trees.(i) then first (i + 1)
      else begin
        let s : _ shard = { bits = parts.low; tree = parts.trees.(i); length = 0 } in
        let k = Tree.min s.tree in
        t.tree <- Tree.singleton t.bits ((parts.touched.(i) lsl parts.low) lor k) (Tree.min_value s.tree);
        ignore (drop s k : bool);
        parts.trees.(i) <- s.tree
      end
  in
  first 0

let note (t : _ t) h change =
  if change land 3 = filled then Tree.summarize_top t.tree t.bits h
  else if change land 3 = emptied then Tree.unsummarize_top t.tree t.bits h

let repair (t : _ t) parts =
  if whole t then Array.iter (fun tree -> t.tree <- tree) parts.trees
  else begin
    if Tree.is_empty t.tree then make_node t parts;
    if parts.in_place then
      for i = 0 to Array.length parts.touched - 1 do
        note t parts.touched.(i) parts.changes.(i)
      done
    else if not (Tree.is_empty t.tree) then
      Array.iteri (fun i tree -> Tree.put_cluster t.tree t.bits parts.touched.(i) tree) parts.trees;
    if not (Tree.is_empty t.tree) then t.tree <- Tree.settle t.tree t.bits ~min_taken:parts.least_moved
  end;
  Array.iter (fun change -> t.length <- t.length + (change asr 2)) parts.changes
