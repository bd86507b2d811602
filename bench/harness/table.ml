(* {1 Columns} *)

open Columns

let is_plain (row : Row.t) = Contestant.is_plain row.role

let always : Row.t Columns.t list =
  let milliseconds seconds = Printf.sprintf "%.3f" (seconds *. 1e3) in
  [
    { title = "domains"; align = Right; cell = (fun row -> string_of_int row.domains) };
    { title = "method"; align = Left; cell = (fun row -> row.method_) };
    { title = "median ms"; align = Right; cell = (fun row -> milliseconds row.median) };
    { title = "min ms"; align = Right; cell = (fun row -> milliseconds row.min) };
  ]

(* A column is there if it says something of some row. *)
let where_known : (string * (Row.t -> float option)) list =
  [
    ("ns/fork", fun row -> row.ns_per_fork);
    ("x sequential", fun row -> row.ratio_to_sequential);
    ("CPU x sequential", fun row -> row.cpu_ratio);
    ("x default", fun row -> row.ratio_to_default);
    ("speed-up", fun row -> if is_plain row then None else row.speed_up);
  ]

let columns rows =
  let shown (title, figure) =
    let cell row = match figure row with None -> "-" | Some x -> Printf.sprintf "%.2f" x in
    if List.exists (fun row -> Option.is_some (figure row)) rows then Some { title; align = Right; cell }
    else None
  in
  always @ List.filter_map shown where_known

(* Whole numbers, and large ones, need no digits after the point. *)
let show_figure x =
  if Float.is_integer x || Float.abs x >= 1e4 then Printf.sprintf "%.0f" x else Printf.sprintf "%.2f" x

let figure_columns (rows : Row.t list) =
  let titles =
    List.concat_map (fun (row : Row.t) -> List.map (fun (f : Row.figure) -> f.title) row.figures) rows
  in
  let titles = List.filter (fun title -> Option.is_none (Figure.bucket_of_title title)) titles in
  let add seen title = if List.mem title seen then seen else seen @ [ title ] in
  let column title =
    let is_it (figure : Row.figure) = String.equal figure.title title in
    let cell (row : Row.t) =
      match List.find_opt is_it row.figures with None -> "-" | Some figure -> show_figure figure.middle
    in
    { title; align = Right; cell }
  in
  List.map column (List.fold_left add [] titles)

(* {1 Blocks} *)

(* A block shows a benchmark at one size and one cutoff. *)
type block = { bench : string; grain : Benchmark.grain; size : int; cutoff : int option }

let block_of (row : Row.t) = { bench = row.bench; grain = row.grain; size = row.size; cutoff = row.cutoff }
let heading { bench; grain; size; cutoff } = Benchmark.case ~name:bench ~grain ~size cutoff

(* A plain program has no cutoff and is shown in every block of its problem. It makes a block of its own
   only if its problem has no other block. *)
let blocks rows =
  let is_shown_elsewhere (row : Row.t) =
    is_plain row && List.exists (fun other -> (not (is_plain other)) && Row.same_problem row other) rows
  in
  let add blocks row =
    let block = block_of row in
    if is_shown_elsewhere row || List.mem block blocks then blocks else blocks @ [ block ]
  in
  List.fold_left add [] rows

let rows_of block rows =
  let is_beside (row : Row.t) = is_plain row && block_of { row with cutoff = block.cutoff } = block in
  let is_within row = (not (is_plain row)) && block_of row = block in
  List.filter is_beside rows @ List.filter is_within rows

let render rows =
  let columns = columns rows in
  let widths = widths columns rows in
  let render_block block =
    let rows = rows_of block rows in
    let own = figure_columns rows in
    let columns = columns @ own and widths = widths @ Columns.widths own rows in
    heading block ^ "\n" ^ titles columns widths ^ String.concat "" (List.map (line columns widths) rows)
  in
  String.concat "\n" (List.map render_block (blocks rows))
