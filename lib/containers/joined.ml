module Make (Core : Core.S) = struct
  type key = int

  type 'v t = {
    bits : int;
    height : int;  (** how many bits of a key are below the number of its shard *)
    shards : 'v Core.t array;
    filled : unit X_trie.t;  (** the numbers of the shards that are not empty *)
    mutable length : int;
  }

  (* The number of a shard takes a third of the bits: this gives enough shards to share work out, and few
     enough to make all of them at the start. *)
  let shard_bits bits = Int.min 10 (bits / 3)
  let where = "Weft_containers." ^ Core.name

  let in_create = where ^ ".create"
  and in_mem = where ^ ".mem"
  and in_find_opt = where ^ ".find_opt"
  and in_add = where ^ ".add"
  and in_remove = where ^ ".remove"
  and in_update = where ^ ".update"
  and in_succ = where ^ ".succ"
  and in_pred = where ^ ".pred"

  let create ~bits () =
    Universe.check_bits in_create bits;
    let above = shard_bits bits in
    let height = bits - above in
    {
      bits;
      height;
      shards = Array.init (1 lsl above) (fun _ -> Core.create ~bits ~height);
      filled = X_trie.create ~height:above ();
      length = 0;
    }

  let bits t = t.bits
  let length t = t.length
  let shard_of t k = k lsr t.height
  let[@inline] shard t k = t.shards.(k lsr t.height)

  (* --- one key --- *)

  let mem t k =
    Universe.check in_mem t.bits k;
    Core.mem (shard t k) k

  let find_opt t k =
    Universe.check in_find_opt t.bits k;
    Core.find_opt (shard t k) k

  (* Updates the map after a change of shard [h], which had [before] keys. *)
  let[@inline] account t h before =
    let now = Core.length t.shards.(h) in
    if now <> before then begin
      t.length <- t.length + now - before;
      if before = 0 then X_trie.add t.filled h ()
      else if now = 0 then ignore (X_trie.remove t.filled h : bool)
    end

  let put t k v =
    let s = shard t k in
    let before = Core.length s in
    Core.add s k v;
    account t (k lsr t.height) before

  let drop t k =
    let s = shard t k in
    let before = Core.length s in
    let removed = Core.remove s k in
    account t (k lsr t.height) before;
    removed

  let add t k v =
    Universe.check in_add t.bits k;
    put t k v

  let remove t k =
    Universe.check in_remove t.bits k;
    drop t k

  let update t k f =
    Universe.check in_update t.bits k;
    let before = Core.find_opt (shard t k) k in
    (match (before, f before) with
    | None, None -> ()
    | Some _, None -> ignore (drop t k : bool)
    | _, Some v -> put t k v);
    before

  (* --- in order --- *)

  let min_from t leaf = if leaf < 0 then None else Core.min_binding_opt t.shards.(X_trie.key t.filled leaf)
  let max_from t leaf = if leaf < 0 then None else Core.max_binding_opt t.shards.(X_trie.key t.filled leaf)
  let min_binding_opt t = min_from t (X_trie.first t.filled)
  let max_binding_opt t = max_from t (X_trie.last t.filled)

  let succ t k =
    Universe.check in_succ t.bits k;
    match Core.succ (shard t k) k with
    | Some _ as binding -> binding
    | None -> min_from t (X_trie.succ t.filled (k lsr t.height))

  let pred t k =
    Universe.check in_pred t.bits k;
    match Core.pred (shard t k) k with
    | Some _ as binding -> binding
    | None -> max_from t (X_trie.pred t.filled (k lsr t.height))

  let iter f t = X_trie.iter (fun h () -> Core.iter f t.shards.(h)) t.filled

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
    X_trie.check t.filled;
    let count = ref 0 in
    let shard h s =
      Core.check s;
      count := !count + Core.length s;
      Core.iter (fun k _ -> if k lsr t.height <> h then failwith (Core.name ^ ": a key in the wrong shard")) s;
      if X_trie.leaf t.filled h >= 0 <> (Core.length s > 0) then
        failwith (Core.name ^ ": the wrong shards are joined")
    in
    Array.iteri shard t.shards;
    if !count <> t.length then failwith (Printf.sprintf "%s: %d keys, length %d" Core.name !count t.length)

  (* --- in parts --- *)

  (* Shards share nothing, so [repair] only has to update the length and the set of shards that are filled. *)
  type 'v parts = { height : int; touched : int array; shards : 'v Core.t array; before : int array }

  let expose (t : _ t) ~touched =
    {
      height = t.height;
      touched;
      shards = t.shards;
      before = Array.map (fun h -> Core.length t.shards.(h)) touched;
    }

  type 'v shard = 'v Core.t

  let open_shard parts i = parts.shards.(parts.touched.(i))
  let close_shard _ _ _ = ()

  let warm parts keys n =
    let height = parts.height in
    for j = 0 to n - 1 do
      Core.warm parts.shards.(keys.(j) lsr height) keys.(j)
    done;
    for j = 0 to n - 1 do
      Core.warm_more parts.shards.(keys.(j) lsr height) keys.(j)
    done

  let mem_in = Core.mem
  let find_in = Core.find_opt
  let add_in = Core.add
  let remove_in = Core.remove

  let update_in s k f =
    let before = Core.find_opt s k in
    (match (before, f before) with
    | None, None -> ()
    | Some _, None -> ignore (Core.remove s k : bool)
    | _, Some v -> Core.add s k v);
    before

  let repair t parts = Array.iteri (fun i before -> account t parts.touched.(i) before) parts.before
end
