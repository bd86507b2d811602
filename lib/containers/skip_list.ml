module type S = sig
  include Maps.ORDERED_MAP

  val create : ?seed:int -> unit -> 'v t
  val clear : 'v t -> unit
  val head : 'v t -> int -> (key, 'v) Skip_block.t
  val draw : 'v t -> int -> int
  val settle : 'v t -> added:int -> unit
  val check : 'v t -> unit
end

module Make (Key : Maps.ORDERED) = struct
  open Skip_block

  type key = Key.t

  type 'v t = {
    heads : (key, 'v) Skip_block.t array;
    mutable height : int;  (** how many levels are in use, at least one *)
    mutable length : int;
    mutable state : int;  (** the state of the generator of heights *)
  }

  let create ?(seed = 0) () =
    let heads = Array.make Skip_heights.levels End in
    for level = 0 to Skip_heights.levels - 1 do
      heads.(level) <- Head { right = End; down = (if level = 0 then End else heads.(level - 1)) }
    done;
    { heads; height = 1; length = 0; state = Skip_heights.start seed }

  let clear t =
    Array.iter (fun head -> set_right head End) t.heads;
    t.height <- 1;
    t.length <- 0

  let length t = t.length
  let[@inline] top t = Array.unsafe_get t.heads (t.height - 1)

  (* --- searching --- *)

  (* The last block with a smaller key, from [block] on, on its level. *)
  let rec before key block =
    match right block with
    | (Tower { key = k; _ } | Leaf { key = k; _ }) as next when Key.compare key k > 0 -> before key next
    | _ -> block

  let rec before_on_bottom key block =
    let block = before key block in
    match down block with End -> block | lower -> before_on_bottom key lower

  (* The first leaf whose key is not smaller. *)
  let ceiling t key = right (before_on_bottom key (top t))

  let bound t key =
    match ceiling t key with Leaf b as leaf when Key.compare key b.key = 0 -> leaf | _ -> End

  let mem t key = match bound t key with End -> false | _ -> true
  let find_opt t key = match bound t key with Leaf b -> Some b.value | _ -> None

  let succ t key =
    match ceiling t key with
    | Leaf b as leaf -> binding (if Key.compare key b.key = 0 then right leaf else leaf)
    | _ -> None

  let pred t key = binding (before_on_bottom key (top t))
  let min_binding_opt t = binding (right t.heads.(0))

  let rec last_on_bottom block =
    let block = last block in
    match down block with End -> block | lower -> last_on_bottom lower

  let max_binding_opt t = binding (last_on_bottom (top t))

  (* --- changing --- *)

  (* Goes down from [block], on [level]. On the way back, when all comparisons are done, links the new
     key's blocks on the levels below [height]. Returns the new block on [level], or the highest one below
     it; [End] if the key was bound already and has got the new value. *)
  let rec insert key value height block level =
    let block = before key block in
    if level = 0 then (
      match right block with
      | Leaf b when Key.compare key b.key = 0 ->
          b.value <- value;
          End
      | next ->
          let leaf = Leaf { right = next; key; value } in
          set_right block leaf;
          leaf)
    else if level >= height then insert key value height (down block) (level - 1)
    else
      match insert key value height (down block) (level - 1) with
      | End -> End
      | lower ->
          let tower = Tower { right = right block; key; down = lower } in
          set_right block tower;
          tower

  let add t key value =
    let height = Skip_heights.height t.state 0 in
    let level = (if height > t.height then height else t.height) - 1 in
    match insert key value height (Array.unsafe_get t.heads level) level with
    | End -> ()
    | _ ->
        t.state <- Skip_heights.advance t.state 1;
        t.length <- t.length + 1;
        if level >= t.height then t.height <- level + 1

  (* Goes down from [block], and unlinks the key's blocks on the way back. Returns the highest of them;
     [End] if the key was not bound. *)
  let rec unlink key block =
    let block = before key block in
    match down block with
    | End -> (
        match right block with
        | Leaf b as leaf when Key.compare key b.key = 0 ->
            set_right block b.right;
            leaf
        | _ -> End)
    | lower ->
        let unlinked = unlink key lower in
        let next = right block in
        if stands_on next unlinked then begin
          set_right block (right next);
          next
        end
        else unlinked

  let rec lower_height t =
    if t.height > 1 && right (top t) == End then begin
      t.height <- t.height - 1;
      lower_height t
    end

  let remove t key =
    match unlink key (top t) with
    | End -> false
    | _ ->
        t.length <- t.length - 1;
        lower_height t;
        true

  let update t key f =
    match bound t key with
    | Leaf b -> (
        let former = Some b.value in
        match f former with
        | Some value ->
            b.value <- value;
            former
        | None ->
            ignore (remove t key : bool);
            former)
    | _ ->
        begin
          match f None with Some value -> add t key value | None -> ()
        end;
        None

  (* --- all of them --- *)

  let rec iter_from f = function
    | Leaf b ->
        f b.key b.value;
        iter_from f b.right
    | _ -> ()

  let iter f t = iter_from f (right t.heads.(0))

  let rec fold_from f block acc =
    match block with Leaf b -> fold_from f b.right (f b.key b.value acc) | _ -> acc

  let fold f t acc = fold_from f (right t.heads.(0)) acc

  let rec seq_from block () =
    match block with Leaf b -> Seq.Cons ((b.key, b.value), seq_from b.right) | _ -> Seq.Nil

  let to_seq t () = seq_from (right t.heads.(0)) ()

  (* --- many at once --- *)

  let head t level = t.heads.(level)

  let draw t n =
    let state = t.state in
    t.state <- Skip_heights.advance state n;
    state

  let settle t ~added =
    t.length <- t.length + added;
    t.height <- Skip_heights.levels;
    lower_height t

  (* --- checking --- *)

  let key_of = function Tower b -> Some b.key | Leaf b -> Some b.key | End | Head _ -> None

  let check_order level block =
    match (key_of block, key_of (right block)) with
    | Some k, Some l when Key.compare k l >= 0 -> failwith (Printf.sprintf "level %d is not in order" level)
    | _ -> ()

  (* Follows [block] and [lower] along their levels: each block on the upper level must stand on one of the
     lower level. Returns how many keys the upper level has. *)
  let rec check_level t level block lower n =
    check_order level block;
    if n > t.length then failwith (Printf.sprintf "level %d has too many blocks" level);
    match right block with
    | End -> n
    | Tower b as next when level > 0 ->
        let rec find lower =
          if lower == End then
            failwith (Printf.sprintf "level %d has what level %d has not" level (level - 1))
          else if lower != b.down then find (right lower)
          else lower
        in
        let lower = find lower in
        if key_of next != key_of lower && Option.compare Key.compare (key_of next) (key_of lower) <> 0 then
          failwith (Printf.sprintf "level %d: a tower changes its key" level);
        check_level t level next lower (n + 1)
    | Leaf _ as next when level = 0 -> check_level t level next End (n + 1)
    | _ -> failwith (Printf.sprintf "level %d has a block of another level" level)

  let check t =
    for level = 0 to Skip_heights.levels - 1 do
      let n = check_level t level t.heads.(level) (down t.heads.(level)) 0 in
      if n > 0 && level >= t.height then failwith "the height is too small";
      if n = 0 && level > 0 && level = t.height - 1 then failwith "the height is too great";
      if level = 0 && n <> t.length then failwith (Printf.sprintf "length %d, but %d leaves" t.length n)
    done
end
