open Weft_bench_harness

let sprintf = Printf.sprintf
let plural n = if n = 1 then "" else "s"
let on domains = sprintf "%d domain%s" domains (plural domains)

let label (row : Row.t) =
  if Run.is_plain row then row.method_ else sprintf "%s, %s" row.method_ (on row.domains)

let spread_text (run : Run.t) =
  if Run.runs run = 1 then "One run."
  else sprintf "Medians of %d runs; the lines go from the least to the greatest." (Run.runs run)

(* {1 Speed-up} *)

(* Keeps, for each problem and method, the case without a cutoff, or else the first case. *)
let one_case rows =
  let same (a : Row.t) (b : Row.t) = Run.same_problem a b && String.equal a.method_ b.method_ in
  let chosen = function
    | [] -> []
    | first :: _ as rows ->
        [ Option.value (List.find_opt (fun (r : Row.t) -> r.cutoff = None) rows) ~default:first ]
  in
  List.concat_map chosen (Run.groups same rows)

let speed_ups_on colours (run : Run.t) domains =
  let is_judged (row : Row.t) = row.domains = domains && Known.is_of_weft row.method_ && not row.paced in
  let compared row = Option.map (fun (baseline : Row.t) -> (row, baseline.median)) (Run.baseline run row) in
  let rows = List.filter_map compared (one_case (List.filter is_judged run.rows)) in
  (* The label names the size only if the benchmark has several. *)
  let several_sizes (row : Row.t) =
    List.exists
      (fun ((other : Row.t), _) -> String.equal other.bench row.bench && other.size <> row.size)
      rows
  in
  let bar ((row : Row.t), sequential) =
    {
      Chart.label = sprintf "%s: %s" (if several_sizes row then Run.case row else row.bench) row.method_;
      colour = Colours.of_method colours row.method_;
      value = Chart.range_of (List.map (fun seconds -> sequential /. seconds) row.seconds);
    }
  in
  if rows = [] then []
  else
    [
      {
        Chart.name = sprintf "speed-up, %s" (on domains);
        bench = "All benchmarks";
        title = sprintf "Times faster than the sequential program, %s" (on domains);
        caption =
          sprintf "%s The median of the sequential program is 1 (dashed): longer is faster." (spread_text run);
        command =
          Command.of_rows ~runs:(Run.runs run)
            (List.concat_map (fun (row, _) -> Option.to_list (Run.baseline run row) @ [ row ]) rows);
        body = Bars { value = "times faster"; bars = List.map bar rows; mark = Some 1. };
      };
    ]

let speed_ups colours run =
  let wide = match Run.processors run with Some p when p > 1 -> [ p ] | _ -> [] in
  List.concat_map (speed_ups_on colours run) (1 :: wide)

(* {1 Times of one} *)

let bars colours value rows =
  List.filter_map
    (fun row ->
      Option.map
        (fun value -> { Chart.label = label row; colour = Colours.of_method colours row.Row.method_; value })
        (value row))
    rows

let chart (run : Run.t) ~what ~value ~caption (rows : Row.t list) bars =
  match (rows, bars) with
  | first :: _, _ :: _ ->
      let case = Run.case first in
      [
        {
          Chart.name = sprintf "%s, %s" case what;
          bench = first.bench;
          title = sprintf "%s: %s" case what;
          caption = sprintf "%s %s" (spread_text run) caption;
          command = Command.of_rows ~runs:(Run.runs run) rows;
          body = Bars { value; bars; mark = None };
        };
      ]
  | _ -> []

let per_fork colours (run : Run.t) =
  let value (row : Row.t) =
    Option.map (fun ns -> Chart.scaled (ns /. row.median) (Chart.range_of row.seconds)) row.ns_per_fork
  in
  let of_case rows =
    let rows = List.filter (fun (row : Row.t) -> Option.is_some row.ns_per_fork) rows in
    chart run ~what:"time per fork" ~value:"ns per fork"
      ~caption:"Wall time over the number of forks; on several domains they are shared. Shorter is better."
      rows (bars colours value rows)
  in
  List.concat_map of_case (Run.groups Run.same_case run.rows)

let is_time title = String.starts_with ~prefix:"ns/" title
let is_rate title = String.ends_with ~suffix:"/s" title

let per_operation colours (run : Run.t) =
  let of_case rows =
    let titles =
      List.concat_map (fun (row : Row.t) -> List.map (fun (f : Row.figure) -> f.title) row.figures) rows
    in
    match List.find_opt (fun title -> is_time title || is_rate title) titles with
    | None -> []
    | Some title ->
        let value row = Option.map (fun (f : Row.figure) -> Chart.range_of f.values) (Run.figure title row) in
        let caption = if is_time title then "Shorter is better." else "Longer is better." in
        chart run ~what:title ~value:title ~caption rows (bars colours value rows)
  in
  List.concat_map of_case (Run.groups Run.same_case run.rows)
