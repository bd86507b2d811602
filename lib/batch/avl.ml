module Make (Key : Weft_containers.Maps.ORDERED) = struct
  module Sequential = Weft_containers.Avl.Make (Key)
  include Split_join.Make (Sequential.Tree)

  let create ?limit ?cutoff () =
    Misuse.check "Weft_batch.Avl.create" ?limit ?cutoff ();
    create ?limit ?cutoff ()

  let of_tree ?limit ?cutoff tree =
    Misuse.check "Weft_batch.Avl.of_tree" ?limit ?cutoff ();
    of_tree ?limit ?cutoff tree
end
