type align = Left | Right
type 'row t = { title : string; align : align; cell : 'row -> string }

let width rows { title; cell; _ } =
  List.fold_left (fun width row -> max width (String.length (cell row))) (String.length title) rows

let widths columns rows = List.map (width rows) columns

let rec without_blanks_at_end text =
  let n = String.length text in
  if n > 0 && text.[n - 1] = ' ' then without_blanks_at_end (String.sub text 0 (n - 1)) else text

let texts columns widths text =
  let pad column width =
    match column.align with
    | Left -> Printf.sprintf "%-*s" width (text column)
    | Right -> Printf.sprintf "%*s" width (text column)
  in
  without_blanks_at_end ("  " ^ String.concat "  " (List.map2 pad columns widths)) ^ "\n"

let titles columns widths = texts columns widths (fun column -> column.title)
let line columns widths row = texts columns widths (fun column -> column.cell row)
