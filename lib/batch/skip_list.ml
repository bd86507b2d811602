module Make (Key : Weft_containers.Maps.ORDERED) = struct
  module Structure = Skip_batch.Make (Key)
  module Sequential = Structure.Sequential
  module Op = Structure.Op
  include Map_calls.Make (Key) (Sequential) (Structure)

  type ('v, 'a) op = ('v, 'a) Structure.op
  type 'v packed = 'v Structure.packed = Op : ('v, 'a) op * 'a Cell.t -> 'v packed

  let create ?limit ?cutoff ?seed () =
    Misuse.check "Weft_batch.Skip_list.create" ?limit ?cutoff ();
    create ?limit ?cutoff ~rank:Structure.rank (Sequential.create ?seed ())

  let make () = create ()
  let apply = Structure.apply
  let run_batch = Structure.run_batch
end
