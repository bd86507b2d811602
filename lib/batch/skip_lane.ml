module Containers = Weft_containers
module Skip_block = Containers.Skip_block
module Skip_heights = Containers.Skip_heights

module Make (Key : Containers.Maps.ORDERED) = struct
  module Sequential = Containers.Skip_list.Make (Key)
  module Finger = Containers.Skip_finger.Make (Key)
  module Op = Map_op.Make (Key)
  include Map_batch.Make (Key)

  type 'v batch = {
    list : 'v Sequential.t;
    ops : 'v packed array;
    keys : Key.t array;
    order : int array;
    heights : int;
  }

  type 'v blocks = (Key.t, 'v) Skip_block.t array

  type 'v t = {
    until : int;
    finger : 'v Finger.t;
    starts : int array;  (** The places of the order where each group begins, and where the last one ends. *)
    found : 'v blocks;  (** By group: the leaf, or [End]. *)
    places : int array;
        (** By group: where its blocks begin in [before] and [after]; and where the last ones end. *)
    mutable groups : int;
    mutable before : 'v blocks;
        (** For each group, by level upwards: the blocks in front of keys that may be added or removed. *)
    mutable after : 'v blocks;
  }

  let[@inline] key batch p = Array.unsafe_get batch.keys (Array.unsafe_get batch.order p)

  let rec group_end batch p limit =
    if p < limit && Key.compare (key batch (p - 1)) (key batch p) = 0 then group_end batch (p + 1) limit
    else p

  (* --- keeping the results of a search --- *)

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

  let rec keep t level height place =
    if level < height then begin
      if place = Array.length t.before then begin
        t.before <- doubled t.before;
        t.after <- doubled t.after
      end;
      t.before.(place) <- Finger.before t.finger level;
      t.after.(place) <- Finger.after t.finger level;
      keep t (level + 1) height (place + 1)
    end
    else place

  (* --- searching --- *)

  let[@inline] place t = Array.unsafe_get t.starts t.groups

  let start batch t =
    let p = place t in
    if p < t.until then Finger.start t.finger (key batch p)

  let conclude batch t =
    let g = t.groups in
    let p = place t in
    let next = group_end batch (p + 1) (Array.length batch.order) in
    let effects = effects batch p next 0 in
    let leaf = Finger.found t.finger (key batch p) in
    let height =
      match leaf with
      | End -> if effects land may_bind = 0 then 0 else Skip_heights.height batch.heights p
      | leaf -> if effects land may_unbind = 0 then 0 else Finger.height t.finger leaf
    in
    t.found.(g) <- leaf;
    t.places.(g + 1) <- keep t 0 height t.places.(g);
    t.starts.(g + 1) <- next;
    t.groups <- g + 1;
    start batch t

  let make batch ~from ~until =
    let n = until - from in
    let t =
      {
        until;
        finger = Finger.make (Sequential.head batch.list);
        starts = Array.make (n + 1) (if from = 0 then 0 else group_end batch from until);
        found = Array.make n Skip_block.End;
        places = Array.make (n + 1) 0;
        groups = 0;
        before = Array.make (n + 4) Skip_block.End;
        after = Array.make (n + 4) Skip_block.End;
      }
    in
    start batch t;
    t

  let[@inline] is_done t = place t >= t.until
  let[@inline] touch t = Finger.touch t.finger

  let[@inline] step batch t =
    if Finger.arrived t.finger then conclude batch t else Finger.step t.finger (key batch (place t))

  (* --- results --- *)

  let groups t = t.groups
  let group_from t g = t.starts.(g)
  let group_until t g = t.starts.(g + 1)
  let leaf t g = t.found.(g)
  let height t g = t.places.(g + 1) - t.places.(g)
  let before t g level = t.before.(t.places.(g) + level)
  let after t g level = t.after.(t.places.(g) + level)
end
