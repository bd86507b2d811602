open Weft_bench_harness

let sprintf = Printf.sprintf

let unit_of ranges =
  let greatest = List.fold_left (fun most (r : Chart.range) -> Float.max most r.greatest) 0. ranges in
  if greatest >= 10. then (1., "s")
  else if greatest >= 0.01 then (1e3, "ms")
  else if greatest >= 1e-5 then (1e6, "us")
  else (1e9, "ns")

let range (row : Row.t) = Chart.range_of row.seconds
let contenders rows = List.filter (fun row -> not (Run.is_plain row)) rows
let plural n = if n = 1 then "" else "s"

let spread_text (run : Run.t) =
  if Run.runs run = 1 then "One run."
  else sprintf "Medians of %d runs; the bars go from the least to the greatest." (Run.runs run)

let several compare values = List.compare_length_with (List.sort_uniq compare values) 2 >= 0

let by_method colours ~factor ~at rows =
  let of_method = function
    | [] -> None
    | ({ method_; _ } : Row.t) :: _ as rows ->
        let point row = { Chart.at = at row; value = Chart.scaled factor (range row) } in
        let points = List.sort (fun (a : Chart.point) b -> Float.compare a.at b.at) (List.map point rows) in
        Some { Chart.name = method_; colour = Colours.of_method colours method_; points }
  in
  let same (a : Row.t) (b : Row.t) = String.equal a.method_ b.method_ in
  List.filter_map of_method (Run.groups same rows)

let flat ~from ~upto y = [ (from, y); (upto, y) ]
