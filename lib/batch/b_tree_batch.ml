open Weft_containers.B_tree_node
module Repair = Weft_containers.B_tree_repair

(* So many operations are located, or applied, by one task at least. *)
let block = 64

module Make (Key : Weft_containers.Maps.ORDERED) = struct
  module Sequential = Weft_containers.B_tree.Make (Key)
  module Op = Map_op.Make (Key)

  type 'v packed = Op : ('v, 'a) Op.t * 'a Cell.t -> 'v packed

  let apply (type v a) (t : v Sequential.t) (op : (v, a) Op.t) : a =
    match op with
    | Mem k -> Sequential.mem t k
    | Find k -> Sequential.find_opt t k
    | Add (k, v) -> Sequential.add t k v
    | Remove k -> Sequential.remove t k
    | Update (k, f) -> Sequential.update t k f
    | Succ k -> Sequential.succ t k
    | Pred k -> Sequential.pred t k
    | Min -> Sequential.min_binding_opt t
    | Max -> Sequential.max_binding_opt t
    | Length -> Sequential.length t

  let apply_packed t (Op (op, cell)) =
    match apply t op with
    | v -> Cell.resolve cell v
    | exception e -> Cell.fail cell e (Printexc.get_raw_backtrace ())

  (* A batch under way. Of an operation's number in the batch, the lowest bits of an element of [sorted] tell;
     the others tell its rank: the path of its leaf, then its place there as {!B_tree} finds it. *)
  type 'v batch = {
    tree : 'v Sequential.t;
    ops : 'v packed array;
    number_bits : int;
    sorted : int array;  (** the operations with a key *)
    leaves : (Key.t, 'v) node array;  (** by number *)
    starts : Bytes.t;  (** by position in [sorted]: 1 where another key begins *)
  }

  let[@inline] number b j = Array.unsafe_get b.sorted j land ((1 lsl b.number_bits) - 1)
  let[@inline] rank b j = Array.unsafe_get b.sorted j lsr b.number_bits
  let place_bits = 5
  let[@inline] place b j = rank b j land ((1 lsl place_bits) - 1)
  let[@inline] path b j = rank b j lsr place_bits
  let[@inline] starts b j = Bytes.unsafe_get b.starts j <> '\000'
  let start b j = Bytes.unsafe_set b.starts j '\001'

  let for_blocks count body =
    if count <= 2 * block then (if count > 0 then body 0 count)
    else
      let blocks = (count + block - 1) / block in
      Weft.parallel_for ~start:0 ~finish:(blocks - 1)
        ~body:(fun i -> body (i * block) (min count ((i + 1) * block)))
        ()

  let has_key (type v) (Op (op, _) : v packed) =
    match op with
    | Mem _ | Find _ | Add _ | Remove _ | Update _ -> true
    | Succ _ | Pred _ | Min | Max | Length -> false

  let key (type v) (Op (op, _) : v packed) =
    match op with
    | Mem k | Find k | Add (k, _) | Remove k | Update (k, _) -> k
    | Succ _ | Pred _ | Min | Max | Length -> assert false

  let key_of b j = key (Array.unsafe_get b.ops (number b j))

  (* Locate *)

  (* Loads what the next step will look at: these loads do not wait for each other, nor for a comparison. *)
  let touch nodes count =
    let sum = ref 0 in
    for i = 0 to count - 1 do
      let keys = (Array.unsafe_get nodes i).keys in
      sum := !sum + Array.length keys
    done;
    ignore (Sys.opaque_identity !sum)

  let locate b lo hi =
    let count = hi - lo and t = b.tree in
    let keys = Array.make count (key b.ops.(b.sorted.(lo))) in
    for i = 1 to count - 1 do
      keys.(i) <- key b.ops.(b.sorted.(lo + i))
    done;
    let nodes = Array.make count t.root and paths = Array.make count 0 in
    for _ = 1 to t.height do
      for i = 0 to count - 1 do
        let node = nodes.(i) in
        let child = Sequential.child_index node keys.(i) in
        paths.(i) <- (paths.(i) lsl path_bits) lor child;
        nodes.(i) <- node.children.(child)
      done;
      touch nodes count
    done;
    for i = 0 to count - 1 do
      let leaf = nodes.(i) and number = b.sorted.(lo + i) in
      let rank = (paths.(i) lsl place_bits) lor Sequential.place leaf keys.(i) in
      b.leaves.(number) <- leaf;
      b.sorted.(lo + i) <- (rank lsl b.number_bits) lor number
    done

  (* Sorts the operations from [lo] to [hi - 1], whose keys are all new and fall between the same two. *)
  let sort_new b lo hi =
    let a = Array.init (hi - lo) (fun i -> (key_of b (lo + i), b.sorted.(lo + i))) in
    let compare (k, _) (k', _) = Key.compare k k' in
    Weft.Array.stable_sort compare a;
    for_blocks (hi - lo) (fun first last ->
        for i = first to last - 1 do
          b.sorted.(lo + i) <- snd a.(i);
          if i > 0 && compare a.(i - 1) a.(i) <> 0 then start b (lo + i)
        done)

  let sort b =
    let count = Array.length b.sorted in
    Radix.sort b.sorted ~low:b.number_bits ~bits:((b.tree.height * path_bits) + place_bits);
    let rec from lo =
      if lo < count then begin
        start b lo;
        let hi = ref (lo + 1) in
        while !hi < count && rank b !hi = rank b lo do
          incr hi
        done;
        if !hi > lo + 1 && place b lo land 1 = 0 then sort_new b lo !hi;
        from !hi
      end
    in
    from 0

  (* Apply *)

  (* What one operation makes of the binding of its key. *)
  let step (type v) (Op (op, cell) : v packed) (before : v option) : v option =
    match op with
    | Mem _ ->
        Cell.resolve cell (Option.is_some before);
        before
    | Find _ ->
        Cell.resolve cell before;
        before
    | Add (_, v) ->
        Cell.resolve cell ();
        Some v
    | Remove _ ->
        Cell.resolve cell (Option.is_some before);
        None
    | Update (_, f) -> (
        match f before with
        | after ->
            Cell.resolve cell before;
            after
        | exception e ->
            Cell.fail cell e (Printexc.get_raw_backtrace ());
            before)
    | Succ _ | Pred _ | Min | Max | Length -> assert false

  (* What the operations on one key come to. *)
  type 'v outcome = {
    mutable after : 'v option;
    mutable by : int;  (** the operation that bound the key, if it was not bound before; else -1 *)
  }

  let[@inline] binding leaf place = if place land 1 = 1 then Some (value_at leaf (place lsr 1)) else None

  let fold b lo hi before outcome =
    outcome.after <- before;
    outcome.by <- -1;
    for j = lo to hi - 1 do
      let i = number b j in
      let before = outcome.after in
      let after = step (Array.unsafe_get b.ops i) before in
      if after != before then begin
        (match (before, after) with None, Some _ -> outcome.by <- i | _ -> ());
        outcome.after <- after
      end
    done

  (* Applies an outcome to a leaf with room; how many bindings more. *)
  let change b leaf place before { after; by } =
    let p = place lsr 1 in
    match (before, after) with
    | None, None -> 0
    | None, Some v ->
        insert_at leaf p (key b.ops.(by)) v;
        1
    | Some _, None ->
        remove_at leaf p;
        -1
    | Some _, Some v ->
        if by >= 0 then set_key leaf p (key b.ops.(by));
        if after != before then set_value leaf p v;
        0

  (* From the last key to the first, so that those on the left keep their places. *)
  let rec change_in_place b leaf lo hi outcome more =
    if lo = hi then more
    else begin
      let first = ref (hi - 1) in
      while not (starts b !first) do
        decr first
      done;
      let place = place b !first in
      let before = binding leaf place in
      fold b !first hi before outcome;
      let more = more + change b leaf place before outcome in
      change_in_place b leaf lo !first outcome more
    end

  (* Where the keys of a range of operations begin; the end of the range is added. *)
  let firsts b lo hi =
    let count = ref 0 in
    for j = lo to hi - 1 do
      if starts b j then incr count
    done;
    let firsts = Array.make (!count + 1) hi in
    count := 0;
    for j = lo to hi - 1 do
      if starts b j then begin
        firsts.(!count) <- j;
        incr count
      end
    done;
    firsts

  (* The bindings of [leaf] and the outcomes of its keys, in order: [length] in all. *)
  let merge b leaf firsts outcomes length =
    let keys = ref [||] and values = ref [||] and count = ref 0 in
    let put k v =
      if !count = 0 then begin
        keys := Array.make length k;
        values := Array.make length v
      end;
      !keys.(!count) <- k;
      !values.(!count) <- v;
      incr count
    in
    let old = ref 0 in
    let old_until p =
      for q = !old to p - 1 do
        put (key_at leaf q) (value_at leaf q)
      done;
      old := p
    in
    Array.iteri
      (fun i { after; by } ->
        let place = place b firsts.(i) in
        let p = place lsr 1 in
        old_until p;
        if place land 1 = 1 then old := p + 1;
        match after with None -> () | Some v -> put (if by >= 0 then key b.ops.(by) else key_at leaf p) v)
      outcomes;
    old_until leaf.n;
    (!keys, !values)

  (* Makes [leaf] the first of as many leaves as it takes; the others. *)
  let cut leaf keys values =
    let total = Array.length keys in
    let parts = parts ~total ~most:width in
    let start i = part_start ~total ~parts i in
    let part i = leaf_of_range keys values (start i) (start (i + 1) - start i) in
    become leaf (if total = 0 then (empty ()).root else part 0);
    let extra = if parts = 1 then [||] else Array.make (parts - 1) (keys.(0), leaf) in
    for_blocks (parts - 1) (fun lo hi ->
        for i = lo to hi - 1 do
          extra.(i) <- (keys.(start (i + 1)), part (i + 1))
        done);
    extra

  (* The operations may be too many for the leaf. *)
  let change_all b leaf lo hi =
    let firsts = firsts b lo hi in
    let count = Array.length firsts - 1 in
    let outcomes = Array.init count (fun _ -> { after = None; by = -1 }) in
    for_blocks count (fun lo hi ->
        for i = lo to hi - 1 do
          fold b firsts.(i) firsts.(i + 1) (binding leaf (place b firsts.(i))) outcomes.(i)
        done);
    let more = ref 0 and fixed = ref true in
    for i = 0 to count - 1 do
      let was = place b firsts.(i) land 1 and is = if Option.is_some outcomes.(i).after then 1 else 0 in
      more := !more + is - was;
      if is <> was then fixed := false
    done;
    if !fixed then begin
      for i = 0 to count - 1 do
        let place = place b firsts.(i) in
        ignore (change b leaf place (binding leaf place) outcomes.(i))
      done;
      (0, [||])
    end
    else
      let keys, values = merge b leaf firsts outcomes (leaf.n + !more) in
      (!more, cut leaf keys values)

  (* The operations from [lo] on that have the same leaf. *)
  let rec end_of_leaf b path' j =
    if j < Array.length b.sorted && path b j = path' then end_of_leaf b path' (j + 1) else j

  let touch_places b lo hi =
    let sum = ref 0 in
    for j = lo to hi - 1 do
      sum := !sum + Array.length (Array.unsafe_get b.leaves (number b j)).values
    done;
    ignore (Sys.opaque_identity !sum)

  (* Changes the leaves whose operations begin in a block; what repair must know, from right to left. *)
  let change_block b length lo hi =
    touch_places b lo hi;
    let outcome = { after = None; by = -1 } in
    let rec from lo more dirty =
      if lo >= hi then begin
        if more <> 0 then ignore (Atomic.fetch_and_add length more);
        dirty
      end
      else begin
        let path = path b lo and leaf = b.leaves.(number b lo) in
        let next = end_of_leaf b path lo in
        let more', extra =
          if leaf.n + next - lo <= width then (change_in_place b leaf lo next outcome 0, [||])
          else change_all b leaf lo next
        in
        let dirty =
          if Array.length extra > 0 || is_weak leaf then { Repair.path; extra } :: dirty else dirty
        in
        from next (more + more') dirty
      end
    in
    from (if lo = 0 then 0 else end_of_leaf b (path b (lo - 1)) lo) 0 []

  let both f g = ignore (Weft.par f g)

  let change_leaves b =
    let count = Array.length b.sorted in
    let length = Atomic.make b.tree.length in
    let dirty = Array.make ((count / block) + 1) [] in
    for_blocks count (fun lo hi -> dirty.(lo / block) <- change_block b length lo hi);
    b.tree.length <- Atomic.get length;
    Repair.repair ~both b.tree (Array.of_list (List.concat_map List.rev (Array.to_list dirty)))

  (* The whole *)

  let rec bits n = if n = 0 then 0 else 1 + bits (n lsr 1)

  let prepare tree ops =
    let m = Array.length ops in
    let keyed = ref 0 in
    Array.iter (fun op -> if has_key op then incr keyed) ops;
    let sorted = Array.make !keyed 0 and others = Array.make (m - !keyed) 0 in
    keyed := 0;
    Array.iteri
      (fun i op ->
        if has_key op then begin
          sorted.(!keyed) <- i;
          incr keyed
        end
        else others.(i - !keyed) <- i)
      ops;
    let starts = Bytes.make (Array.length sorted) '\000' in
    ({ tree; ops; number_bits = bits m; sorted; leaves = Array.make m tree.root; starts }, others)

  let run_batch tree ops =
    Weft.Cancel.shield @@ fun () ->
    let b, others = prepare tree ops in
    match
      for_blocks (Array.length b.sorted) (locate b);
      sort b
    with
    | exception _ -> Array.iter (apply_packed tree) ops
    | () ->
        change_leaves b;
        for_blocks (Array.length others) (fun lo hi ->
            for i = lo to hi - 1 do
              apply_packed tree ops.(others.(i))
            done)
end
