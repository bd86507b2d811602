module Grouping = Weft_containers.Grouping

(* From so many operations on, it pays to group them and apply them in parallel. *)
let many = 1024

(* A large batch is divided into tiles of so many operations, which stay in the cache while they are grouped
   and applied. *)
let tile = 4096

(* With fewer operations, it does not pay to fetch their memory first. *)
let few = 64

(* The memory of so many operations is fetched at once: a power of two. *)
let ahead = 16

module Make (Key : Hashtbl.HashedType) = struct
  module Sequential = Weft_containers.Hash_table.Make (Key)
  module Segment = Sequential.Segment

  type key = Key.t

  module Operations = struct
    type ('v, 'a) op =
      | Mem : int * key -> ('v, bool) op
      | Find : int * key -> ('v, 'v option) op
      | Add : int * key * 'v -> ('v, unit) op
      | Remove : int * key -> ('v, bool) op
      | Update : int * key * ('v option -> 'v option) -> ('v, 'v option) op
      | Length : ('v, int) op

    type 'v packed = Op : ('v, 'a) op * 'a Cell.t -> 'v packed
  end

  include Operations

  let apply (type v a) t : (v, a) op -> a = function
    | Mem (h, k) -> Sequential.mem_hashed t h k
    | Find (h, k) -> Sequential.find_hashed t h k
    | Add (h, k, v) ->
        Weft_platform.Stack_room.(ensure call);
        Sequential.add_hashed t h k v
    | Remove (h, k) ->
        Weft_platform.Stack_room.(ensure call);
        Sequential.remove_hashed t h k
    | Update (h, k, f) ->
        Weft_platform.Stack_room.(ensure call);
        Sequential.update_hashed t h k f
    | Length -> Sequential.length t

  (* Applies an operation without a change to the number of segments. *)
  let apply_within (type v a) t : (v, a) op -> a = function
    | Mem (h, k) -> Segment.mem (Sequential.segment_of_hash t h) h k
    | Find (h, k) -> Segment.find_opt (Sequential.segment_of_hash t h) h k
    | Add (h, k, v) -> Segment.add (Sequential.segment_of_hash t h) h k v
    | Remove (h, k) -> Segment.remove (Sequential.segment_of_hash t h) h k
    | Update (h, k, f) -> Segment.update (Sequential.segment_of_hash t h) h k f
    | Length -> Sequential.length t

  let hash_of_op (type v a) : (v, a) op -> int = function
    | Mem (h, _) -> h
    | Find (h, _) -> h
    | Add (h, _, _) -> h
    | Remove (h, _) -> h
    | Update (h, _, _) -> h
    | Length -> 0

  let hash_of (Op (op, _)) = hash_of_op op
  let fail_with (Op (_, cell)) e = Cell.fail cell e (Printexc.get_raw_backtrace ())

  (* To wait for the memory of several operations at once takes hardly longer than for one. *)
  let fetch t ops order first last =
    let sum = ref 0 in
    for i = first to last do
      let h = hash_of ops.(order.(i)) in
      sum := !sum + Segment.touch_bucket (Sequential.segment_of_hash t h) h
    done;
    for i = first to last do
      let h = hash_of ops.(order.(i)) in
      sum := !sum + Segment.touch_node (Sequential.segment_of_hash t h) h
    done;
    ignore (Sys.opaque_identity !sum)

  (* Applies the operations at the places [first] to [last] of [order]. One exception handler is set for all
     of them, and again after each exception. *)
  let rec run_places t ops order first last =
    let place = ref first in
    match
      while !place <= last do
        if last - first >= few - 1 && (!place - first) land (ahead - 1) = 0 then
          fetch t ops order !place (min last (!place + ahead - 1));
        let (Op (op, cell)) = ops.(order.(!place)) in
        Cell.resolve cell (apply_within t op);
        incr place
      done
    with
    | () -> ()
    | exception e when !place <= last ->
        fail_with ops.(order.(!place)) e;
        run_places t ops order (!place + 1) last

  (* Groups the operations [first] to [last] of the batch, and applies them, segment by segment. *)
  let run_tile t ops first last =
    let segments = Sequential.segments t in
    let class_of =
      Array.init
        (last - first + 1)
        (fun i ->
          match ops.(first + i) with
          | Op (Length, _) -> segments
          | op -> Sequential.segment_index t (hash_of op))
    in
    let { Grouping.order; starts } =
      Grouping.group Grouping.in_order ~classes:(segments + 1) ~first class_of
    in
    Weft.parallel_for ~start:0 ~finish:(segments - 1)
      ~body:(fun s -> run_places t ops order starts.(s) (starts.(s + 1) - 1))
      ()

  let answer_lengths t ops =
    let n = Sequential.length t in
    Array.iter (function Op (Length, cell) -> Cell.resolve cell n | _ -> ()) ops

  let run_batch t ops =
    let n = Array.length ops in
    (* If the batch makes the table large, it should be divided into segments before. *)
    if n > Sequential.most_in_one then Sequential.spread t;
    if n < many || Sequential.segments t = 1 then run_places t ops (Array.init n Fun.id) 0 (n - 1)
    else
      for i = 0 to (n - 1) / tile do
        run_tile t ops (i * tile) (min n ((i + 1) * tile) - 1)
      done;
    Sequential.settle t;
    answer_lengths t ops

  let rank = function Op (Length, _) -> 1 | _ -> 0

  include Batched.Make_generic (struct
    type 'v t = 'v Sequential.t
    type ('v, 'a) op = ('v, 'a) Operations.op
    type 'v packed = 'v Operations.packed = Op : ('v, 'a) op * 'a Cell.t -> 'v packed

    let apply = apply
    let run = Some run_batch
  end)

  let create ?limit ?cutoff () =
    Misuse.check "Weft_batch.Hash_table.create" ?limit ?cutoff ();
    create ?limit ?cutoff ~rank (Sequential.create ())

  let make () = create ()
  let length t = exec t Length
  let mem t k = exec t (Mem (Sequential.hash k, k))
  let find_opt t k = exec t (Find (Sequential.hash k, k))
  let add t k v = exec t (Add (Sequential.hash k, k, v))
  let remove t k = exec t (Remove (Sequential.hash k, k))
  let update t k f = exec t (Update (Sequential.hash k, k, f))

  let add_all t bindings =
    let hashes = Weft.Array.map (fun (k, _) -> Sequential.hash k) bindings in
    exec_all ~whole:false t (Array.length bindings) (fun i ->
        let k, v = bindings.(i) in
        Add (hashes.(i), k, v))

  let iter f t = exclusive t (Sequential.iter f)
  let fold f t acc = exclusive t (fun s -> Sequential.fold f s acc)
  let to_seq t = Array.to_seq (exclusive t (fun s -> Array.of_seq (Sequential.to_seq s)))
end
