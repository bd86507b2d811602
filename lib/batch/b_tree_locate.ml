open Weft_containers.B_tree_node

type ('op, 'k, 'v) t = {
  tree : ('k, 'v) tree;
  ops : 'op array;
  number_bits : int;
  sorted : int array;
  nodes : ('k, 'v) node array array;
  starts : Bytes.t;
}

let block_bits = 6
let block = 1 lsl block_bits

let for_blocks count body =
  let blocks = (count + block - 1) / block in
  let one i = body (i * block) (min count ((i + 1) * block)) in
  if blocks <= 2 then
    for i = 0 to blocks - 1 do
      one i
    done
  else Weft.parallel_for ~start:0 ~finish:(blocks - 1) ~body:one ()

let place_bits = 5
let[@inline] number t j = Array.unsafe_get t.sorted j land ((1 lsl t.number_bits) - 1)
let[@inline] rank t j = Array.unsafe_get t.sorted j lsr t.number_bits
let[@inline] place t j = rank t j land ((1 lsl place_bits) - 1)
let[@inline] path t j = rank t j lsr place_bits
let[@inline] starts t j = Bytes.unsafe_get t.starts j <> '\000'
let start t j = Bytes.unsafe_set t.starts j '\001'

let[@inline] leaf t j =
  let i = number t j in
  Array.unsafe_get (Array.unsafe_get t.nodes (i lsr block_bits)) (i land (block - 1))

(* Loads each cache line of the keys that the next step will compare: these loads wait neither for each other
   nor for comparisons. *)
let touch nodes count =
  for i = 0 to count - 1 do
    let keys = (Array.unsafe_get nodes i).keys in
    let last = Array.length keys - 1 in
    let j = ref 0 in
    while !j < last do
      ignore (Sys.opaque_identity (Array.unsafe_get keys !j));
      j := !j + 8
    done;
    if last >= 0 then ignore (Sys.opaque_identity (Array.unsafe_get keys last))
  done

module Make (Key : Weft_containers.Maps.ORDERED) = struct
  (* Binary searches without branches that could be mispredicted: a comparison becomes a mask. The result, the
     number of keys before [k], is from [base] to [base + length]. A single search is faster with branches,
     since the processor then runs ahead of the memory; here the cache lines are loaded already, and it runs
     ahead with the next searches. *)

  let rec not_greater keys k base length =
    if length <= 1 then
      if length = 1 && Key.compare k (Array.unsafe_get keys base) >= 0 then base + 1 else base
    else
      let half = length lsr 1 in
      let before = lnot (Key.compare k (Array.unsafe_get keys (base + half - 1)) asr 62) in
      not_greater keys k (base + (half land before)) (length - half)

  let child_index node k = not_greater node.keys k 0 (node.n - 1)

  let rec not_greater_in keys order k base length =
    if length <= 1 then
      if length = 1 && Key.compare k (Array.unsafe_get keys (slot order base)) >= 0 then base + 1 else base
    else
      let half = length lsr 1 in
      let before = lnot (Key.compare k (Array.unsafe_get keys (slot order (base + half - 1))) asr 62) in
      not_greater_in keys order k (base + (half land before)) (length - half)

  let place_in leaf k =
    let p = not_greater_in leaf.keys leaf.order k 0 leaf.n in
    if p > 0 && Key.compare k (key_at leaf (p - 1)) = 0 then ((p - 1) lsl 1) lor 1 else p lsl 1

  (* Each loop over a block makes one step for all its operations, so that their cache misses overlap. *)
  let locate_block ~key b lo hi =
    let count = hi - lo and t = b.tree in
    let keys = Array.make count (key b.ops.(lo)) in
    for i = 1 to count - 1 do
      keys.(i) <- key b.ops.(lo + i)
    done;
    let nodes = Array.make count t.root and paths = Array.make count 0 in
    for _ = 1 to t.height do
      for i = 0 to count - 1 do
        let child = child_index (Array.unsafe_get nodes i) (Array.unsafe_get keys i) in
        Array.unsafe_set paths i ((Array.unsafe_get paths i lsl path_bits) lor child)
      done;
      for i = 0 to count - 1 do
        let child = Array.unsafe_get paths i land (fanout - 1) in
        Array.unsafe_set nodes i (Array.unsafe_get (Array.unsafe_get nodes i).children child)
      done;
      touch nodes count
    done;
    for i = 0 to count - 1 do
      let rank = (paths.(i) lsl place_bits) lor place_in nodes.(i) keys.(i) in
      b.sorted.(lo + i) <- (rank lsl b.number_bits) lor (lo + i)
    done;
    b.nodes.(lo lsr block_bits) <- nodes

  (* Sorts the operations from [lo] to [hi - 1]: their keys are new and fall between the same two keys. *)
  let sort_new ~key b lo hi =
    let a = Array.init (hi - lo) (fun i -> (key b.ops.(number b (lo + i)), b.sorted.(lo + i))) in
    let compare (k, _) (k', _) = Key.compare k k' in
    Weft.Array.stable_sort compare a;
    for_blocks (hi - lo) (fun first last ->
        for i = first to last - 1 do
          b.sorted.(lo + i) <- snd a.(i);
          if i > 0 && compare a.(i - 1) a.(i) <> 0 then start b (lo + i)
        done)

  let sort ~key b =
    let count = Array.length b.sorted in
    Radix.sort b.sorted ~low:b.number_bits ~bits:((b.tree.height * path_bits) + place_bits);
    let rec from lo =
      if lo < count then begin
        start b lo;
        let hi = ref (lo + 1) in
        while !hi < count && rank b !hi = rank b lo do
          incr hi
        done;
        if !hi > lo + 1 && place b lo land 1 = 0 then sort_new ~key b lo !hi;
        from !hi
      end
    in
    from 0

  let rec bits n = if n = 0 then 0 else 1 + bits (n lsr 1)

  let locate ~key tree ops =
    let m = Array.length ops in
    let nodes = Array.make ((m + block - 1) / block) [||] in
    let b =
      { tree; ops; number_bits = bits m; sorted = Array.make m 0; nodes; starts = Bytes.make m '\000' }
    in
    for_blocks m (locate_block ~key b);
    sort ~key b;
    b
end
