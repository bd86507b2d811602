module Make (Key : Weft_containers.Maps.ORDERED) = struct
  module Sequential = Weft_containers.Treap.Make (Key)
  include Split_join.Make (Sequential.Tree)

  let create ?limit ?cutoff () =
    Misuse.check "Weft_batch.Treap.create" ?limit ?cutoff ();
    create ?limit ?cutoff ()

  let of_tree ?limit ?cutoff tree =
    Misuse.check "Weft_batch.Treap.of_tree" ?limit ?cutoff ();
    of_tree ?limit ?cutoff tree
end
