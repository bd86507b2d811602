(* Values are stored as the options that [find_opt] returns; free leaves have [None]. *)
module Core = struct
  type 'v t = 'v option X_trie.t

  let name = "X_fast"
  let create ~bits:_ ~height = X_trie.create ~height None
  let length = X_trie.length
  let mem t k = X_trie.leaf t k >= 0

  let find_opt t k =
    let leaf = X_trie.leaf t k in
    if leaf < 0 then None else X_trie.value t leaf

  let add t k v = X_trie.add t k (Some v)
  let remove = X_trie.remove

  let binding t leaf =
    if leaf < 0 then None
    else match X_trie.value t leaf with None -> None | Some v -> Some (X_trie.key t leaf, v)

  let min_binding_opt t = binding t (X_trie.first t)
  let max_binding_opt t = binding t (X_trie.last t)
  let succ t k = binding t (X_trie.succ t k)
  let pred t k = binding t (X_trie.pred t k)
  let iter f t = X_trie.iter (fun k v -> Option.iter (f k) v) t

  let warm t k =
    X_trie.warm_leaf t k;
    X_trie.warm t k

  let warm_more t k =
    let leaf = X_trie.leaf t k in
    if leaf >= 0 then begin
      ignore (Sys.opaque_identity (X_trie.after t leaf) : int);
      ignore (Sys.opaque_identity (X_trie.value t leaf))
    end

  let check = X_trie.check
end

include Joined.Make (Core)
