open Weft_containers

module type S = Tree_map.S

module Named (Tree : Persistent.TREE) = struct
  module Key = Tree.Key
  module Tree = Tree

  type key = Key.t

  module Structure = Tree_batch.Make (Tree)
  module Map = Rooted.Make (Tree)
  module Op = Structure.Op
  include Batched.With_bulk (Structure)

  type 'v packed = 'v Structure.packed = Op : ('v, 'a) Op.t * 'a Cell.t -> 'v packed

  let make_named ~who ?limit ?cutoff tree =
    Misuse.check who ?limit ?cutoff ();
    create ?limit ?cutoff ~rank:Structure.rank (Atomic.make tree)

  let of_tree ?limit ?cutoff tree = make_named ~who:"Weft_batch.Split_join.of_tree" ?limit ?cutoff tree
  let create ?limit ?cutoff () = make_named ~who:"Weft_batch.Split_join.create" ?limit ?cutoff Tree.empty
  let make () = create ()
  let add t k v = exec t (Add (k, v))
  let remove t k = exec t (Remove k)
  let update t k f = exec t (Update (k, f))

  (* Fewer are added as other batches are. *)
  let least_bulk = 64

  module Bulk = Tree_bulk.Make (Tree)

  (* What a comparison raises means no; what is raised at a poll is for the caller. *)
  let rec ascend bindings low =
    let high = Int.min (Array.length bindings) (low + 1024) in
    let in_part =
      try User_functions.call (Bulk.ascend bindings) low high with e when not (Fatal.is e) -> false
    in
    in_part
    && (high = Array.length bindings
       ||
       (Weft_scheduler.Poll.checkpoint ();
        ascend bindings (high - 1)))

  type bulk = Added | Not_added (* none has been: they do not ascend, or are more than the limit *)

  (* If a comparison raises, they do not ascend. *)
  let add_ascending t bindings =
    let bindings = Array.copy bindings and result = ref Not_added in
    let add place =
      match Bulk.add (Atomic.get place) bindings with
      | tree ->
          Atomic.set place tree;
          result := Added
      | exception e when not (Fatal.is e) -> ()
    in
    if ascend bindings 0 && exec_bulk t (Array.length bindings) add then !result else Not_added

  let add_one_by_one t bindings =
    exec_all t (Array.length bindings) (fun i ->
        let k, v = bindings.(i) in
        Op.Add (k, v))

  let add_all t bindings =
    if Array.length bindings < least_bulk then add_one_by_one t bindings
    else match add_ascending t bindings with Added -> () | Not_added -> add_one_by_one t bindings

  let snapshot t = Map.snapshot (unguarded t)
  let length t = Map.length (unguarded t)
  let mem t k = Map.mem (unguarded t) k
  let find_opt t k = Map.find_opt (unguarded t) k
  let min_binding_opt t = Map.min_binding_opt (unguarded t)
  let max_binding_opt t = Map.max_binding_opt (unguarded t)
  let succ t k = Map.succ (unguarded t) k
  let pred t k = Map.pred (unguarded t) k
  let iter f t = Map.iter f (unguarded t)
  let fold f t acc = Map.fold f (unguarded t) acc
  let to_seq t = Map.to_seq (unguarded t)
  let apply = Structure.apply
  let run_batch = Structure.run_batch
end

module Make = Named
