open Weft_bench_harness

type limits = { threshold : float; alpha : float }

let usual = { threshold = 1.05; alpha = 0.05 }
let gap = 2.

type verdict = Faster | Slower | Same | Too_few_runs

type line = {
  row : Side.row;
  runs_a : int;
  runs_b : int;
  a : float;
  b : float;
  ratio : float option;
  p : float;
  exact : bool;
  verdict : verdict;
}

type t = {
  a : Side.t;
  b : Side.t;
  limits : limits;
  lines : line list;
  only_a : Side.row list;
  only_b : Side.row list;
  differences : string list;
}

(* {1 Lines} *)

let lower_is_better : Side.measure -> bool = function
  | Seconds | Ratio -> true
  | Figure title -> Option.value (Figure.lower_is_better title) ~default:true

(* A run that was stopped would have taken at least its time limit. *)
let stopped_beyond (stopped : Side.row) (other : Side.row) =
  stopped.over_limit && (not other.over_limit)
  && List.for_all (fun time -> time < Row.median stopped.values) other.values

let least values = List.fold_left Float.min Float.infinity values
let greatest values = List.fold_left Float.max Float.neg_infinity values

(* Compares products instead of ratios, since values may be 0. *)
let far_apart below above =
  let least_below = least below and greatest_below = greatest below in
  let least_above = least above and greatest_above = greatest above in
  List.length below > 1
  && List.length above > 1
  && least_above > greatest_below
  && least_above >= gap *. greatest_below
  && least_above *. least_below >= greatest_below *. greatest_below
  && least_above *. least_above >= greatest_below *. greatest_above

(* [slow] and [quick] are the two medians, ordered so that [slow] is the greater if B is worse. *)
let judge limits ~(row_a : Side.row) ~(row_b : Side.row) ~quick ~slow ~p =
  let xs = row_a.values and ys = row_b.values in
  let enough = Mann_whitney.least_p (List.length xs) (List.length ys) <= limits.alpha in
  if stopped_beyond row_b row_a then Slower
  else if stopped_beyond row_a row_b then Faster
  else if not (enough || far_apart xs ys || far_apart ys xs) then Too_few_runs
  else if enough && p > limits.alpha then Same
  else if slow > quick && slow >= limits.threshold *. quick then Slower
  else if quick > slow && quick >= limits.threshold *. slow then Faster
  else Same

let line limits (row_a : Side.row) (row_b : Side.row) =
  let a = Row.median row_a.values and b = Row.median row_b.values in
  let { Mann_whitney.p; exact; _ } = Mann_whitney.test row_a.values row_b.values in
  let quick, slow = if lower_is_better row_a.subject.measure then (a, b) else (b, a) in
  {
    row = row_a;
    runs_a = List.length row_a.values;
    runs_b = List.length row_b.values;
    a;
    b;
    ratio = (if a > 0. && b > 0. then Some (slow /. quick) else None);
    p;
    exact;
    verdict = judge limits ~row_a ~row_b ~quick ~slow ~p;
  }

let by_subject (side : Side.t) =
  let table = Hashtbl.create 64 in
  List.iter (fun (row : Side.row) -> Hashtbl.replace table row.subject row) side.rows;
  table

(* {1 Differences} *)

(* Other possible causes of a difference, the most important first. *)
let facts (header : Header.t) =
  let or_unknown show = Option.fold ~none:"unknown" ~some:show in
  let { Header.machine; compiler; _ } = header in
  [
    ("processor", or_unknown Fun.id machine.model);
    ("processors", or_unknown string_of_int machine.affinity);
    ("processor quota", Option.fold ~none:"none" ~some:(Printf.sprintf "%g") machine.quota);
    ("virtual machine", or_unknown string_of_bool machine.hypervisor);
    ("kernel", or_unknown Fun.id machine.kernel);
    ("architecture", compiler.architecture);
    ("OCaml", compiler.version);
    ("flambda", string_of_bool compiler.flambda);
    ("profile", compiler.profile);
    ("flags", compiler.flags);
    ("minor heap", Printf.sprintf "%d words" header.minor_heap_words);
    ("default pool", Printf.sprintf "%d domains" header.default_domains);
    ("fence", header.fence);
    ("warm-up", string_of_bool header.warm_up);
  ]
  @ List.map (fun (name, value) -> (name, Option.value value ~default:"not set")) header.environment

