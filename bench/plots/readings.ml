open Weft_bench_harness

let sprintf = Printf.sprintf

type t = { what : string; value : float; source : string }

(* {1 Which rows} *)

type choice = Row.t -> bool

let bench name : choice = fun row -> String.equal row.bench name
let of_method name : choice = fun row -> String.equal row.method_ name
let on domains : choice = fun row -> row.domains = domains
let uncut : choice = fun row -> Option.is_none row.cutoff
let one_of names : choice = fun row -> List.mem row.bench names
let named_like prefix : choice = fun row -> String.starts_with ~prefix row.bench
let ours : choice = fun row -> Known.is_of_weft row.method_ && not row.paced

(* Of cutoffs and chunks, only what a program gets that chooses none; where all cases have a cutoff, those. *)
let usual (run : Run.t) : choice =
 fun row ->
  let uncut (other : Row.t) =
    Option.is_none other.cutoff && Run.same_problem row other && String.equal row.method_ other.method_
  in
  Option.is_none row.cutoff || not (List.exists uncut run.rows)

let all_of (choices : choice list) : choice = fun row -> List.for_all (fun choice -> choice row) choices
let chosen (run : Run.t) choice = List.filter choice run.rows

(* {1 Readings} *)

let on_domains n = sprintf "%d domain%s" n (if n = 1 then "" else "s")
let describe (row : Row.t) = sprintf "%s, %s, %s" (Run.case row) row.method_ (on_domains row.domains)

(* [against choice other ratio run] is [ratio row base] for each row that is chosen and each [base] of the same run with
   [other row base]. *)
let against choice other ratio (run : Run.t) =
  let of_row row =
    let reading base = { what = describe row; value = ratio row base; source = run.source } in
    List.map reading (List.filter (other row) run.rows)
  in
  List.concat_map of_row (chosen run choice)

let times (row : Row.t) (base : Row.t) = row.median /. base.median
let times_faster (row : Row.t) (base : Row.t) = base.median /. row.median
let sequential row other = Run.is_baseline other && Run.same_problem row other

let rival name (row : Row.t) (other : Row.t) =
  String.equal other.method_ name && Run.same_case row other && other.domains = row.domains

(* The same on another number of domains. *)
let same_on domains (row : Row.t) (other : Row.t) =
  String.equal other.method_ row.method_ && Run.same_case row other && other.domains = domains

let of_figure title choice (run : Run.t) =
  let reading row =
    Option.map
      (fun (figure : Row.figure) -> { what = describe row; value = figure.middle; source = run.source })
      (Run.figure title row)
  in
  List.filter_map reading (chosen run choice)

(* How many times as many a second as [other]. *)
let times_the_rate title choice other (run : Run.t) =
  let rate row = Option.map (fun (figure : Row.figure) -> figure.middle) (Run.figure title row) in
  let of_row row =
    let reading base =
      match (rate row, rate base) with
      | Some own, Some rate when rate > 0. ->
          Some { what = describe row; value = own /. rate; source = run.source }
      | _ -> None
    in
    List.filter_map reading (List.filter (other row) run.rows)
  in
  List.concat_map of_row (chosen run choice)

let times_the_memory choice (run : Run.t) =
  let memory (row : Row.t) = Option.map float_of_int row.peak_bytes in
  let of_row row =
    match (memory row, Option.bind (Run.baseline run row) memory) with
    | Some own, Some base when base > 0. ->
        [ { what = describe row; value = own /. base; source = run.source } ]
    | _ -> []
  in
  List.concat_map of_row (chosen run choice)

(* The default setting, against the fastest chunk that any method in OCaml was forced to: what other compilers make of the body is not
   the chunk's merit. *)
let times_the_best_chunk choice (run : Run.t) =
  let of_row (row : Row.t) =
    let forced (other : Row.t) =
      Option.is_some other.cutoff && Run.same_problem row other && other.domains = row.domains
      && not (Known.is_foreign other.method_)
    in
    match List.map (fun (row : Row.t) -> row.median) (List.filter forced run.rows) with
    | [] -> []
    | medians ->
        let best = List.fold_left Float.min Float.infinity medians in
        [ { what = describe row; value = row.median /. best; source = run.source } ]
  in
  List.concat_map of_row (chosen run (all_of [ choice; uncut; of_method "loop" ]))

let number_of choice (run : Run.t) =
  match chosen run choice with
  | [] -> []
  | row :: _ as rows ->
      [ { what = describe row; value = float_of_int (List.length rows); source = run.source } ]
