open Weft_bench_harness

(* As many digits as are needed to read the same number again. *)
let number x =
  let short = Printf.sprintf "%.15g" x in
  if Float.equal (float_of_string short) x then short else Printf.sprintf "%.17g" x

let cell = Weft_files.Foreign_text.cell
let option show = Option.fold ~none:"" ~some:show
let numbers xs = String.concat " " (List.map number xs)

let columns : (string * (Row.t -> string)) list =
  [
    ("bench", fun row -> cell row.bench);
    ("grain", fun row -> Row.grain_name row.grain);
    ("method", fun row -> cell row.method_);
    ("role", fun row -> Row.role_name row.role);
    ("paced", fun row -> string_of_bool row.paced);
    ("domains", fun row -> string_of_int row.domains);
    ("cutoff", fun row -> option string_of_int row.cutoff);
    ("size", fun row -> string_of_int row.size);
    ("seconds", fun row -> numbers row.seconds);
    ("median", fun row -> number row.median);
    ("min", fun row -> number row.min);
    ("ns_per_fork", fun row -> option number row.ns_per_fork);
    ("ratio_to_sequential", fun row -> option number row.ratio_to_sequential);
    ("ratio_to_default", fun row -> option number row.ratio_to_default);
    ("speed_up", fun row -> option number row.speed_up);
    ("check", fun row -> if Row.over_limit row then "over limit" else "ok");
    ("cpu_seconds", fun row -> number row.cpu_seconds);
    ("cpu_ratio", fun row -> option number row.cpu_ratio);
    ("cpu_runs", fun row -> numbers row.cpu_runs);
    ("voluntary_switches", fun row -> option number row.voluntary_switches);
    ("involuntary_switches", fun row -> option number row.involuntary_switches);
    ("minor_collections", fun row -> option number row.minor_collections);
    ("major_collections", fun row -> option number row.major_collections);
    ("peak_bytes", fun row -> option string_of_int row.peak_bytes);
  ]

let figure_titles rows =
  let titles (row : Row.t) = List.map (fun (figure : Row.figure) -> figure.title) row.figures in
  let add seen title = if List.mem title seen then seen else title :: seen in
  List.rev (List.fold_left add [] (List.concat_map titles rows))

let figure title (row : Row.t) =
  let is_it (figure : Row.figure) = String.equal figure.title title in
  option (fun (figure : Row.figure) -> number figure.middle) (List.find_opt is_it row.figures)

let of_results ({ rows; _ } : Results.t) =
  let columns = columns @ List.map (fun title -> (cell title, figure title)) (figure_titles rows) in
  let line cell = String.concat "," (List.map cell columns) ^ "\n" in
  String.concat "" (line fst :: List.map (fun row -> line (fun (_, cell) -> cell row)) rows)
