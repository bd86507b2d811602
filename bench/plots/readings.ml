open Weft_bench_harness

let sprintf = Printf.sprintf

type t = { what : string; bench : string; value : float; source : string; doubt : string option }

(* {1 Which rows} *)

type choice = Row.t -> bool

let bench name : choice = fun row -> String.equal row.bench name
let of_method name : choice = fun row -> String.equal row.method_ name
let on domains : choice = fun row -> row.domains = domains
let uncut : choice = fun row -> Option.is_none row.cutoff
let one_of names : choice = fun row -> List.mem row.bench names
let named_like prefix : choice = fun row -> String.starts_with ~prefix row.bench
let ours : choice = fun row -> Known.is_of_weft row.method_ && not row.paced

let in_case name : choice =
 fun row -> match Known.elastic row.bench with Some (case, _) -> String.equal case name | None -> false

let of_suites (row : Row.t) = Option.is_none (Known.elastic row.bench)
let of_kin kind (row : Row.t) = String.equal (Known.kind row.bench) kind

(* The rows without a cutoff or chunk, as of a program that chooses none; if a method has only rows with a
   cutoff, those. *)
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

let reading ?doubt (run : Run.t) (row : Row.t) value =
  { what = describe row; bench = Known.kind row.bench; value; source = run.source; doubt }

(* A reading for each chosen row and each [base] of the same run with [other row base] for which [value] is
   not [None]. *)
let pairs choice other value (run : Run.t) =
  let of_row row =
    let of_base base = Option.map (reading run row) (value row base) in
    List.filter_map of_base (List.filter (other row) run.rows)
  in
  List.concat_map of_row (chosen run choice)

let against choice other ratio = pairs choice other (fun row base -> Some (ratio row base))
let times (row : Row.t) (base : Row.t) = row.median /. base.median
let times_faster (row : Row.t) (base : Row.t) = base.median /. row.median
let sequential row other = Run.is_baseline other && Run.same_problem row other

let rival name (row : Row.t) (other : Row.t) =
  String.equal other.method_ name && Run.same_case row other && other.domains = row.domains

(* The same method and case on another number of domains. *)
let same_on domains (row : Row.t) (other : Row.t) =
  String.equal other.method_ row.method_ && Run.same_case row other && other.domains = domains

let figure_of title row = Option.map (fun (figure : Row.figure) -> figure.middle) (Run.figure title row)

let of_figure title choice (run : Run.t) =
  let of_row row = Option.map (reading run row) (figure_of title row) in
  List.filter_map of_row (chosen run choice)

(* The rate, divided by that of [other]. *)
let times_the_rate title choice other =
  pairs choice other (fun row base ->
      match (figure_of title row, figure_of title base) with
      | Some own, Some rate when rate > 0. -> Some (own /. rate)
      | _ -> None)

let above value choice other =
  pairs choice other (fun row base ->
      match (value row, value base) with Some own, Some least -> Some (own -. least) | _ -> None)

let cpu_ratio choice (run : Run.t) =
  List.filter_map (fun (row : Row.t) -> Option.map (reading run row) row.cpu_ratio) (chosen run choice)

let times_a_fork choice other =
  pairs choice other (fun (row : Row.t) (base : Row.t) ->
      match (row.ns_per_fork, base.ns_per_fork) with
      | Some own, Some ns when ns > 0. -> Some (own /. ns)
      | _ -> None)

let per_operation (row : Row.t) =
  if row.size > 0 then Some (row.median *. 1e9 /. float_of_int row.size) else None

let times_the_memory choice (run : Run.t) =
  let memory (row : Row.t) = Option.map float_of_int row.peak_bytes in
  let of_row row =
    match (memory row, Option.bind (Run.baseline run row) memory) with
    | Some own, Some base when base > 0. -> Some (reading run row (own /. base))
    | _ -> None
  in
  List.filter_map of_row (chosen run choice)

(* {1 METG} *)

(* The row has the figure if all runs have it. Otherwise the medians of the efficiencies give it. The size
   of a task in Task Bench is its share of the time of all domains. *)
let metg_of points row =
  match figure_of "METG ns" row with
  | Some ns -> ns
  | None ->
      let point (ns, percent) =
        let efficiency = percent /. 100. in
        { Weft_bench_suites.Metg.size = ns /. efficiency; efficiency }
      in
      Option.value (Weft_bench_suites.Metg.least_effective (List.map point points)) ~default:Float.infinity

let least_task choice (run : Run.t) =
  let of_row row =
    let points = List.filter (fun (_, percent) -> percent > 0.) (Efficiency.medians row) in
    let wrong = List.find_opt (fun (_, percent) -> percent > Efficiency.greatest) points in
    let doubt (ns, percent) =
      Printf.sprintf "%.0f %% of the time is work of tasks of %s: the work by itself was measured wrong"
        percent
        (Text.seconds (ns *. 1e-9))
    in
    if points = [] && Option.is_none (figure_of "METG ns" row) then None
    else Some (reading ?doubt:(Option.map doubt wrong) run row (metg_of points row))
  in
  List.filter_map of_row (chosen run choice)

(* {1 Chunks} *)

(* Compares the default setting with the fastest chunk of any method in OCaml. Programs in other languages
   do not count: they may be faster because of their compilers. *)
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
        [ reading run row (row.median /. best) ]
  in
  List.concat_map of_row (chosen run (all_of [ choice; uncut; of_method "loop" ]))

let number_of choice (run : Run.t) =
  match chosen run choice with
  | [] -> []
  | row :: _ as rows -> [ reading run row (float_of_int (List.length rows)) ]
