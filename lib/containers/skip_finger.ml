module Make (Key : Maps.ORDERED) = struct
  open Skip_block

  type 'v t = {
    before : (Key.t, 'v) Skip_block.t array;
    after : (Key.t, 'v) Skip_block.t array;
    mutable block : (Key.t, 'v) Skip_block.t;  (** The block that the search has reached. *)
    mutable level : int;  (** The level of [block]; -1 if the search has ended. *)
  }

  let make head =
    let before = Array.init Skip_heights.levels head in
    { before; after = Array.map right before; block = End; level = -1 }

  (* The lowest level on which the finger need not move. *)
  let rec climb t key level =
    if level = Skip_heights.levels then level
    else
      match Array.unsafe_get t.after level with
      | (Tower { key = k; _ } | Leaf { key = k; _ }) when Key.compare key k > 0 -> climb t key (level + 1)
      | _ -> level

  let start t key =
    let level = climb t key 0 - 1 in
    t.level <- level;
    if level >= 0 then t.block <- Array.unsafe_get t.after level

  let[@inline] arrived t = t.level < 0
  let[@inline] touch t = ignore (Sys.opaque_identity (right (right t.block)))

  let step t key =
    match right t.block with
    | (Tower { key = k; _ } | Leaf { key = k; _ }) as next when Key.compare key k > 0 -> t.block <- next
    | next ->
        let level = t.level in
        Array.unsafe_set t.before level t.block;
        Array.unsafe_set t.after level next;
        t.block <- down t.block;
        t.level <- level - 1

  let found t key =
    match Array.unsafe_get t.after 0 with Leaf b as leaf when Key.compare key b.key = 0 -> leaf | _ -> End

  let before t level = t.before.(level)
  let after t level = t.after.(level)

  let rec height_from t block level =
    if level < Skip_heights.levels && stands_on t.after.(level) block then
      height_from t t.after.(level) (level + 1)
    else level

  let height t leaf = height_from t leaf 1
end
