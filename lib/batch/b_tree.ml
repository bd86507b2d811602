module Make (Key : Weft_containers.Maps.ORDERED) = struct
  module Structure = B_tree_batch.Make (Key)
  module Sequential = Structure.Sequential
  module Op = Structure.Op
  include Map_calls.Make (Key) (Sequential) (Structure)

  type 'v packed = 'v Structure.packed = Op : ('v, 'a) Op.t * 'a Cell.t -> 'v packed

  let create ?limit ?cutoff () =
    Misuse.check "Weft_batch.B_tree.create" ?limit ?cutoff ();
    create ?limit ?cutoff ~rank:Structure.rank (Sequential.create ())

  let make () = create ()
  let apply = Structure.apply
  let run_batch = Structure.run_batch
end
