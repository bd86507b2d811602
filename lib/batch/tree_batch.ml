open Weft_containers

(* So few operations are applied one by one: dividing them costs more than it saves. *)
let few = 16

(* Subtrees with a few levels are loaded fast enough. *)
let shallow = 64

(* One task does so many operations alone. *)
let alone = 48

module Make (Tree : Persistent.TREE) = struct
  module Key = Tree.Key
  module Op = Map_op.Make (Tree.Key)
  module Map = Rooted.Make (Tree)
  module Keys = Key_batch.Make (Key)

  type 'v t = 'v Tree.t Atomic.t
  type ('v, 'a) op = ('v, 'a) Op.t

  include Map_batch.Make (Tree.Key)

  let apply (type v a) (t : v t) : (v, a) op -> a = function
    | Mem k -> Map.mem t k
    | Find k -> Map.find_opt t k
    | Add (k, v) -> Map.add t k v
    | Remove k -> Map.remove t k
    | Update (k, f) -> Map.update t k f
    | Succ k -> Map.succ t k
    | Pred k -> Map.pred t k
    | Min -> Map.min_binding_opt t
    | Max -> Map.max_binding_opt t
    | Length -> Map.length t

  let apply_to_cell t (Op (op, cell)) =
    match apply t op with
    | result -> Cell.resolve cell result
    | exception e -> Cell.fail cell e (Printexc.get_raw_backtrace ())

  (* {1 Operations on one key} *)

  let is_look_up (type v a) (op : (v, a) op) =
    match op with
    | Mem _ | Find _ -> true
    | Add _ | Remove _ | Update _ | Succ _ | Pred _ | Min | Max | Length -> false

  let only_reads (Op (op, _)) = is_look_up op

  let step : type v. v Tree.t -> v packed -> v Tree.t =
   fun tree (Op (op, cell)) ->
    match op with
    | Mem k ->
        Cell.resolve cell (Tree.mem tree k);
        tree
    | Find k ->
        Cell.resolve cell (Tree.find_opt tree k);
        tree
    | Add (k, v) ->
        let tree = Tree.insert tree k v in
        Cell.resolve cell ();
        tree
    | Remove k ->
        let without = Tree.remove tree k in
        Cell.resolve cell (without != tree);
        without
    | Update (k, f) -> (
        let before = Tree.find_opt tree k in
        match f before with
        | exception e ->
            Cell.fail cell e (Printexc.get_raw_backtrace ());
            tree
        | after ->
            let tree =
              match (before, after) with
              | _, Some v -> Tree.insert tree k v
              | Some _, None -> Tree.remove tree k
              | None, None -> tree
            in
            Cell.resolve cell before;
            tree)
    | Succ _ | Pred _ | Min | Max | Length -> assert false

  (* {1 The descent} *)

  type 'v batch = {
    ops : 'v packed array;  (** the operations on one key *)
    keys : Keys.t;
    is_large : bool;  (** the tree *)
  }

  let op_at b i = b.ops.(Keys.index b.keys i)

  (* A few operations are about to be applied to a tree: this loads them, and the nodes that they will meet,
     into the processor's caches at the same time, not one after the other. *)
  let warm b tree low high =
    if b.is_large && high - low > 1 && Tree.length tree > shallow then begin
      let changes = ref 0 in
      for i = low to high - 1 do
        let (Op (op, cell)) = op_at b i in
        if Cell.is_empty cell && not (is_look_up op) then incr changes
      done;
      let n = high - low in
      Tree.warm tree ~change:(2 * !changes > n) n (fun i -> Keys.key b.keys (low + i))
    end

  let rec one_by_one b tree low high =
    if low = high then tree else one_by_one b (step tree (op_at b low)) (low + 1) high

  let both n f g =
    if n > alone then Weft.par f g
    else
      let left = f () in
      (left, g ())

  let rec change b tree low high ~sorted =
    if high - low <= few then begin
      warm b tree low high;
      one_by_one b tree low high
    end
    else
      match Tree.expose tree with
      | Empty ->
          if not sorted then Keys.sort b.keys low high;
          build b tree low high
      | Root { left; key; value; right } ->
          let first, last = Keys.divide b.keys key low high ~sorted in
          let at_root =
            if first = last then tree
            else one_by_one b (Tree.rejoin tree Tree.empty key value Tree.empty) first last
          in
          let left', right' =
            both (high - low)
              (fun () -> change b left low first ~sorted)
              (fun () -> change b right last high ~sorted)
          in
          if first = last then
            if left' == left && right' == right then tree else Tree.rejoin tree left' key value right'
          else begin
            match Tree.expose at_root with
            | Empty -> Tree.join2 left' right'
            | Root root ->
                if left' == left && right' == right && root.value == value && root.key == key then tree
                else Tree.rejoin at_root left' root.key root.value right'
          end

  (* Builds a tree from the operations, which are sorted. *)
  and build b empty low high =
    if high - low <= few then one_by_one b empty low high
    else
      let first, last = Keys.around b.keys ((low + high) lsr 1) low high in
      let at_root = one_by_one b empty first last in
      let left, right =
        both (high - low) (fun () -> build b empty low first) (fun () -> build b empty last high)
      in
      match Tree.expose at_root with
      | Empty -> if left == empty then right else if right == empty then left else Tree.join2 left right
      | Root { key; value; _ } -> Tree.rejoin at_root left key value right

  let rec look_one_by_one b tree low high =
    if low < high then begin
      ignore (step tree (op_at b low) : _ Tree.t);
      look_one_by_one b tree (low + 1) high
    end

  let rec look b tree low high ~sorted =
    if high - low <= few then begin
      warm b tree low high;
      look_one_by_one b tree low high
    end
    else
      match Tree.expose tree with
      | Empty -> look_one_by_one b tree low high
      | Root { left; key; right; _ } ->
          let first, last = Keys.divide b.keys key low high ~sorted in
          look_one_by_one b tree first last;
          let (), () =
            both (high - low)
              (fun () -> look b left low first ~sorted)
              (fun () -> look b right last high ~sorted)
          in
          ()

  (* {1 The batch} *)

  let count p ops = Array.fold_left (fun n op -> if p op then n + 1 else n) 0 ops
  let filter p ops = Array.of_list (List.filter p (Array.to_list ops))

  (* Applies the operations on one key, and returns the tree. *)
  let applied tree ops n =
    let ops = if n = Array.length ops then ops else filter is_keyed ops in
    let b =
      {
        ops;
        keys = Keys.make n (fun i -> key_of ops.(i));
        is_large = n > 1 && not (Cache_size.holds (Tree.length tree));
      }
    in
    let sorted = Keys.is_sorted b.keys in
    if count only_reads ops = n then begin
      look b tree 0 n ~sorted;
      tree
    end
    else change b tree 0 n ~sorted

  let answer_others t ops =
    let answer i = if not (is_keyed ops.(i)) then apply_to_cell t ops.(i) in
    Weft.parallel_for ~start:0 ~finish:(Array.length ops - 1) ~body:answer ()

  let forget ops = Array.iter (fun (Op (_, cell)) -> Cell.clear cell) ops

  let run_batch t ops =
    let before = Atomic.get t in
    let n = count is_keyed ops in
    match applied before ops n with
    | tree ->
        if tree != before then Atomic.set t tree;
        if n < Array.length ops then answer_others t ops
    (* The map has not changed yet, but cells may have been filled: their contents are not results. *)
    | exception e ->
        forget ops;
        if Fatal.is e then raise e else Array.iter (apply_to_cell t) ops

  let run = Some run_batch
end