let differences (a : Side.t) (b : Side.t) =
  let in_b = facts b.header in
  List.filter_map
    (fun (what, in_a) ->
      match List.assoc_opt what in_b with
      | Some in_b when not (String.equal in_a in_b) -> Some (Printf.sprintf "%s: %s and %s" what in_a in_b)
      | _ -> None)
    (facts a.header)
  @ List.filter_map
      (fun (name, in_a) ->
        match List.assoc_opt name b.header.versions with
        | Some in_b when not (String.equal in_a in_b) -> Some (Printf.sprintf "%s: %s and %s" name in_a in_b)
        | _ -> None)
      a.header.versions

(* {1 All} *)

let compare limits (a : Side.t) (b : Side.t) =
  let in_a = by_subject a and in_b = by_subject b in
  let both (row : Side.row) = Option.map (line limits row) (Hashtbl.find_opt in_b row.subject) in
  let not_in table (row : Side.row) = not (Hashtbl.mem table row.subject) in
  {
    a;
    b;
    limits;
    lines = List.filter_map both a.rows;
    only_a = List.filter (not_in in_b) a.rows;
    only_b = List.filter (not_in in_a) b.rows;
    differences = differences a b;
  }

let count verdict t = List.length (List.filter (fun line -> line.verdict = verdict) t.lines)

let geometric_mean ~plain t =
  match List.filter_map (fun line -> if line.row.plain = plain then line.ratio else None) t.lines with
  | [] -> None
  | ratios ->
      let logarithms = List.fold_left (fun sum ratio -> sum +. log ratio) 0. ratios in
      Some (exp (logarithms /. float_of_int (List.length ratios)))

let verdict_name = function
  | Faster -> "faster"
  | Slower -> "slower"
  | Same -> "same"
  | Too_few_runs -> "too few runs"

(* {1 JSON} *)

let option f = function None -> `Null | Some x -> f x
let float x = `Float x

let subject_to_json ({ bench; size; cutoff; method_; domains; measure } : Side.subject) =
  [
    ("bench", `String bench);
    ("method", `String method_);
    ("domains", `Int domains);
    ("cutoff", option (fun n -> `Int n) cutoff);
    ("size", `Int size);
    ("measure", `String (Side.measure_name measure));
  ]

let line_to_json line =
  `Assoc
    (subject_to_json line.row.subject
    @ [
        ("runs_a", `Int line.runs_a);
        ("runs_b", `Int line.runs_b);
        ("a", `Float line.a);
        ("b", `Float line.b);
        ("ratio", option float line.ratio);
        ("p", `Float line.p);
        ("exact", `Bool line.exact);
        ("verdict", `String (verdict_name line.verdict));
      ])

let side_to_json (side : Side.t) =
  `Assoc [ ("file", `String side.path); ("header", Header.to_json side.header) ]

let to_json t : Yojson.Safe.t =
  let only rows = `List (List.map (fun (row : Side.row) -> `Assoc (subject_to_json row.subject)) rows) in
  let counted verdict = (verdict_name verdict, `Int (count verdict t)) in
  `Assoc
    [
      ("schema", `Int Header.schema);
      ("kind", `String "comparison");
      ("a", side_to_json t.a);
      ("b", side_to_json t.b);
      ("threshold", `Float t.limits.threshold);
      ("alpha", `Float t.limits.alpha);
      ("rows", `List (List.map line_to_json t.lines));
      ("only_in_a", only t.only_a);
      ("only_in_b", only t.only_b);
      ("differences", `List (List.map (fun text -> `String text) t.differences));
      ("verdicts", `Assoc (List.map counted [ Faster; Slower; Same; Too_few_runs ]));
      ("geometric_mean", option float (geometric_mean ~plain:false t));
      ("geometric_mean_of_plain_programs", option float (geometric_mean ~plain:true t));
    ]
