open Weft_bench_harness
open Weft_bench_batch

(* {1 A structure} *)

module Int_map = Map.Make (Int)

(* [Stdlib.Map] in a record, as a map of Weft. *)
module Plain = struct
  type key = int
  type 'v t = { mutable map : 'v Int_map.t }

  let create () = { map = Int_map.empty }
  let length t = Int_map.cardinal t.map
  let mem t k = Int_map.mem k t.map
  let find_opt t k = Int_map.find_opt k t.map
  let add t k v = t.map <- Int_map.add k v t.map

  let remove t k =
    let was = mem t k in
    t.map <- Int_map.remove k t.map;
    was

  let update t k f =
    let was = find_opt t k in
    t.map <- Int_map.update k f t.map;
    was

  let iter f t = Int_map.iter f t.map
  let fold f t init = Int_map.fold f t.map init
  let to_seq t = Int_map.to_seq t.map
end

module Of_plain = Subject.Of (Plain)

let plain = Of_plain.map Plain.create

(* The same, batched by the functor for any structure. *)
let batched =
  let module Op = Weft_batch.Map_op.Make (Int) in
  let module Structure = struct
    type 'v t = 'v Plain.t
    type ('v, 'a) op = ('v, 'a) Op.t
    type 'v packed = Op : ('v, 'a) op * 'a Weft_batch.Cell.t -> 'v packed

    let apply (type v a) (t : v t) (op : (v, a) op) : a =
      match op with
      | Mem k -> Plain.mem t k
      | Add (k, v) -> Plain.add t k v
      | Remove k -> Plain.remove t k
      | Length -> Plain.length t
      | Find _ | Update _ | Succ _ | Pred _ | Min | Max -> invalid_arg "not needed"

    let run =
      Some (fun t ops -> Array.iter (fun (Op (op, cell)) -> Weft_batch.Cell.resolve cell (apply t op)) ops)
  end in
  let module Batched = Weft_batch.Make_generic (Structure) in
  let contents m =
    let bindings = Array.of_seq (Plain.to_seq (Batched.unguarded m)) in
    Subject.Listed { keys = Array.map fst bindings; values = Array.map snd bindings }
  in
  Subject.Map
    {
      create = (fun _ -> Batched.create (Plain.create ()));
      fill =
        (fun m keys value ->
          Batched.exclusive m (fun t -> Array.iter (fun k -> Plain.add t k (value k)) keys));
      operations =
        {
          mem = (fun m k -> Batched.exec m (Op.Mem k));
          add = (fun m k v -> Batched.exec m (Op.Add (k, v)));
          remove = (fun m k -> Batched.exec m (Op.Remove k));
        };
      add_all =
        Some
          (fun m bindings ->
            ignore (Batched.exec_many m (Array.map (fun (k, v) -> Op.Add (k, v)) bindings) : unit array));
      many =
        Some
          (module struct
            type t = int Batched.t
            type 'a op = (int, 'a) Op.t

            let mem k = Op.Mem k
            let add k v = Op.Add (k, v)
            let remove k = Op.Remove k
            let exec_many = Batched.exec_many
            let submit = Batched.submit
          end);
      contents;
      replaces = true;
      figures = (fun _ -> []);
    }

let structure : Map_benchmarks.structure =
  {
    name = "toy";
    doc = "balanced trees";
    range = 1 lsl 20;
    most_before = 2_000;
    operations = (fun _ -> 1_000);
    sequential = plain;
    stdlib = Some (Methods.stdlib_hashtbl, Subject.stdlib_table);
    batched;
    lockfree = Some Subject.saturn_skip_list;
  }

(* {1 Runs} *)

let patterns = [ Keys.Uniform; Ascending; Descending; Equal; Zipf ]
let is_quick = Testing.Effort.level = Quick

