open Weft_containers

module Make (Key : Maps.ORDERED) = struct
  module Structure = Skip_batch.Make (Key)
  module Sequential = Structure.Sequential
  module Op = Structure.Op
  include Batched.Make_generic (Structure)

  type key = Key.t
  type ('v, 'a) op = ('v, 'a) Structure.op
  type 'v packed = 'v Structure.packed = Op : ('v, 'a) op * 'a Cell.t -> 'v packed

  let create ?limit ?cutoff ?seed () =
    Misuse.check "Weft_batch.Skip_list.create" ?limit ?cutoff ();
    create ?limit ?cutoff ~rank:Structure.rank (Sequential.create ?seed ())

  let make () = create ()
  let apply = Structure.apply
  let run_batch = Structure.run_batch

  (* --- one by one --- *)

  let length t = exec t Length
  let mem t k = exec t (Mem k)
  let find_opt t k = exec t (Find k)
  let add t k v = exec t (Add (k, v))
  let remove t k = exec t (Remove k)
  let update t k f = exec t (Update (k, f))
  let succ t k = exec t (Succ k)
  let pred t k = exec t (Pred k)
  let min_binding_opt t = exec t Min
  let max_binding_opt t = exec t Max

  (* --- many --- *)

  let add_all t bindings =
    exec_all ~whole:false t (Array.length bindings) (fun i ->
        let k, v = bindings.(i) in
        Op.Add (k, v))

  let iter f t = exclusive t (Sequential.iter f)
  let fold f t acc = exclusive t (fun s -> Sequential.fold f s acc)
  let bindings t = exclusive t (fun s -> Array.of_seq (Sequential.to_seq s))
  let to_seq t = Array.to_seq (bindings t)
end
