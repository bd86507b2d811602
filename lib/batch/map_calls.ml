module Make
    (Key : Weft_containers.Maps.ORDERED)
    (Map : Weft_containers.Maps.ORDERED_MAP with type key = Key.t)
    (Structure :
      Structures.GENERIC with type 'v t = 'v Map.t and type ('v, 'a) op = ('v, 'a) Map_op.Make(Key).t) =
struct
  module Op = Map_op.Make (Key)
  include Batched.Make_generic (Structure)

  type key = Key.t

  let length t = exec t Op.Length
  let mem t k = exec t (Op.Mem k)
  let find_opt t k = exec t (Op.Find k)
  let add t k v = exec t (Op.Add (k, v))
  let remove t k = exec t (Op.Remove k)
  let update t k f = exec t (Op.Update (k, f))
  let succ t k = exec t (Op.Succ k)
  let pred t k = exec t (Op.Pred k)
  let min_binding_opt t = exec t Op.Min
  let max_binding_opt t = exec t Op.Max

  let add_all t bindings =
    exec_all ~whole:false t (Array.length bindings) (fun i ->
        let k, v = bindings.(i) in
        Op.Add (k, v))

  let iter f t = exclusive t (Map.iter f)
  let fold f t acc = exclusive t (fun map -> Map.fold f map acc)

  (* A copy, made at once: the map may change while the sequence is read. *)
  let to_seq t = List.to_seq (List.rev (fold (fun k v bindings -> (k, v) :: bindings) t []))
end
