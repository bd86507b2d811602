module Make (Key : Weft_containers.Maps.ORDERED) = struct
  module Batch = B_tree_batch.Make (Key)
  include Batch

  type key = Key.t

  include Batched.Make_generic (struct
    type 'v t = 'v Sequential.t
    type ('v, 'a) op = ('v, 'a) Op.t
    type 'v packed = 'v Batch.packed = Op : ('v, 'a) op * 'a Cell.t -> 'v packed

    let apply = apply
    let run = Some run_batch
  end)

  let create ?limit ?cutoff () =
    Misuse.check "Weft_batch.B_tree.create" ?limit ?cutoff ();
    create ?limit ?cutoff ~rank (Sequential.create ())

  let make () = create ()
  let length t = exec t Op.Length
  let mem t k = exec t (Op.Mem k)
  let find_opt t k = exec t (Op.Find k)
  let add t k v = exec t (Op.Add (k, v))
  let remove t k = exec t (Op.Remove k)
  let update t k f = exec t (Op.Update (k, f))
  let min_binding_opt t = exec t Op.Min
  let max_binding_opt t = exec t Op.Max
  let succ t k = exec t (Op.Succ k)
  let pred t k = exec t (Op.Pred k)

  let add_all t bindings =
    exec_all ~whole:false t (Array.length bindings) (fun i ->
        let k, v = bindings.(i) in
        Op.Add (k, v))

  let iter f t = exclusive t (Sequential.iter f)
  let fold f t init = exclusive t (fun s -> Sequential.fold f s init)

  let to_seq t =
    (* A copy, made at once: the map may change while the sequence is read. *)
    List.to_seq (List.rev (fold (fun k v bindings -> (k, v) :: bindings) t []))
end
