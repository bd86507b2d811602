open Recorded

let duration ns =
  let ns' = float_of_int ns in
  if ns >= 1_000_000_000 then Printf.sprintf "%.2f s" (ns' *. 1e-9)
  else if ns >= 1_000_000 then Printf.sprintf "%.2f ms" (ns' *. 1e-6)
  else if ns >= 1_000 then Printf.sprintf "%.2f us" (ns' *. 1e-3)
  else Printf.sprintf "%d ns" ns

let ratio x = if x >= 1000. then Printf.sprintf "%.0f" x else Printf.sprintf "%.3g" x
let parallelism f = Weft.Profile.parallelism (Curve.figures f)
let burdened_parallelism (f : figures) = parallelism { f with span = f.burdened }

(* Each column is as wide as its widest cell; the first column is aligned to the left. *)
let table rows =
  let widths =
    List.fold_left
      (fun widths row -> List.map2 (fun w cell -> max w (String.length cell)) widths row)
      (List.map (fun _ -> 0) (List.hd rows))
      rows
  in
  let line row =
    let cell i width text =
      if i = 0 then Printf.sprintf "%-*s" width text else Printf.sprintf "%*s" width text
    in
    String.trim (String.concat "  " (List.mapi (fun i (w, t) -> cell i w t) (List.combine widths row))) ^ "\n"
  in
  String.concat "" (List.map line rows)

let percent part whole =
  if whole = 0 then "-" else Printf.sprintf "%.0f %%" (100. *. float_of_int part /. float_of_int whole)

(* --- regions --- *)

let shown_name t r = Weft_files.Foreign_text.ascii (name t r)

let by_path (t : t) =
  List.stable_sort (fun (a : region) b -> Int.compare b.on_path a.on_path) (Array.to_list t.regions)

let region_rows (t : t) =
  let row name calls (f : figures) on_path =
    [
      name;
      calls;
      duration f.work;
      duration f.span;
      duration f.burdened;
      ratio (parallelism f);
      ratio (burdened_parallelism f);
      percent on_path t.total.span;
    ]
  in
  [ "region"; "calls"; "work"; "span"; "burdened"; "parallelism"; "burdened"; "of the span" ]
  :: row "(all)" "" t.total t.total.span
  :: List.map
       (fun (r : region) -> row (shown_name t r) (string_of_int r.calls) r.figures r.on_path)
       (by_path t)
  @
  if t.elsewhere > 0 && Array.length t.regions > 0 then
    [ [ "(in no region)"; ""; ""; ""; ""; ""; ""; percent t.elsewhere t.total.span ] ]
  else []

(* --- the curve --- *)

let speed_up_measured measured workers =
  match (List.assoc_opt 1 measured, List.assoc_opt workers measured) with
  | Some one, Some several when several > 0. -> Some (one /. several)
  | _ -> None

let curve_rows ~measured (c : Curve.t) =
  let head = [ "workers"; "at least"; "simulated"; "at most" ] in
  let point (p : Curve.point) =
    let simulated = match p.simulated with Some s -> ratio s | None -> "-" in
    [ string_of_int p.workers; ratio p.lower; simulated; ratio p.upper ]
  in
  let with_measured (p : Curve.point) row =
    if measured = [] then row
    else row @ [ (match speed_up_measured measured p.workers with Some s -> ratio s | None -> "") ]
  in
  (if measured = [] then head else head @ [ "measured" ])
  :: List.map (fun p -> with_measured p (point p)) c.points

(* --- what limits --- *)

(* What runs outside pools is not in the profile: it is sequential, as far as Weft is concerned. *)
let least_outside = 0.05
let is_much ns (t : t) = float_of_int ns >= least_outside *. float_of_int (t.total.work + ns)
let most_with ns (t : t) = float_of_int (t.total.work + ns) /. float_of_int (max 1 (t.total.span + ns))

let verdict (t : t) =
  let f = t.total in
  if f.work = 0 then "The program computed nothing in Weft's pools."
  else
    let most = parallelism f in
    let enough = Curve.enough f in
    let scales =
      let of_pools most =
        match t.outside with
        | Some ns when is_much ns t ->
            Printf.sprintf
              "No number of workers makes the program more than %s times as fast as one does: it computes \
               for %s outside Weft's pools. In them it gets at most %s times as fast"
              (ratio (most_with ns t))
              (duration ns) most
        | _ -> Printf.sprintf "No number of workers makes it more than %s times as fast as one does" most
      in
      Printf.sprintf "%s; %s."
        (of_pools (ratio most))
        (if enough >= 2 then Printf.sprintf "about %d (a tenth of that) are kept busy without effort" enough
         else if most >= 8. then "that is enough for two workers, and little for more"
         else "that is little to share, even for two")
    in
    let limits =
      match Curve.limit t with
      | Some r ->
          Printf.sprintf " What limits is region %s: %s of the span lie in it." (shown_name t r)
            (percent r.on_path f.span)
      | None when Array.length t.regions = 0 ->
          " To learn what limits, name parts of the program by Weft.Profile.region."
      | None -> Printf.sprintf " What limits lies in no region: %s of the span." (percent t.elsewhere f.span)
    in
    let fine =
      if f.burdened > 2 * f.span && burdened_parallelism f < 100. then
        Printf.sprintf " With what steals cost, the longest chain is %s times as long: the parts are small."
          (ratio (float_of_int f.burdened /. float_of_int (max 1 f.span)))
      else ""
    in
    scales ^ limits ^ fine

(* --- against a sequential program --- *)

type against = { command : string; seconds : float; weft : (int * float) list }

let nanoseconds seconds = Float.to_int (seconds *. 1e9)

(* Whole runs of medians differ by some hundredths by chance. *)
let least_difference = 0.05

let comparison ~program a =
  let shown = Weft_files.Foreign_text.line in
  let one = List.assoc 1 a.weft /. a.seconds in
  let times (domains, seconds) =
    Printf.sprintf "%s on %d %s"
      (duration (nanoseconds seconds))
      domains
      (if domains = 1 then "domain" else "domains")
  in
  let costs =
    if one > 1. +. least_difference then
      Printf.sprintf
        "On one domain it takes %s times as long: its forks, loops or copies cost that much, and nothing \
         below shows them. Make its parts larger first."
        (ratio one)
    else if one < 1. -. least_difference then
      Printf.sprintf "On one domain it takes only %s of the time: the two may not do the same work."
        (ratio one)
    else "On one domain it takes as long."
  in
  Printf.sprintf "Whole runs: `%s` takes %s, %s %s.\n%s\n\n" (shown a.command)
    (duration (nanoseconds a.seconds))
    program
    (String.concat ", " (List.map times a.weft))
    costs

let text ?(measured = []) ?against ~program (t : t) (c : Curve.t) =
  let program = Weft_files.Foreign_text.line program in
  let head =
    Printf.sprintf "%s: work %s, span %s, parallelism %s\n\n" program (duration t.total.work)
      (duration t.total.span)
      (ratio (parallelism t.total))
  in
  let settings =
    Printf.sprintf
      "A steal is taken to cost %s; measuring took %s, which are subtracted. Parts of less than %s are not \
       told apart in the simulation%s.\n"
      (duration t.burden) (duration t.overhead) (duration t.grain)
      (if t.is_cut then ", which is left out: the graph is too large" else "")
  in
  let overlap =
    if Array.length t.regions = 0 then "" else "Spans of regions are added up over their calls.\n"
  in
  Option.fold against ~none:"" ~some:(comparison ~program)
  ^ head
  ^ table (region_rows t)
  ^ "\nSpeed-up over one worker\n"
  ^ table (curve_rows ~measured c)
  ^ "\n" ^ verdict t ^ "\n" ^ overlap ^ settings

(* --- JSON --- *)

let utf_8 = Weft_files.Foreign_text.utf_8

let figures_to_json (f : figures) =
  let number x = if Float.is_finite x then `Float x else `Null in
  [
    ("work_ns", `Int f.work);
    ("span_ns", `Int f.span);
    ("burdened_span_ns", `Int f.burdened);
    ("parallelism", number (parallelism f));
    ("burdened_parallelism", number (burdened_parallelism f));
  ]

let point_to_json ~measured (p : Curve.point) =
  let optional = function Some x -> `Float x | None -> `Null in
  `Assoc
    [
      ("workers", `Int p.workers);
      ("lower_bound", `Float p.lower);
      ("simulated", optional p.simulated);
      ("upper_bound", `Float p.upper);
      ("measured", optional (speed_up_measured measured p.workers));
    ]

let curve_to_json ?(measured = []) (c : Curve.t) = `List (List.map (point_to_json ~measured) c.points)
let seconds_by_domains measured = `Assoc (List.map (fun (n, s) -> (string_of_int n, `Float s)) measured)

let against_to_json a =
  `Assoc
    [
      ("command", `String (utf_8 a.command));
      ("seconds", `Float a.seconds);
      ("program_seconds", seconds_by_domains a.weft);
    ]

let json ?(measured = []) ?against ~program (t : t) (c : Curve.t) : Yojson.Safe.t =
  let workers = List.map (fun (p : Curve.point) -> p.workers) c.points in
  let region (r : region) =
    `Assoc
      ([ ("name", `String (utf_8 (name t r))); ("calls", `Int r.calls) ]
      @ figures_to_json r.figures
      @ [
          ("own_work_ns", `Int r.own);
          ("on_path_ns", `Int r.on_path);
          ("curve", curve_to_json (Curve.of_region ~workers r));
        ])
  in
  `Assoc
    [
      ("program", `List (List.map (fun word -> `String (utf_8 word)) program));
      ("total", `Assoc (figures_to_json t.total));
      ("elsewhere_ns", `Int t.elsewhere);
      ("outside_ns", match t.outside with Some ns -> `Int ns | None -> `Null);
      ("burden_ns", `Int t.burden);
      ("steal_ns", `Int c.steal);
      ("overhead_ns", `Int t.overhead);
      ("grain_ns", `Int t.grain);
      ("graph_complete", `Bool (not t.is_cut));
      ("limit", match Curve.limit t with Some r -> `String (utf_8 (name t r)) | None -> `Null);
      ("verdict", `String (verdict t));
      ("curve", curve_to_json ~measured c);
      ("measured_seconds", seconds_by_domains measured);
      ("against", Option.fold against ~none:`Null ~some:against_to_json);
      ("regions", `List (List.map region (by_path t)));
    ]
