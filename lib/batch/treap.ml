module Make (Key : Weft_containers.Maps.ORDERED) = struct
  module Sequential = Weft_containers.Treap.Make (Key)
  include Split_join.Named (Sequential.Tree)

  let create ?limit ?cutoff () = make_named ~who:"Weft_batch.Treap.create" ?limit ?cutoff Tree.empty
  let of_tree ?limit ?cutoff tree = make_named ~who:"Weft_batch.Treap.of_tree" ?limit ?cutoff tree
end
