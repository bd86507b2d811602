open Weft_bench_harness

type t = string list

let of_runs runs =
  (* Plain programs come last: figures of curves seldom show them. *)
  let rows = List.concat_map (fun (run : Run.t) -> run.rows) runs in
  let plain, others = List.partition (fun (row : Row.t) -> Contestant.is_plain row.role) rows in
  let methods = List.map (fun (row : Row.t) -> row.method_) (others @ plain) in
  let ours, others = List.partition Known.is_of_weft (Run.distinct String.equal methods) in
  ours @ others

let of_method t method_ =
  match List.find_index (String.equal method_) t with Some i -> i | None -> List.length t
