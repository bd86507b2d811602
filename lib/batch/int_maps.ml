module Op = Map_op.Make (Int)

module type S = Int_map.S

module Make
    (Sequential : Weft_containers.Int_map.S)
    (Name : sig
      val name : string
    end) =
struct
  module Sequential = Sequential
  module Op = Op
  module Universe = Weft_containers.Universe

  type key = int
  type ('v, 'a) op = ('v, 'a) Op.t

  module Ops = Map_batch.Make (Int)
  include Ops.Apply (Sequential)

  module Sharded = struct
    type 'v t = 'v Sequential.t
    type ('v, 'a) op = ('v, 'a) Op.t
    type 'v packed = 'v Ops.packed = Op : ('v, 'a) op * 'a Cell.t -> 'v packed
    type 'v parts = 'v Sequential.parts

    let apply = apply

    let shard_of : type v a. v t -> (v, a) op -> int =
     fun t -> function
      | Mem k | Find k | Add (k, _) | Remove k | Update (k, _) -> Sequential.shard_of t k
      | Succ _ | Pred _ | Min | Max | Length -> -1

    let expose = Sequential.expose
    let repair = Sequential.repair

    let key_of : type v a. (v, a) op -> int = function
      | Mem k | Find k | Add (k, _) | Remove k | Update (k, _) | Succ k | Pred k -> k
      | Min | Max | Length -> 0

    (* More at a time do not help: the memory loads only so many cache lines at once. *)
    let block = 64

    let warm parts ops order ~first ~last =
      let n = last - first + 1 in
      let keys = Array.make n 0 in
      for j = 0 to n - 1 do
        match ops.(order.(first + j)) with Op (op, _) -> keys.(j) <- key_of op
      done;
      Sequential.warm parts keys n

    let prepare parts ops order ~first ~last =
      if last > first && last - first < block then warm parts ops order ~first ~last

    let apply_in : type v a. v Sequential.shard -> (v, a) op -> a =
     fun shard -> function
      | Mem k -> Sequential.mem_in shard k
      | Find k -> Sequential.find_in shard k
      | Add (k, v) -> Sequential.add_in shard k v
      | Remove k -> Sequential.remove_in shard k
      | Update (k, f) -> Sequential.update_in shard k f
      | Succ _ | Pred _ | Min | Max | Length -> assert false

    let run_ops parts shard ops order ~first ~last =
      let many = last - first >= block in
      for j = first to last do
        if many && (j - first) land (block - 1) = 0 then
          warm parts ops order ~first:j ~last:(Int.min last (j + block - 1));
        match ops.(order.(j)) with
        | Op (op, cell) -> (
            match apply_in shard op with
            | v -> Cell.resolve cell v
            | exception e -> Cell.fail cell e (Printexc.get_raw_backtrace ()))
      done

    let run_shard parts ~shard:i ops order ~first ~last =
      let shard = Sequential.open_shard parts i in
      match run_ops parts shard ops order ~first ~last with
      | () -> Sequential.close_shard parts i shard
      | exception e ->
          let bt = Printexc.get_raw_backtrace () in
          Sequential.close_shard parts i shard;
          Printexc.raise_with_backtrace e bt
  end

  type 'v packed = 'v Sharded.packed = Op : ('v, 'a) op * 'a Cell.t -> 'v packed

  module Batched = Shards.Make (Sharded)

  (* The caller checks keys: an operation of a batch never has a wrong one. The number of bits never changes,
     so it can be read without waiting. *)
  type 'v t = 'v Batched.t

  let where = "Weft_batch." ^ Name.name

  let in_create = where ^ ".create"
  and in_mem = where ^ ".mem"
  and in_find_opt = where ^ ".find_opt"
  and in_add = where ^ ".add"
  and in_add_all = where ^ ".add_all"
  and in_remove = where ^ ".remove"
  and in_update = where ^ ".update"
  and in_succ = where ^ ".succ"
  and in_pred = where ^ ".pred"
  and in_exec = where ^ ".exec"
  and in_exec_many = where ^ ".exec_many"
  and in_submit = where ^ ".submit"
  and in_submit_many = where ^ ".submit_many"

  let create ?limit ?cutoff ~bits () =
    Universe.check_bits in_create bits;
    Misuse.check in_create ?limit ?cutoff ();
    Batched.create ?limit ?cutoff (Sequential.create ~bits ())

  let bits t = Sequential.bits (Batched.unguarded t)
  let[@inline] check where t k = Universe.check where (bits t) k

  let[@inline] checked where t k op =
    check where t k;
    Batched.exec t op

  let check_op : type v a. string -> v t -> (v, a) op -> unit =
   fun where t -> function
    | Mem k | Find k | Add (k, _) | Remove k | Update (k, _) | Succ k | Pred k -> check where t k
    | Min | Max | Length -> ()

  let mem t k = checked in_mem t k (Mem k)
  let find_opt t k = checked in_find_opt t k (Find k)
  let add t k v = checked in_add t k (Add (k, v))
  let remove t k = checked in_remove t k (Remove k)
  let update t k f = checked in_update t k (Update (k, f))
  let succ t k = checked in_succ t k (Succ k)
  let pred t k = checked in_pred t k (Pred k)
  let min_binding_opt t = Batched.exec t Min
  let max_binding_opt t = Batched.exec t Max
  let length t = Batched.exec t Length

  let exec t op =
    check_op in_exec t op;
    Batched.exec t op

  let exec_many t ops =
    Array.iter (check_op in_exec_many t) ops;
    Batched.exec_many t ops

  let submit t op =
    check_op in_submit t op;
    Batched.submit t op

  let submit_many t ops =
    Array.iter (check_op in_submit_many t) ops;
    Batched.submit_many t ops

  let add_all t bindings =
    Array.iter (fun (k, _) -> check in_add_all t k) bindings;
    Batched.exec_all ~whole:false t (Array.length bindings) (fun i ->
        let k, v = bindings.(i) in
        (Add (k, v) : (_, unit) op))

  let exclusive = Batched.exclusive
  let quiesce = Batched.quiesce
  let stats = Batched.stats
  let iter f t = exclusive t (Sequential.iter f)
  let fold f t init = exclusive t (fun s -> Sequential.fold f s init)

  let to_seq t =
    let bindings = fold (fun k v bindings -> (k, v) :: bindings) t [] in
    List.to_seq (List.rev bindings)

  let run_batch = Batched.run_batch
end