let run_all ?(domains = if is_quick then [ 2 ] else [ 1; 2; 4 ]) ?size benchmarks =
  match
    Plan.make { (Plan.of_all benchmarks) with domains; sizes = Option.map (fun size -> [ size ]) size }
  with
  | Error message -> Alcotest.fail message
  | Ok configs -> (
      match Runner.run ~warm_up:(not is_quick) ~runs:1 ~progress:(fun ~round:_ _ -> ()) configs with
      | Ok measured -> Row.of_measured measured
      | Error failure -> Alcotest.failf "%a" Runner.pp_failure failure)

let every_method_does_every_mix () =
  let mixed mix pattern = Map_benchmarks.mixed ~group:"toys" structure mix pattern in
  let run benchmarks size = ignore (run_all ~size benchmarks : Row.t list) in
  let uniform = List.map (fun mix -> mixed mix Uniform) Workload.mixes in
  List.iter
    (run (List.map (Map_benchmarks.bulk ~group:"toys" structure) [ Keys.Ascending; Uniform ] @ uniform))
    (if is_quick then [ 0; 307 ] else [ 0; 1; 7; 1_003 ]);
  run (List.map (mixed Workload.delete) patterns) (Testing.Effort.count ~quick:307 ~usual:1_003 ~long:1_003)

(* A batch of look-ups or insertions searches for many keys side by side, unless the structure is small. *)
let quick_runs_are_of_structures_beyond_the_caches () =
  let keys (benchmark : Benchmark.t) =
    let for_each = if List.mem "bulk" (String.split_on_char '_' benchmark.name) then 20 else 5 in
    for_each * benchmark.quick_size None
  in
  let is_of_map (benchmark : Benchmark.t) =
    List.exists (fun (way : Benchmark.way) -> way.contestant.name = "exec_many") benchmark.ways
  in
  let small =
    List.filter (fun benchmark -> is_of_map benchmark && keys benchmark <= 32_768) Batch_suites.all
  in
  Alcotest.(check (list string)) "small" [] (List.map (fun (b : Benchmark.t) -> b.name) small)

(* Making the database of a dense graph takes long, whatever the size. *)
let is_slow (benchmark : Benchmark.t) = String.starts_with ~prefix:"batch_datalog" benchmark.name

let every_benchmark_is_right_at_small_sizes () =
  let slow, others = List.partition is_slow Batch_suites.all in
  List.iter
    (fun (domains, size) -> ignore (run_all ~domains ~size others : Row.t list))
    (if is_quick then [ ([ 3 ], 57) ] else [ ([ 1 ], 0); ([ 1 ], 1); ([ 3 ], 307) ]);
  let choice =
    {
      (Plan.of_all slow) with
      domains = [ 2 ];
      sizes = Some [ Testing.Effort.count ~quick:57 ~usual:307 ~long:307 ];
    }
  in
  List.iter
    (fun config ->
      match Runner.once config with
      | Ok _ -> ()
      | Error failure -> Alcotest.failf "%a" Runner.pp_failure failure)
    (Result.get_ok (Plan.make choice))

(* The words are counted to within a minor heap: less than 3 for each of so many operations. *)
let rows_have_rates_and_words () =
  let n = 100_000 in
  let rows =
    run_all ~domains:[ 1 ] ~size:n [ Map_benchmarks.mixed ~group:"toys" structure Workload.half Uniform ]
  in
  Alcotest.(check (list string))
    "methods"
    [ "sequential"; "stdlib_hashtbl"; "coarse"; "lockfree"; "batched"; "exec_many"; "submit" ]
    (List.map (fun (row : Row.t) -> row.method_) rows);
  List.iter
    (fun (row : Row.t) ->
      Alcotest.(check string) "name" "batch_toy_half" row.bench;
      Alcotest.(check (list string))
        "titles"
        ("k ops/s" :: (if Methods.counts_last then [ "words/op" ] else []))
        (List.map (fun (f : Row.figure) -> f.title) row.figures);
      let middle k = (List.nth row.figures k).middle in
      Alcotest.(check (float 1e-5)) "rate" (float_of_int n /. 1e3) (middle 0 *. row.median);
      (* Half of the operations copy a path of a tree with ten thousands of keys. *)
      if
        Methods.counts_last
        && (not (List.mem row.method_ [ "lockfree"; "stdlib_hashtbl" ]))
        && (middle 1 < 25. || middle 1 > 400.)
      then Alcotest.failf "%s: %g words" row.method_ (middle 1))
    rows

