open Weft_bench_harness

let unique compare xs = List.sort_uniq compare xs
let commas f xs = String.concat "," (List.map f xs)
let in_order xs = Run.distinct String.equal xs

let domains rows =
  let of_contenders = List.filter (fun row -> not (Run.is_plain row)) rows in
  match unique Int.compare (List.map (fun (row : Row.t) -> row.domains) of_contenders) with
  | [] -> []
  | domains -> [ "--domains"; commas string_of_int domains ]

let ending ~runs = [ "--runs"; string_of_int runs; "--json"; "results.json" ]
let words parts = String.concat " " (List.map Text.shell parts)

(* Plain programs have no cutoff, even if the user chose one. *)
let cutoffs rows =
  let of_contenders = List.filter (fun row -> not (Run.is_plain row)) rows in
  let cutoff = function None -> "default" | Some c -> string_of_int c in
  match unique (Option.compare Int.compare) (List.map (fun (row : Row.t) -> row.cutoff) of_contenders) with
  | ([] | [ None ]) when List.for_all (fun (row : Row.t) -> row.grain = Fixed) rows -> []
  | [] -> []
  | cutoffs -> [ "--cutoff"; commas cutoff cutoffs ]

let of_suite ~runs rows =
  match rows with
  | [] -> ""
  | ({ size; _ } : Row.t) :: _ ->
      let benches = in_order (List.map (fun (row : Row.t) -> row.bench) rows) in
      words
        ([ "weft"; "bench" ] @ benches
        @ [ "--size"; string_of_int size ]
        @ cutoffs rows @ domains rows @ ending ~runs)

let of_elastic ~runs rows =
  let named = List.filter_map (fun (row : Row.t) -> Known.elastic row.bench) rows in
  let cases = in_order (List.map fst named)
  and workloads = List.filter (( <> ) "") (in_order (List.map snd named)) in
  words
    ([ "weft"; "bench"; "elastic"; "--case"; String.concat "," cases ]
    @ (if workloads = [] then [] else [ "--workload"; String.concat "," workloads ])
    @ domains rows @ ending ~runs)

let of_rows ~runs rows =
  let elastic, others = List.partition (fun (row : Row.t) -> Option.is_some (Known.elastic row.bench)) rows in
  let by_size = Run.groups (fun (a : Row.t) (b : Row.t) -> a.size = b.size) others in
  let lines = List.map (of_suite ~runs) by_size @ if elastic = [] then [] else [ of_elastic ~runs elastic ] in
  String.concat "\n" lines
