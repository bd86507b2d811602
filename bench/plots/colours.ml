open Weft_bench_harness

type t = string list

let of_runs runs =
  let methods =
    List.concat_map (fun (run : Run.t) -> List.map (fun (row : Row.t) -> row.method_) run.rows) runs
  in
  let ours, others = List.partition Known.is_of_weft (Run.distinct String.equal methods) in
  ours @ others

let of_method t method_ =
  match List.find_index (String.equal method_) t with Some i -> i | None -> List.length t
