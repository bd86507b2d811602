module Make (Key : Weft_containers.Maps.ORDERED) = struct
  module Sequential = Weft_containers.Red_black.Make (Key)
  include Split_join.Make (Sequential.Tree)

  let create ?limit ?cutoff () =
    Misuse.check "Weft_batch.Red_black.create" ?limit ?cutoff ();
    create ?limit ?cutoff ()

  let of_tree ?limit ?cutoff tree =
    Misuse.check "Weft_batch.Red_black.of_tree" ?limit ?cutoff ();
    of_tree ?limit ?cutoff tree
end
