module Make (Key : Weft_containers.Maps.ORDERED) = struct
  module Sequential = Weft_containers.Red_black.Make (Key)
  include Split_join.Make (Sequential.Tree)

  let create ?limit ?cutoff () =
    Misuse.check "Weft_batch.Red_black.create" ?limit ?cutoff ();
    create ?limit ?cutoff ()
end
