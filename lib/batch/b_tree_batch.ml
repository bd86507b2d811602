open Weft_containers.B_tree_node
open B_tree_locate
module Repair = Weft_containers.B_tree_repair

module Make (Key : Weft_containers.Maps.ORDERED) = struct
  module Sequential = Weft_containers.B_tree.Make (Key)
  module Op = Map_op.Make (Key)
  module Locate = B_tree_locate.Make (Key)
  include Map_batch.Make (Key)
  include Apply (Sequential)

  type 'v t = 'v Sequential.t
  type ('v, 'a) op = ('v, 'a) Op.t

  (* Apply *)

  (* The result of all operations on one key. *)
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
      let after = decide (Array.unsafe_get b.ops i) before in
      if after != before then begin
        (match (before, after) with None, Some _ -> outcome.by <- i | _ -> ());
        outcome.after <- after
      end
    done

  (* Applies an outcome to a leaf with room; returns by how many bindings the leaf has grown. *)
  let change b leaf place before { after; by } =
    let p = place lsr 1 in
    match (before, after) with
    | None, None -> 0
    | None, Some v ->
        insert_at leaf p (key_of b.ops.(by)) v;
        1
    | Some _, None ->
        remove_at leaf p;
        -1
    | Some _, Some v ->
        if by >= 0 then set_key leaf p (key_of b.ops.(by));
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

  (* The places in a range of operations where a new key begins, and the end of the range. *)
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
        match after with None -> () | Some v -> put (if by >= 0 then key_of b.ops.(by) else key_at leaf p) v)
      outcomes;
    old_until leaf.n;
    (!keys, !values)

  (* Divides the bindings among as many leaves as needed: [leaf] becomes the first, and the others are
     returned. *)
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

  (* Changes a leaf that may become too full; returns by how many bindings it has grown, and the new
     leaves. *)
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

  (* The same for one operation. *)
  let change_one b leaf j outcome =
    let place = place b j in
    let before = binding leaf place in
    fold b j (j + 1) before outcome;
    match (before, outcome.after) with
    | None, Some v when leaf.n = width -> (1, split_insert leaf (place lsr 1) (key_of b.ops.(outcome.by)) v)
    | _ -> (change b leaf place before outcome, [||])

  (* The end of the operations from [j] on that have the same leaf. *)
  let rec end_of_leaf b path' j =
    if j < Array.length b.sorted && path b j = path' then end_of_leaf b path' (j + 1) else j

  (* Loads the memory that will be changed, without waiting in between: leaves, values or free places for
     them, and operations, since a large batch has pushed them out of the caches. *)
  let touch b lo hi =
    let empty = ref 0 in
    for j = lo to hi - 1 do
      let leaf = leaf b j and place = place b j in
      let slot = slot leaf.order (if place land 1 = 1 then place lsr 1 else min leaf.n (width - 1)) in
      if slot < Array.length leaf.values then ignore (Sys.opaque_identity (Array.unsafe_get leaf.values slot));
      let (Op (_, cell)) = Array.unsafe_get b.ops (number b j) in
      if Cell.is_empty cell then incr empty
    done;
    ignore (Sys.opaque_identity !empty)

  (* Changes the leaves whose operations begin in a block; returns the leaves that repair must visit, from
     right to left. *)
  let change_block b length lo hi =
    touch b lo hi;
    let outcome = { after = None; by = -1 } in
    let rec from lo more dirty =
      if lo >= hi then begin
        if more <> 0 then ignore (Atomic.fetch_and_add length more);
        dirty
      end
      else begin
        let path = path b lo and leaf = leaf b lo in
        let next = end_of_leaf b path lo in
        let more', extra =
          if leaf.n + next - lo <= width then (change_in_place b leaf lo next outcome 0, [||])
          else if next = lo + 1 then change_one b leaf lo outcome
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

  (* The whole batch *)

  (* So many operations at a time, in the order of arrival: leaves that are located are still in the caches
     when they are changed. *)
  let piece = 2048

  let rec run_pieces tree ops first =
    let m = Array.length ops - first in
    if m > 0 then begin
      let ops' = if first = 0 && m <= piece then ops else Array.sub ops first (min m piece) in
      (match Locate.locate ~key:key_of tree ops' with
      | exception e when not (Weft_containers.Fatal.is e) -> Array.iter (apply_packed tree) ops'
      | b -> change_leaves b);
      run_pieces tree ops (first + piece)
    end

  let run_batch tree ops =
    Weft.Cancel.shield @@ fun () ->
    if Array.for_all is_keyed ops then run_pieces tree ops 0
    else begin
      let keyed, others = List.partition is_keyed (Array.to_list ops) in
      run_pieces tree (Array.of_list keyed) 0;
      let others = Array.of_list others in
      for_blocks (Array.length others) (fun lo hi ->
          for i = lo to hi - 1 do
            apply_packed tree others.(i)
          done)
    end

  let run = Some run_batch
end
