open Weft_bench_harness

let contestants benchmarks =
  let add seen (way : Benchmark.way) =
    if List.exists (Contestant.equal way.contestant) seen then seen else seen @ [ way.contestant ]
  in
  List.fold_left add [] (List.concat_map (fun (b : Benchmark.t) -> b.ways) benchmarks)

let names benchmarks = String.concat ", " (List.map (fun (b : Benchmark.t) -> b.name) benchmarks)
let numbers all = String.concat ", " (List.map string_of_int all)

let describe_benchmark (b : Benchmark.t) =
  let least, greatest = b.sizes in
  let methods = List.map (fun (way : Benchmark.way) -> way.contestant.name) b.ways in
  let grain, case =
    match b.grain with
    | Cutoff doc ->
        ( [ "cutoff: " ^ doc ],
          function None -> " with no cutoff" | Some c -> Printf.sprintf " with cutoff %d" c )
    | Chunk doc ->
        ( [ "cutoff: the chunk size, " ^ doc ],
          function None -> "" | Some c -> Printf.sprintf " with chunk %d" c )
    | Fixed -> ([], fun _ -> "")
  in
  let cases size =
    List.map (fun cutoff -> Printf.sprintf "%d%s" (size cutoff) (case cutoff)) b.default_cutoffs
  in
  let sweeps =
    ("sizes " ^ numbers b.sweep_sizes)
    ^ if b.sweep_cutoffs = [] then "" else "; cutoffs " ^ numbers b.sweep_cutoffs
  in
  let details =
    [ Printf.sprintf "size: %s, %d to %d" b.size_doc least greatest ]
    @ grain
    @ [
        "default: " ^ String.concat ", " (cases b.default_size @ List.map string_of_int b.more_sizes);
        "quick: " ^ String.concat ", " (cases b.quick_size);
        "sweep: " ^ sweeps;
        "methods: " ^ String.concat ", " methods;
      ]
  in
  Printf.sprintf "%s: %s\n" b.name b.doc ^ String.concat "" (List.map (Printf.sprintf "  %s\n") details)

let text selection ~missing =
  let benchmarks = Selection.benchmarks selection in
  let describe_group (name, members) = Printf.sprintf "%s: %s\n" name (names members) in
  let describe_method (c : Contestant.t) = Printf.sprintf "%s: %s\n" c.name c.doc in
  let describe_missing ({ name; reason; _ } : Contestant.missing) = Printf.sprintf "%s: %s\n" name reason in
  let section title = function [] -> "" | lines -> "\n" ^ title ^ "\n" ^ String.concat "" lines in
  String.concat "" (List.map describe_benchmark benchmarks)
  ^ section "Groups of benchmarks"
      (List.map describe_group (Selection.groups selection)
      @ [ Printf.sprintf "%s: every benchmark, and the cases of %s\n" Selection.all Elastic_command.name ])
  ^ section "Methods" (List.map describe_method (contestants benchmarks))
  ^ section "Missing, or left out" (List.map describe_missing missing)
  ^ section "Other commands"
      (List.map
         (fun (name, doc) -> Printf.sprintf "weft bench %s: %s\n" name doc)
         [ (Elastic_command.name, Elastic_command.doc); (Compat_command.name, Compat_command.doc) ])
