module Make (Key : Maps.ORDERED) = struct
  open Skip_block

  type 'v t = { before : (Key.t, 'v) Skip_block.t array; after : (Key.t, 'v) Skip_block.t array }

  let make head =
    let before = Array.init Skip_heights.levels head in
    { before; after = Array.map right before }

  (* The lowest level on which the finger need not move. *)
  let rec climb t key level =
    if level = Skip_heights.levels then level
    else
      match Array.unsafe_get t.after level with
      | (Tower { key = k; _ } | Leaf { key = k; _ }) when Key.compare key k > 0 -> climb t key (level + 1)
      | _ -> level

  (* From [block], whose key is smaller. *)
  let rec descend t key block level =
    match right block with
    | (Tower { key = k; _ } | Leaf { key = k; _ }) as next when Key.compare key k > 0 ->
        descend t key next level
    | next ->
        Array.unsafe_set t.before level block;
        Array.unsafe_set t.after level next;
        if level > 0 then descend t key (down block) (level - 1)

  let seek t key =
    let level = climb t key 0 in
    if level > 0 then descend t key (Array.unsafe_get t.after (level - 1)) (level - 1);
    match Array.unsafe_get t.after 0 with Leaf b as leaf when Key.compare key b.key = 0 -> leaf | _ -> End

  let before t level = t.before.(level)
  let after t level = t.after.(level)

  let rec height_from t block level =
    if level < Skip_heights.levels && stands_on t.after.(level) block then
      height_from t t.after.(level) (level + 1)
    else level

  let height t leaf = height_from t leaf 1
end
