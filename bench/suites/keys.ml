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

let random size i bound = Weft.Random.int_at (Weft.Random.make size) i bound

(* {1 Words} *)

(* Few words are frequent, as in a language. *)
let text size =
  let b = Buffer.create (8 * size) in
  let number = Weft.Random.make size in
  for i = 0 to size - 1 do
    let rank = int_of_float (exp (Weft.Random.float_at number i (log 50_000.))) in
    Buffer.add_string b (Printf.sprintf "w%x" (rank * 2654435761 land 0xffffff));
    Buffer.add_char b (if i mod 12 = 0 then '\n' else ' ')
  done;
  Buffer.contents b

let is_space c = c = ' ' || c = '\n'

let words_plain s =
  let counts = Hashtbl.create 65_536 in
  let add first stop =
    if first < stop then
      let word = String.sub s first (stop - first) in
      match Hashtbl.find_opt counts word with Some n -> incr n | None -> Hashtbl.add counts word (ref 1)
  in
  let start = ref 0 in
  for i = 0 to String.length s - 1 do
    if is_space (String.unsafe_get s i) then begin
      add !start i;
      start := i + 1
    end
  done;
  add !start (String.length s);
  Array.of_seq (Seq.map (fun (word, n) -> (word, !n)) (Hashtbl.to_seq counts))

let words_weft s =
  Weft.Seq.(to_array (Text.tokens ~is_space (Text.of_string s))) |> Weft.Array.histogram_by_key ~key:Fun.id

(* The programs find the keys in different orders. *)
let same_pairs expected result =
  if Checks.fingerprint Hashtbl.hash expected = Checks.fingerprint Hashtbl.hash result then Ok ()
  else Error { Benchmark.expected = Printf.sprintf "%d keys" (Array.length expected); got = "others" }

let words =
  benchmark "keys_words" "how often each word of a text occurs" ~size_doc:"the number of words"
    ~size:1_500_000 ~quick:50_000
    (two_ways text ~expected:words_plain ~check:same_pairs words_plain words_weft)

(* {1 Groups} *)

let integers kinds size = Array.init size (fun i -> random size i (kinds size))

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

(* The neighbours of node [u] are those from [first.(u)] to [first.(u + 1) - 1]. *)
type graph = { nodes : int; first : int array; neighbours : int array }

let graph nodes =
  let ends =
    Array.init (5 * nodes) (fun i -> (random nodes (2 * i) nodes, random nodes ((2 * i) + 1) nodes))
  in
  let degrees = Array.make (nodes + 1) 0 in
  let both f =
    Array.iter
      (fun (u, v) ->
        if u <> v then begin
          f u v;
          f v u
        end)
      ends
  in
  both (fun u _ -> degrees.(u) <- degrees.(u) + 1);
  let first = Array.make (nodes + 1) 0 in
  for u = 0 to nodes - 1 do
    first.(u + 1) <- first.(u) + degrees.(u)
  done;
  let next = Array.copy first and neighbours = Array.make first.(nodes) 0 in
  both (fun u v ->
      neighbours.(next.(u)) <- v;
      next.(u) <- next.(u) + 1);
  { nodes; first; neighbours }

let undecided = 0
let inside = 1
let outside = 2

let set_plain { nodes; first; neighbours } =
  let states = Array.make nodes undecided in
  for u = 0 to nodes - 1 do
    if states.(u) = undecided then begin
      states.(u) <- inside;
      for k = first.(u) to first.(u + 1) - 1 do
        states.(neighbours.(k)) <- outside
      done
    end
  done;
  states

let set_weft { nodes; first; neighbours } =
  let states = Array.make nodes undecided and decisions = Array.make nodes undecided in
  (* [decision] is that by the neighbours before [k]. *)
  let rec decide u k decision =
    if k = first.(u + 1) then decision
    else
      let v = neighbours.(k) in
      if v > u then decide u (k + 1) decision
      else if states.(v) = inside then outside
      else decide u (k + 1) (if states.(v) = undecided then undecided else decision)
  in
  let reserve u =
    decisions.(u) <- decide u first.(u) inside;
    true
  and commit u =
    states.(u) <- decisions.(u);
    states.(u) <> undecided
  in
  Weft.speculative_for ~start:0 ~finish:(nodes - 1) ~reserve ~commit ();
  states

let independent_set =
  benchmark "keys_independent_set" "a maximal independent set of a graph with five edges for each node"
    ~size_doc:"the number of nodes" ~size:500_000 ~quick:20_000
    (two_ways graph ~expected:set_plain
       ~check:(fun expected -> Checks.ints ~length:(Array.length expected) ~expected:(Array.get expected))
       set_plain set_weft)

let benchmarks =
  [
    words;
    groups "keys_groups_few" "integers grouped by 1,000 keys" (fun _ -> 1_000);
    groups "keys_groups_many" "integers grouped by as many keys" (Int.max 1);
    buckets;
    independent_set;
  ]
