open Weft_bench_contestants

let benchmark ?(group = "keys") ?(size = 1_000_000) ?quick ?(size_doc = "the number of integers") name doc
    input ~digest plain weft =
  Same_result.benchmark ~group ~name ~doc ~size_doc ~size ?quick ~input ~digest
    ((Plain.contestant, plain), [ (Weft_pool.array, weft) ])

(* {1 Words} *)

(* The programs find the keys in different orders. *)
let pairs a = Checks.fingerprint Hashtbl.hash a

let words =
  benchmark "words" "how often each word of a text occurs" ~size_doc:"the number of words" ~size:1_500_000
    ~quick:50_000 Inputs.text ~digest:pairs Word_count.best_sequential Word_count.book

(* {1 Groups} *)

(* Both programs take an integer itself as its hash. *)
module Table = Hashtbl.Make (struct
  type t = int

  let equal = Int.equal
  let hash = Fun.id
end)

let integers kinds size = Inputs.integers ~bound:(kinds size) size

(* Numbers the groups, in the order of their first elements, and counts; then puts the elements in their
   places. *)
let groups_plain a =
  let n = Array.length a in
  let numbers = Table.create 16 and group_of = Array.make n 0 in
  let sizes = Array.make n 0 and groups = ref 0 in
  for i = 0 to n - 1 do
    let g =
      match Table.find numbers a.(i) with
      | g -> g
      | exception Not_found ->
          let g = !groups in
          Table.add numbers a.(i) g;
          incr groups;
          g
    in
    group_of.(i) <- g;
    sizes.(g) <- sizes.(g) + 1
  done;
  let elements = Array.init !groups (fun g -> Array.make sizes.(g) 0) in
  for i = n - 1 downto 0 do
    let g = group_of.(i) in
    let place = sizes.(g) - 1 in
    sizes.(g) <- place;
    elements.(g).(place) <- a.(i)
  done;
  Array.map (fun group -> (group.(0), group)) elements

let sizes_of = Array.map (fun (x, elements) -> (x, Array.length elements))

let groups name doc kinds =
  benchmark name doc (integers kinds)
    ~digest:(fun groups -> pairs (sizes_of groups))
    groups_plain
    (Weft.Array.group_by ~hash:Fun.id ~equal:Int.equal ~key:Fun.id)

(* {1 Buckets} *)

let buckets =
  let plain a =
    let counts = Array.make (Array.length a) 0 in
    for i = 0 to Array.length a - 1 do
      let b = a.(i) in
      counts.(b) <- counts.(b) + 1
    done;
    counts
  in
  benchmark "buckets" "a histogram with as many buckets as integers" ~size:4_000_000
    (integers (Int.max 1))
    ~digest:Same_result.ints plain
    (fun a -> Weft.Array.histogram ~buckets:(Array.length a) Fun.id a)

(* {1 Sums and duplicates} *)

let kinds size = 1 + (size / 8)
let ones kinds size = Array.map (fun k -> (k, 1)) (integers kinds size)

let sums_by_index pairs =
  let sums = Array.make (kinds (Array.length pairs)) 0 in
  for i = 0 to Array.length pairs - 1 do
    let k, x = pairs.(i) in
    sums.(k) <- sums.(k) + x
  done;
  sums

let sums_by_key pairs =
  let sums = Table.create 16 in
  for i = 0 to Array.length pairs - 1 do
    let k, x = pairs.(i) in
    match Table.find sums k with sum -> sum := !sum + x | exception Not_found -> Table.add sums k (ref x)
  done;
  let result = Array.make (Table.length sums) (0, 0) and next = ref 0 in
  Table.iter
    (fun k sum ->
      result.(!next) <- (k, !sum);
      incr next)
    sums;
  result

let without_duplicates a =
  let seen = Table.create 16 and r = Array.make (Array.length a) 0 and next = ref 0 in
  for i = 0 to Array.length a - 1 do
    let x = a.(i) in
    if not (Table.mem seen x) then begin
      Table.add seen x ();
      r.(!next) <- x;
      incr next
    end
  done;
  Array.sub r 0 !next

(* {1 An independent set} *)

let independent_set =
  benchmark "independent_set" "a maximal independent set of a graph with five edges for each node"
    ~size_doc:"the number of nodes" ~size:500_000 ~quick:20_000
    (fun nodes -> Inputs.graph ~edges:(5 * nodes) nodes)
    ~digest:Same_result.ints Independent_set.best_sequential Independent_set.book

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
      (ones kinds) ~digest:Same_result.ints sums_by_index (fun a ->
        Weft.Array.reduce_by_index ~buckets:(kinds (Array.length a)) ( + ) 0 a);
    benchmark ~group:"functions" "reduce_by_key" "the sum of the values of each key, eight of them"
      (ones kinds) ~digest:pairs sums_by_key (fun pairs ->
        Weft.Array.reduce_by_key ~hash:Fun.id ~equal:Int.equal ( + ) pairs);
    benchmark ~group:"functions" "remove_duplicates" "integers without those that came before, seven of eight"
      (integers kinds) ~digest:(Checks.fingerprint Fun.id) without_duplicates (fun a ->
        Weft.Array.remove_duplicates ~hash:Fun.id ~equal:Int.equal a);
  ]
