module Containers = Weft_containers
module Skip_block = Containers.Skip_block
module Skip_heights = Containers.Skip_heights

module Make (Key : Containers.Maps.ORDERED) = struct
  module Sequential = Containers.Skip_list.Make (Key)
  module Finger = Containers.Skip_finger.Make (Key)
  module Op = Map_op.Make (Key)

  type 'v packed = Op : ('v, 'a) Op.t * 'a Cell.t -> 'v packed
  type 'v block = (Key.t, 'v) Skip_block.t

  type 'v batch = {
    list : 'v Sequential.t;
    ops : 'v packed array;
    keys : Key.t array;  (** By operation; anything for those without a key. *)
    order : int array;  (** The operations on one key, by key, those on the same key by arrival. *)
    heights : int;  (** The state of the list's generator. *)
  }

  type 'v t = {
    starts : int array;  (** Where in the order each group begins, and where the last one ends. *)
    found : 'v block array;  (** By group: the leaf, or [End]. *)
    places : int array;
        (** By group: where in [before] and [after] its blocks begin; and where the last end. *)
    mutable groups : int;
    mutable before : 'v block array;  (** By level, upwards: what is around the keys that may come or go. *)
    mutable after : 'v block array;
    seams : (Key.t, 'v) Skip_seams.t;
    mutable gain : int;
  }

  (* --- searching --- *)

  let[@inline] key batch p = Array.unsafe_get batch.keys (Array.unsafe_get batch.order p)

  let rec group_end batch p limit =
    if p < limit && Key.compare (key batch (p - 1)) (key batch p) = 0 then group_end batch (p + 1) limit
    else p

  let may_bind = 1
  let may_unbind = 2

  let effect_of (type v a) (op : (v, a) Op.t) =
    match op with
    | Add _ -> may_bind
    | Remove _ -> may_unbind
    | Update _ -> may_bind lor may_unbind
    | Mem _ | Find _ | Succ _ | Pred _ | Min | Max | Length -> 0

  let rec effects batch p until acc =
    if p = until then acc
    else
      let (Op (op, _)) = batch.ops.(batch.order.(p)) in
      effects batch (p + 1) until (acc lor effect_of op)

  let doubled a = Array.append a (Array.make (Array.length a) Skip_block.End)

  let rec record t finger level height place =
    if level < height then begin
      if place = Array.length t.before then begin
        t.before <- doubled t.before;
        t.after <- doubled t.after
      end;
      t.before.(place) <- Finger.before finger level;
      t.after.(place) <- Finger.after finger level;
      record t finger (level + 1) height (place + 1)
    end
    else place

  let rec search_from batch t finger p until =
    if p < until then begin
      let next = group_end batch (p + 1) (Array.length batch.order) in
      let effects = effects batch p next 0 in
      let g = t.groups in
      let leaf = Finger.seek finger (key batch p) in
      t.found.(g) <- leaf;
      let height =
        match leaf with
        | End -> if effects land may_bind = 0 then 0 else Skip_heights.height batch.heights p
        | leaf -> if effects land may_unbind = 0 then 0 else Finger.height finger leaf
      in
      t.places.(g + 1) <- record t finger 0 height t.places.(g);
      t.starts.(g + 1) <- next;
      t.groups <- g + 1;
      search_from batch t finger next until
    end

  let search batch ~from ~until =
    let n = until - from in
    let head = Sequential.head batch.list in
    let t =
      {
        starts = Array.make (n + 1) 0;
        found = Array.make n Skip_block.End;
        places = Array.make (n + 1) 0;
        groups = 0;
        before = Array.make (n + 16) Skip_block.End;
        after = Array.make (n + 16) Skip_block.End;
        seams = Skip_seams.make ~unknown:(head 0);
        gain = 0;
      }
    in
    let from = if from = 0 then 0 else group_end batch from until in
    t.starts.(0) <- from;
    search_from batch t (Finger.make head) from until;
    t

  (* --- deciding --- *)

  let decide_one (type v a) (op : (v, a) Op.t) (cell : a Cell.t) (bound : v option) =
    match op with
    | Mem _ ->
        Cell.resolve cell (Option.is_some bound);
        bound
    | Find _ ->
        Cell.resolve cell bound;
        bound
    | Add (_, v) ->
        Cell.resolve cell ();
        Some v
    | Remove _ ->
        Cell.resolve cell (Option.is_some bound);
        None
    | Update (_, f) -> (
        match f bound with
        | next ->
            Cell.resolve cell bound;
            next
        | exception e ->
            Cell.fail cell e (Printexc.get_raw_backtrace ());
            bound)
    | Succ _ | Pred _ | Min | Max | Length -> assert false

  let rec decide batch p until bound =
    if p = until then bound
    else
      let (Op (op, cell)) = batch.ops.(batch.order.(p)) in
      decide batch (p + 1) until (decide_one op cell bound)

  (* --- linking --- *)

  let bind batch t g value =
    let place = t.places.(g) in
    let key = key batch t.starts.(g) in
    let rec up level lower =
      if place + level < t.places.(g + 1) then
        let before = t.before.(place + level) and after = t.after.(place + level) in
        up (level + 1) (Skip_seams.insert t.seams level ~before ~after ~key ~value ~lower)
    in
    up 0 Skip_block.End;
    t.gain <- t.gain + 1

  let unbind t g =
    let place = t.places.(g) in
    for level = 0 to t.places.(g + 1) - place - 1 do
      Skip_seams.remove t.seams level ~before:t.before.(place + level) t.after.(place + level)
    done;
    t.gain <- t.gain - 1

  let change batch t =
    let outcomes =
      Array.init t.groups (fun g ->
          let bound = match t.found.(g) with Leaf b -> Some b.value | _ -> None in
          decide batch t.starts.(g) t.starts.(g + 1) bound)
    in
    for g = t.groups - 1 downto 0 do
      match (t.found.(g), outcomes.(g)) with
      | Leaf b, Some value -> if b.value != value then b.value <- value
      | Leaf _, None -> unbind t g
      | _, Some value -> bind batch t g value
      | _, None -> ()
    done

  let seams t = t.seams
  let gain t = t.gain
end
