(* A block: a benchmark at one size and one cutoff. *)
type block = { bench : string; size : int; cutoff : int option }

let block_of (row : Row.t) = { bench = row.bench; size = row.size; cutoff = row.cutoff }

let heading { bench; size; cutoff } =
  Printf.sprintf "%s %d, %s" bench size
    (match cutoff with None -> "no cutoff" | Some c -> Printf.sprintf "cutoff %d" c)

let columns = [ "domains"; "method"; "median ms"; "min ms"; "ns/fork"; "x sequential"; "speed-up" ]
let milliseconds seconds = Printf.sprintf "%.3f" (seconds *. 1e3)

let cells (row : Row.t) =
  let optional format = function None -> "-" | Some x -> Printf.sprintf format x in
  [
    string_of_int row.domains;
    row.method_;
    milliseconds row.median;
    milliseconds row.min;
    optional "%.2f" row.ns_per_fork;
    optional "%.2f" row.ratio_to_sequential;
    optional "%.2f" (if row.baseline then None else row.speed_up);
  ]

let left_aligned = 1 (* the method *)

let line widths cells =
  let pad column (width, cell) =
    if column = left_aligned then Printf.sprintf "%-*s" width cell else Printf.sprintf "%*s" width cell
  in
  "  " ^ String.concat "  " (List.mapi pad (List.combine widths cells)) ^ "\n"

let same_problem (a : Row.t) (b : Row.t) = String.equal a.bench b.bench && a.size = b.size

(* A baseline has no cutoff and is shown in every block of its problem; it makes a block only if there is nothing
   else to show. *)
let blocks rows =
  let is_shown_elsewhere (row : Row.t) =
    row.baseline && List.exists (fun (other : Row.t) -> (not other.baseline) && same_problem row other) rows
  in
  let add blocks row =
    let block = block_of row in
    if is_shown_elsewhere row || List.mem block blocks then blocks else blocks @ [ block ]
  in
  List.fold_left add [] rows

let rows_of block rows =
  let is_baseline (row : Row.t) = row.baseline && block_of { row with cutoff = block.cutoff } = block in
  let is_other (row : Row.t) = (not row.baseline) && block_of row = block in
  List.filter is_baseline rows @ List.filter is_other rows

let render rows =
  let widths =
    List.fold_left
      (fun widths row -> List.map2 (fun width cell -> max width (String.length cell)) widths (cells row))
      (List.map String.length columns) rows
  in
  let lines_of block =
    String.concat "" (List.map (fun row -> line widths (cells row)) (rows_of block rows))
  in
  String.concat "\n"
    (List.map (fun block -> heading block ^ "\n" ^ line widths columns ^ lines_of block) (blocks rows))
