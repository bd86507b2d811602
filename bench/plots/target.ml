let sprintf = Printf.sprintf

type bound = At_most of float | Less_than of float | At_least of float
type reading = Readings.t

type t = {
  name : string;
  bound : bound;
  unit_ : string;
  goal : bound option;
  command : string;
  speaks_of : string list;
  readings : Run.t -> reading list;
}

type verdict = Met | Partly_measured | Not_met | Not_measured
type judged = { target : t; readings : reading list; unmeasured : string list; verdict : verdict }

let make ?goal ?(unit_ = "x") ?(speaks_of = []) name bound command readings =
  { name; bound; unit_; goal; command; speaks_of; readings }

let verdicts = [ Met; Partly_measured; Not_met; Not_measured ]

let verdict_name = function
  | Met -> "met"
  | Partly_measured -> "met as far as measured"
  | Not_met -> "not met"
  | Not_measured -> "not measured"

(* {1 Judging} *)

let within bound x = match bound with At_most b -> x <= b | Less_than b -> x < b | At_least b -> x >= b

(* The worst values first, before them values that are not numbers. *)
let worst_first bound readings =
  let badness { Readings.value; _ } =
    if Float.is_nan value then Float.infinity
    else match bound with At_most _ | Less_than _ -> value | At_least _ -> -.value
  in
  List.stable_sort (fun a b -> Float.compare (badness b) (badness a)) readings

let judge runs (target : t) =
  let in_doubt, certain =
    List.partition
      (fun (r : reading) -> Option.is_some r.doubt)
      (worst_first target.bound (List.concat_map target.readings runs))
  in
  let is_measured bench = List.exists (fun (r : reading) -> String.equal r.bench bench) certain in
  let unmeasured = List.filter (fun bench -> not (is_measured bench)) target.speaks_of in
  let verdict =
    if certain = [] then Not_measured
    else if not (List.for_all (fun (r : reading) -> within target.bound r.value) certain) then Not_met
    else if unmeasured <> [] then Partly_measured
    else Met
  in
  { target; readings = certain @ in_doubt; unmeasured; verdict }

let tally judged =
  let count verdict =
    sprintf "%d %s" (List.length (List.filter (fun j -> j.verdict = verdict) judged)) (verdict_name verdict)
  in
  sprintf "%d targets: %s" (List.length judged) (String.concat ", " (List.map count verdicts))

(* {1 Text} *)

let value_text x ~unit_ =
  if x = Float.infinity then "none"
  else
    match unit_ with
    | "" -> Text.float x
    | "x" -> Text.float x ^ "x"
    | unit_ -> sprintf "%s %s" (Text.float x) unit_

let bound_text bound ~unit_ =
  let plain x = sprintf "%g%s" x (match unit_ with "" -> "" | "x" -> "x" | unit_ -> " " ^ unit_) in
  match bound with
  | At_most x -> "at most " ^ plain x
  | Less_than x -> "less than " ^ plain x
  | At_least x -> "at least " ^ plain x

let reading_text ~unit_ { Readings.value; what; doubt; _ } =
  let text = sprintf "%s (%s)" (value_text value ~unit_) what in
  match doubt with None -> text | Some doubt -> sprintf "%s; does not count: %s" text doubt

let most_named = 6

let named = function
  | [] -> ""
  | names when List.compare_length_with names most_named <= 0 -> "; not " ^ String.concat ", " names
  | names ->
      let shown = List.filteri (fun i _ -> i < most_named) names in
      sprintf "; not %s, and %d more" (String.concat ", " shown) (List.length names - most_named)

let coverage_text { target; unmeasured; verdict; _ } =
  match (target.speaks_of, verdict) with
  | [], _ | _, Not_measured -> ""
  | all, _ ->
      let n = List.length all in
      sprintf "%d of %d benchmarks measured" (n - List.length unmeasured) n ^ named unmeasured
