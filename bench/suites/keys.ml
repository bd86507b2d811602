open Weft_bench_harness
open Weft_bench_contestants

let benchmark name doc ~size_doc ~size ~quick ways : Benchmark.t =
  {
    name;
    group = Some "keys";
    doc;
    size_doc;
    grain = Fixed;
    sizes = (0, 100_000_000);
    default_cutoffs = [ None ];
    default_size = (fun _ -> size);
    more_sizes = [];
    quick_size = (fun _ -> quick);
    sweep_cutoffs = [];
    sweep_sizes = Benchmark.tenths size;
    paced = false;
    ways;
  }

(* Both programs give the same result. [expected] is computed once for each size, outside the runs. *)
let two_ways make ~expected ~check plain weft =
  let expected = Checks.once_per_size (fun size -> expected (make size)) in
  let problem size : _ Ways.problem =
    let expected = lazy (expected size) in
    { prepare = (fun () -> make size); check = (fun result -> check (Lazy.force expected) result) }
  in
  [
    Ways.way Plain.contestant problem (fun _ -> Some plain);
    Ways.way Weft_pool.array problem (fun _ -> Some weft);
  ]

(* {1 Words} *)

(* The programs find the keys in different orders. *)
let same_pairs expected result =
  if Checks.fingerprint Hashtbl.hash expected = Checks.fingerprint Hashtbl.hash result then Ok ()
  else Error { Benchmark.expected = Printf.sprintf "%d keys" (Array.length expected); got = "others" }

let words =
  benchmark "keys_words" "how often each word of a text occurs" ~size_doc:"the number of words"
    ~size:1_500_000 ~quick:50_000
    (two_ways Inputs.text ~expected:Word_count.best_sequential ~check:same_pairs Word_count.best_sequential
       Word_count.book)

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
  benchmark name doc ~size_doc:"the number of integers" ~size:1_000_000 ~quick:20_000
    (two_ways (integers kinds)
       ~expected:(fun a -> sizes_of (groups_plain a))
       ~check:(fun expected groups -> same_pairs expected (sizes_of groups))
       groups_plain (Weft.Array.group_by ~key:Fun.id))

(* {1 Buckets} *)

let buckets =
  let plain a =
    let counts = Array.make (Array.length a) 0 in
    Array.iter (fun b -> counts.(b) <- counts.(b) + 1) a;
    counts
  in
  benchmark "keys_buckets" "a histogram with as many buckets as integers" ~size_doc:"the number of integers"
    ~size:4_000_000 ~quick:200_000
    (two_ways
       (integers (Int.max 1))
       ~expected:plain
       ~check:(fun expected -> Checks.ints ~length:(Array.length expected) ~expected:(Array.get expected))
       plain
       (fun a -> Weft.Array.histogram ~buckets:(Array.length a) Fun.id a))

(* {1 An independent set} *)

let independent_set =
  benchmark "keys_independent_set" "a maximal independent set of a graph with five edges for each node"
    ~size_doc:"the number of nodes" ~size:500_000 ~quick:20_000
    (two_ways
       (fun nodes -> Inputs.graph ~edges:(5 * nodes) nodes)
       ~expected:Independent_set.best_sequential
       ~check:(fun expected -> Checks.ints ~length:(Array.length expected) ~expected:(Array.get expected))
       Independent_set.best_sequential Independent_set.book)

let benchmarks =
  [
    words;
    groups "keys_groups_few" "integers grouped by 1,000 keys" (fun _ -> 1_000);
    groups "keys_groups_many" "integers grouped by as many keys" (Int.max 1);
    buckets;
    independent_set;
  ]
