open Weft_containers

(* As many operations are applied one by one: to divide them would save less than it costs. *)
let few = 4

(* And as many by one task. *)
let alone = 48

module Make (Tree : Persistent.TREE) = struct
  module Key = Tree.Key
  module Op = Map_op.Make (Tree.Key)
  module Map = Rooted.Make (Tree)

  type 'v t = 'v Tree.t Atomic.t
  type ('v, 'a) op = ('v, 'a) Op.t
  type 'v packed = Op : ('v, 'a) op * 'a Cell.t -> 'v packed

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

  let is_on_one_key (type v a) (op : (v, a) op) =
    match op with
    | Mem _ | Find _ | Add _ | Remove _ | Update _ -> true
    | Succ _ | Pred _ | Min | Max | Length -> false

  let is_look_up (type v a) (op : (v, a) op) =
    match op with
    | Mem _ | Find _ -> true
    | Add _ | Remove _ | Update _ | Succ _ | Pred _ | Min | Max | Length -> false

  let key_of (type v a) (op : (v, a) op) =
    match op with
    | Mem k | Find k | Add (k, _) | Remove k | Update (k, _) -> k
    | Succ _ | Pred _ | Min | Max | Length -> assert false

  let on_one_key (Op (op, _)) = is_on_one_key op
  let only_reads (Op (op, _)) = is_look_up op
  let key (Op (op, _)) = key_of op

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

  (* {1 Dividing a batch} *)

  (* Which operations: those at the indices that are in [order], from some index up to another, which is not
     included. A task has the same part of [spare] for itself. *)
  type 'v batch = { ops : 'v packed array; order : int array; spare : int array }

  let key_at b i = key b.ops.(b.order.(i))

  (* The first index of a sorted part whose key is not smaller than [k]. *)
  let rec not_below b k low high =
    if low = high then low
    else
      let middle = (low + high) lsr 1 in
      if Key.compare (key_at b middle) k < 0 then not_below b k (middle + 1) high
      else not_below b k low middle

  let rec above b k low high =
    if low = high then low
    else
      let middle = (low + high) lsr 1 in
      if Key.compare (key_at b middle) k <= 0 then above b k (middle + 1) high else above b k low middle

  (* Moves the [equal] operations on [k] to the front, in order. *)
  let equal_first b k ~equal low high =
    let { ops; order; spare } = b in
    let next = ref low and rest = ref (low + equal) in
    for i = low to high - 1 do
      let op = order.(i) in
      let place = if !next < low + equal && Key.compare (key ops.(op)) k = 0 then next else rest in
      spare.(!place) <- op;
      incr place
    done;
    Array.blit spare low order low (high - low)

  (* Moves the indices of operations on keys below [k] to the front, in order; where the others begin; how many of
     these are on [k] itself. *)
  let partition b k low high =
    let { ops; order; spare } = b in
    let below = ref low and others = ref low and equal = ref 0 in
    for i = low to high - 1 do
      let op = order.(i) in
      let c = Key.compare (key ops.(op)) k in
      let is_below = c lsr (Sys.int_size - 1) in
      order.(!below) <- op;
      spare.(!others) <- op;
      below := !below + is_below;
      others := !others + 1 - is_below;
      if c = 0 then incr equal
    done;
    Array.blit spare low order !below (high - !below);
    if !equal > 0 then equal_first b k ~equal:!equal !below high;
    (!below, !below + !equal)

  (* Where the operations on [k] are, in between those on smaller and on greater keys. *)
  let divide b k low high ~sorted =
    if sorted then
      let first = not_below b k low high in
      (first, above b k first high)
    else partition b k low high

  let sort b low high =
    let part = Array.sub b.order low (high - low) in
    Weft.Array.stable_sort (fun i j -> Key.compare (key b.ops.(i)) (key b.ops.(j))) part;
    Array.blit part 0 b.order low (high - low)

  let rec is_sorted b i n =
    i + 1 >= n || (Key.compare (key_at b i) (key_at b (i + 1)) <= 0 && is_sorted b (i + 1) n)

  (* {1 The descent} *)

  let rec one_by_one b tree low high =
    if low = high then tree else one_by_one b (step tree b.ops.(b.order.(low))) (low + 1) high

  let both n f g =
    if n > alone then Weft.par f g
    else
      let left = f () in
      (left, g ())

  let rec change b tree low high ~sorted =
    if high - low <= few then one_by_one b tree low high
    else
      match Tree.expose tree with
      | Empty ->
          if not sorted then sort b low high;
          build b tree low high
      | Root { left; key; value; right } ->
          let first, last = divide b key low high ~sorted in
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

  (* The tree that the operations, sorted, make of an empty one. *)
  and build b empty low high =
    if high - low <= few then one_by_one b empty low high
    else
      let k = key_at b ((low + high) lsr 1) in
      let first, last = divide b k low high ~sorted:true in
      let at_root = one_by_one b empty first last in
      let left, right =
        both (high - low) (fun () -> build b empty low first) (fun () -> build b empty last high)
      in
      match Tree.expose at_root with
      | Empty -> if left == empty then right else if right == empty then left else Tree.join2 left right
      | Root { key; value; _ } -> Tree.rejoin at_root left key value right

  let rec look_one_by_one b tree low high =
    if low < high then begin
      ignore (step tree b.ops.(b.order.(low)) : _ Tree.t);
      look_one_by_one b tree (low + 1) high
    end

  let rec look b tree low high ~sorted =
    if high - low <= few then look_one_by_one b tree low high
    else
      match Tree.expose tree with
      | Empty -> look_one_by_one b tree low high
      | Root { left; key; right; _ } ->
          let first, last = divide b key low high ~sorted in
          look_one_by_one b tree first last;
          let (), () =
            both (high - low)
              (fun () -> look b left low first ~sorted)
              (fun () -> look b right last high ~sorted)
          in
          ()

  (* {1 The batch} *)

  let count p ops = Array.fold_left (fun n op -> if p op then n + 1 else n) 0 ops

  let batch_of ops n =
    let order = Array.make n 0 and next = ref 0 in
    Array.iteri
      (fun i op ->
        if on_one_key op then begin
          order.(!next) <- i;
          incr next
        end)
      ops;
    { ops; order; spare = Array.make n 0 }

  (* The tree when all operations on one key have been applied. *)
  let applied tree ops n =
    let b = batch_of ops n in
    let sorted = is_sorted b 0 n in
    if count only_reads ops = n then begin
      look b tree 0 n ~sorted;
      tree
    end
    else change b tree 0 n ~sorted

  let answer_others t ops =
    let answer i = if not (on_one_key ops.(i)) then apply_to_cell t ops.(i) in
    Weft.parallel_for ~start:0 ~finish:(Array.length ops - 1) ~body:answer ()

  let run_batch t ops =
    let before = Atomic.get t in
    let n = count on_one_key ops in
    match applied before ops n with
    | tree ->
        if tree != before then Atomic.set t tree;
        if n < Array.length ops then answer_others t ops
    | exception _ ->
        (* Nothing has happened yet, but that cells may have been filled, which are filled again. *)
        Array.iter (apply_to_cell t) ops

  let run = Some run_batch
end
