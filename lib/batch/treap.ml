module Make (Key : Weft_containers.Maps.ORDERED) = struct
  module Sequential = Weft_containers.Treap.Make (Key)
  include Split_join.With_maker (Sequential.Tree)

  let create ?limit ?cutoff () = made "Weft_batch.Treap.create" ?limit ?cutoff Tree.empty
  let of_tree ?limit ?cutoff tree = made "Weft_batch.Treap.of_tree" ?limit ?cutoff tree
end
