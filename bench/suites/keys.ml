open Weft_bench_contestants

let benchmark ?(group = "keys") ?(size = 1_000_000) ?quick ?(size_doc = "the number of integers") name doc
    input ~digest plain weft =
  Alike.benchmark ~group ~name ~doc ~size_doc ~size ?quick ~input ~digest
    ((Plain.contestant, plain), [ (Weft_pool.array, weft) ])

(* {1 Words} *)

(* The programs find the keys in different orders. *)
let pairs a = Checks.fingerprint Hashtbl.hash a

let words =
  benchmark "words" "how often each word of a text occurs" ~size_doc:"the number of words" ~size:1_500_000
    ~quick:50_000 Inputs.text ~digest:pairs Word_count.best_sequential Word_count.book

(* {1 Groups} *)

let integers kinds size = Inputs.integers ~bound:(kinds size) size

let groups_plain a =
  let groups = Hashtbl.create 16 in
  Array.iter
    (fun x ->
      match Hashtbl.find_opt groups x with
      | Some elements -> elements := x :: !elements
      | None -> Hashtbl.add groups x (ref [ x ]))
    a;
  Array.of_seq
    (Seq.map (fun (x, elements) -> (x, Array.of_list (List.rev !elements))) (Hashtbl.to_seq groups))

let sizes_of = Array.map (fun (x, elements) -> (x, Array.length elements))

let groups name doc kinds =
  benchmark name doc (integers kinds)
    ~digest:(fun groups -> pairs (sizes_of groups))
    groups_plain (Weft.Array.group_by ~key:Fun.id)

(* {1 Buckets} *)

let buckets =
  let plain a =
    let counts = Array.make (Array.length a) 0 in
    Array.iter (fun b -> counts.(b) <- counts.(b) + 1) a;
    counts
  in
  benchmark "buckets" "a histogram with as many buckets as integers" ~size:4_000_000
    (integers (Int.max 1))
    ~digest:Alike.ints plain
    (fun a -> Weft.Array.histogram ~buckets:(Array.length a) Fun.id a)

(* {1 Sums and duplicates} *)

let kinds size = 1 + (size / 8)
let ones kinds size = Array.map (fun k -> (k, 1)) (integers kinds size)

let sums_by_index pairs =
  let sums = Array.make (kinds (Array.length pairs)) 0 in
  Array.iter (fun (k, x) -> sums.(k) <- sums.(k) + x) pairs;
  sums

let sums_by_key pairs =
  let sums = Hashtbl.create 16 in
  Array.iter
    (fun (k, x) ->
      match Hashtbl.find_opt sums k with Some sum -> sum := !sum + x | None -> Hashtbl.add sums k (ref x))
    pairs;
  Array.of_seq (Seq.map (fun (k, sum) -> (k, !sum)) (Hashtbl.to_seq sums))

let without_duplicates a =
  let seen = Hashtbl.create 16 in
  Array.of_seq
    (Seq.filter
       (fun x ->
         let is_new = not (Hashtbl.mem seen x) in
         if is_new then Hashtbl.add seen x ();
         is_new)
       (Array.to_seq a))

(* {1 An independent set} *)

let independent_set =
  benchmark "independent_set" "a maximal independent set of a graph with five edges for each node"
    ~size_doc:"the number of nodes" ~size:500_000 ~quick:20_000
    (fun nodes -> Inputs.graph ~edges:(5 * nodes) nodes)
    ~digest:Alike.ints Independent_set.best_sequential Independent_set.book

let benchmarks =
  [
    words;
    groups "groups_few" "integers grouped by 1,000 keys" (fun _ -> 1_000);
    groups "groups_many" "integers grouped by as many keys" (Int.max 1);
    buckets;
    independent_set;
  ]

let functions =
  [
    benchmark ~group:"functions" "reduce_by_index" "the sum of the values of each index, eight of them"
      (ones kinds) ~digest:Alike.ints sums_by_index (fun a ->
        Weft.Array.reduce_by_index ~buckets:(kinds (Array.length a)) ( + ) 0 a);
    benchmark ~group:"functions" "reduce_by_key" "the sum of the values of each key, eight of them"
      (ones kinds) ~digest:pairs sums_by_key (Weft.Array.reduce_by_key ( + ));
    benchmark ~group:"functions" "remove_duplicates" "integers without those that came before, seven of eight"
      (integers kinds) ~digest:(Checks.fingerprint Fun.id) without_duplicates (fun a ->
        Weft.Array.remove_duplicates a);
  ]