let a_batched_structure_tells_of_its_run () =
  let counter = Weft_batch.Counter.create () in
  let figures () =
    List.map
      (fun (f : Figure.t) -> (f.title, f.value))
      (Methods.statistics (Weft_batch.Counter.stats counter))
  in
  let check = Alcotest.(check (list (pair string (float 1e-9)))) in
  check "nothing done" [] (figures ());
  for _ = 1 to 3 do
    Weft_batch.Counter.incr counter
  done;
  check "alone" [ ("batches", 0.); ("parallel", 0.); ("mean batch", 0.); ("% in place", 100.) ] (figures ())

let tasks_are_each_called_once () =
  List.iter
    (fun n ->
      let calls = Array.init n (fun _ -> Atomic.make 0) in
      Weft.run ~domains:2 (fun () -> Methods.tasks n (fun i -> Atomic.incr calls.(i)));
      Array.iteri (fun i c -> Alcotest.(check int) (string_of_int i) 1 (Atomic.get c)) calls)
    [ 0; 1; 2; 3; 1_000 ]

type change = { change : 'm. 'm Subject.operations -> 'm Subject.operations }

(* A map with a fault in a single operation. *)
let a_faulty_map_is_found () =
  let is_right mix { change } =
    let faulty =
      match plain with Subject.Map m -> Subject.Map { m with operations = change m.operations }
    in
    let workload () = Workload.make mix Uniform ~range:(1 lsl 20) ~before:100 500 in
    let (Work { prepare; compute; check; _ }) = Map_benchmarks.work Methods.in_order workload faulty in
    Result.is_ok (check (compute (prepare ())))
  in
  let count = ref 0 in
  let once () =
    incr count;
    !count = 20
  in
  let check what expected (mix : Workload.mix) change =
    count := 0;
    Alcotest.(check bool) what expected (is_right mix change)
  in
  List.iter (fun (mix : Workload.mix) -> check mix.name true mix { change = Fun.id }) Workload.mixes;
  check "an add forgotten" false Workload.insert
    { change = (fun ops -> { ops with add = (fun m k v -> if not (once ()) then ops.add m k v) }) };
  check "another value" false Workload.insert
    { change = (fun ops -> { ops with add = (fun m k v -> ops.add m k (if once () then v - 1 else v)) }) };
  check "not seen" false Workload.search
    { change = (fun ops -> { ops with mem = (fun m k -> ops.mem m k && not (once ())) }) };
  check "seen" false Workload.search
    { change = (fun ops -> { ops with mem = (fun m k -> ops.mem m k || once ()) }) };
  check "not removed" false Workload.delete
    { change = (fun ops -> { ops with remove = (fun m k -> (ops.mem m k && once ()) || ops.remove m k) }) }

let case = Testing.Watchdog.case

let () =
  Alcotest.run "batch runs"
    [
      ( "benchmarks",
        [
          case "a batched structure tells of its run" a_batched_structure_tells_of_its_run;
          case "tasks are each called once" tasks_are_each_called_once;
          case "every method does every mix" every_method_does_every_mix;
          case "quick runs are of structures beyond the caches" quick_runs_are_of_structures_beyond_the_caches;
          case "every benchmark is right at small sizes" every_benchmark_is_right_at_small_sizes;
          case "rows have rates and words" rows_have_rates_and_words;
          case "a faulty map is found" a_faulty_map_is_found;
        ] );
    ]
