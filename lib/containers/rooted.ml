module type S = sig
  module Key : Maps.ORDERED
  module Tree : Persistent.TREE with module Key = Key
  include Maps.ORDERED_MAP with type key = Key.t and type 'v t = 'v Tree.t Atomic.t

  val create : unit -> 'v t
  val snapshot : 'v t -> 'v Tree.t
end

module Make (Tree : Persistent.TREE) = struct
  module Key = Tree.Key
  module Tree = Tree

  type key = Key.t
  type 'v t = 'v Tree.t Atomic.t

  let create () = Atomic.make Tree.empty
  let snapshot = Atomic.get
  let length t = Tree.length (Atomic.get t)
  let mem t k = Tree.mem (Atomic.get t) k
  let find_opt t k = Tree.find_opt (Atomic.get t) k

  let add t k v =
    let old = Atomic.get t in
    let tree = Tree.insert old k v in
    if tree != old then Atomic.set t tree

  let remove t k =
    let old = Atomic.get t in
    let tree = Tree.remove old k in
    tree != old
    && begin
         Atomic.set t tree;
         true
       end

  let update t k f =
    let before = find_opt t k in
    begin
      match f before with
      | Some v -> add t k v
      | None -> if Option.is_some before then ignore (remove t k : bool)
    end;
    before

  let iter f t = Tree.iter f (Atomic.get t)
  let fold f t acc = Tree.fold f (Atomic.get t) acc
  let to_seq t = Tree.to_seq (Atomic.get t)
  let min_binding_opt t = Tree.min_binding_opt (Atomic.get t)
  let max_binding_opt t = Tree.max_binding_opt (Atomic.get t)
  let succ t k = Tree.succ (Atomic.get t) k
  let pred t k = Tree.pred (Atomic.get t) k
end
