module Make (Key : Weft_containers.Maps.ORDERED) = struct
  module Sequential = Weft_containers.Red_black.Make (Key)
  include Split_join.With_maker (Sequential.Tree)

  let create ?limit ?cutoff () = made "Weft_batch.Red_black.create" ?limit ?cutoff Tree.empty
  let of_tree ?limit ?cutoff tree = made "Weft_batch.Red_black.of_tree" ?limit ?cutoff tree
end
