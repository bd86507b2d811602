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

(* A shard is a cluster of the topmost node, as a map of its own whose length is by how many keys it has grown; where
   there is no node, everything is shard 0. *)
type 'v parts = { touched : int array; low : int; shards : 'v t array; min_taken : bool }

let whole t = t.bits <= Bit_word.bits
let shard_of t k = if whole t then 0 else k lsr Tree.low_bits t.bits

let expose t ~touched =
  if whole t then
    let shards = Array.map (fun _ -> { t with length = 0 }) touched in
    { touched; low = t.bits; shards; min_taken = false }
  else
    let low = Tree.low_bits t.bits in
    let least = Tree.min t.tree in
    let min_taken = ref false in
    let shard h =
      let s = { bits = low; tree = Tree.get_cluster t.tree h; length = 0 } in
      (* The least key of all is in no cluster; in its shard it must be. *)
      if least >= 0 && least lsr low = h then begin
        put s (least land ((1 lsl low) - 1)) (Tree.min_value t.tree);
        s.length <- 0;
        min_taken := true
      end;
      s
    in
    let shards = Array.map shard touched in
    { touched; low; shards; min_taken = !min_taken }

let[@inline] local parts k = k land ((1 lsl parts.low) - 1)
let[@inline] shard parts i = parts.shards.(i)

let mem_in parts i k =
  let s = shard parts i in
  Tree.mem s.tree s.bits (local parts k)

let find_in parts i k =
  let s = shard parts i in
  Tree.find_opt s.tree s.bits (local parts k)

let add_in parts i k v = put (shard parts i) (local parts k) v
let remove_in parts i k = drop (shard parts i) (local parts k)
let update_in parts i k f = change (shard parts i) (local parts k) f

(* The first key of the shards becomes the node for all of them. *)
let make_node t parts =
  let rec first i =
    if i < Array.length parts.shards && Tree.is_empty t.tree then begin
      let s = parts.shards.(i) in
      if Tree.is_empty s.tree then first (i + 1)
      else begin
        let k = Tree.min s.tree in
        t.tree <- Tree.singleton t.bits ((parts.touched.(i) lsl parts.low) lor k) (Tree.min_value s.tree);
        ignore (drop s k : bool);
        s.length <- s.length + 1
      end
    end
  in
  first 0

let repair t parts =
  if whole t then Array.iter (fun s -> t.tree <- s.tree) parts.shards
  else begin
    make_node t parts;
    if not (Tree.is_empty t.tree) then begin
      Array.iteri (fun i s -> Tree.put_cluster t.tree t.bits parts.touched.(i) s.tree) parts.shards;
      t.tree <- Tree.settle t.tree t.bits ~min_taken:parts.min_taken
    end
  end;
  Array.iter (fun s -> t.length <- t.length + s.length) parts.shards
