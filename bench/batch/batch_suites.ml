let group = "batch"

(* The group of the other mixes and the other patterns of keys. *)
let mixes = "batch_mixes"
let patterns = "batch_patterns"

let all =
  let mixed ~group s mix = Map_benchmarks.mixed ~group s mix Uniform in
  let avl = Structures.avl in
  let some = [ Workload.insert; Workload.delete ] in
  let rest = List.filter (fun mix -> not (List.memq mix some)) Workload.mixes in
  let of_patterns s =
    List.concat_map
      (fun pattern -> List.map (fun mix -> Map_benchmarks.mixed ~group:patterns s mix pattern) some)
      [ Keys.Ascending; Descending; Equal; Zipf ]
  in
  List.map (mixed ~group avl) Workload.mixes
  @ List.map (Map_benchmarks.bulk ~group avl) [ Keys.Ascending; Uniform ]
  @ List.concat_map (fun s -> List.map (mixed ~group s) some) Structures.others
  @ [ Counting.benchmark ~group; Queueing.benchmark ~group ]
  @ Reasoning.benchmarks ~group ~mixes
  @ [ Log_appends.benchmark ~group ]
  @ List.concat_map
      (fun s -> List.map (mixed ~group:mixes s) rest @ [ Map_benchmarks.bulk ~group:mixes s Ascending ])
      Structures.others
  @ List.concat_map of_patterns (avl :: Structures.others)
