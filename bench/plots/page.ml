open Weft_bench_harness

type figure = { chart : Chart.t; picture : string; files : string list }

let sprintf = Printf.sprintf
let title = "Weft: benchmarks"

(* The page breaks lines only between words, not after the dashes of options. *)
let code words =
  let word w = Html.element "span" [ Html.text w ] in
  let line words = List.map word (String.split_on_char ' ' words) in
  let joined by parts =
    Html.all (List.mapi (fun i part -> if i = 0 then part else Html.all [ Html.text by; part ]) parts)
  in
  let lines = List.map (fun text -> joined " " (line text)) (String.split_on_char '\n' words) in
  Html.element "pre"
    (List.mapi (fun i line -> if i = 0 then line else Html.all [ Html.raw "\n"; line ]) lines)

let heading level ~id words = Html.element level ~attributes:[ ("id", id) ] [ Html.text words ]

(* {1 Targets} *)

let verdict_class : Targets.verdict -> string = function
  | Met -> "met"
  | Partly_measured -> "partly"
  | Not_met -> "not-met"
  | Not_measured -> "not-measured"

(* Shows the worst reading. If there are several, also how many are within the bound, and a list of all. *)
let measured ({ target; readings; _ } as judged : Targets.judged) =
  let show = Targets.reading_text ~unit_:target.unit_ in
  let coverage =
    match Targets.coverage_text judged with
    | "" -> Html.nothing
    | text ->
        let how = if judged.unmeasured = [] then Html.nothing else code target.command in
        Html.all [ Html.element "p" [ Html.text (text ^ ".") ]; how ]
  in
  let certain = List.filter (fun (r : Targets.reading) -> Option.is_none r.doubt) readings in
  let within = List.filter (fun (r : Targets.reading) -> Targets.within target.bound r.value) certain in
  match readings with
  | [] -> Html.all [ Html.text "- "; code target.command ]
  | [ one ] -> Html.all [ Html.text (show one); coverage ]
  | worst :: _ ->
      let line reading = Html.element "li" [ Html.text (show reading) ] in
      Html.all
        [
          Html.text
            (sprintf "%s; %d of %d within the target" (show worst) (List.length within) (List.length certain));
          coverage;
          Html.element "details"
            [ Html.element "summary" [ Html.text "all" ]; Html.element "ul" (List.map line readings) ];
        ]

let target_row (judged : Targets.judged) =
  let target = judged.target in
  let words = Targets.verdict_name judged.verdict and of_class = verdict_class judged.verdict in
  let cell name content = Html.element "td" ~attributes:[ ("data-name", name) ] [ content ] in
  let goal =
    match target.goal with
    | None -> ""
    | Some goal -> sprintf " (goal: %s)" (Targets.bound_text goal ~unit_:target.unit_)
  in
  Html.element "tr"
    [
      Html.element "td" [ Html.text target.name ];
      cell "target" (Html.text (Targets.bound_text target.bound ~unit_:target.unit_ ^ goal));
      cell "measured" (measured judged);
      Html.element "td"
        ~attributes:[ ("class", "verdict") ]
        [ Html.element "span" ~attributes:[ ("class", of_class) ] [ Html.text words ] ];
    ]

(* A quick run only shows that the benchmarks work. *)
let doubts (h : Header.t) =
  [
    (if h.compiler.profile = "release" then ""
     else "Not built for release: nothing is inlined across modules, so these times are no figures.");
    (match h.failed with
    | Some what -> sprintf "The run was ended by a failure, so rounds or benchmarks are missing: %s." what
    | None when h.interrupted ->
        "The run was interrupted: some of its rounds are missing, and perhaps some benchmarks."
    | None -> "");
    (if h.runs >= 3 && not (List.mem "--quick" h.command) then ""
     else "A short run, of few rounds or small sizes: what it says of the targets is a hint at most.");
  ]

(* Lists each remark once, with the files that it is about, unless it is about all. *)
let warnings (runs : Run.t list) =
  let speaks_of words (run : Run.t) = List.mem words (doubts run.header) in
  let warning words =
    match (words, List.partition (speaks_of words) runs) with
    | "", _ -> Html.nothing
    | words, (_, []) -> Html.paragraph words
    | words, (some, _) ->
        let files = String.concat ", " (List.map (fun (run : Run.t) -> run.source) some) in
        Html.paragraph (sprintf "%s: %s" files words)
  in
  let all = List.concat_map (fun (run : Run.t) -> doubts run.header) runs in
  Html.all (List.map warning (Run.distinct String.equal all))

let targets runs judged =
  let head =
    List.map (fun words -> Html.element "th" [ Html.text words ]) [ "what"; "target"; "measured"; "" ]
  in
  Html.all
    [
      heading "h2" ~id:"targets" "Targets";
      Html.element "p" ~attributes:[ ("class", "tally") ] [ Html.text (Targets.tally judged ^ ".") ];
      Html.paragraph
        "Medians of one interleaved run, or ratios of them. Where a target speaks of several measurements, \
         the worst of them is shown and decides; where it speaks of several benchmarks, it is met once all \
         of them were measured. Where something was not measured, the command says what would.";
      warnings runs;
      Html.element "table"
        ~attributes:[ ("class", "targets") ]
        [ Html.element "thead" [ Html.element "tr" head ]; Html.element "tbody" (List.map target_row judged) ];
    ]

(* {1 Where and how} *)

let known show = Option.fold ~none:"unknown" ~some:show
let percent share = sprintf "%.1f %%" (100. *. share)

let facts (h : Header.t) =
  let m = h.machine and c = h.compiler in
  let set =
    List.filter_map (fun (name, value) -> Option.map (fun value -> name ^ "=" ^ value) value) h.environment
  in
  [
    ("measured", sprintf "%s, with Weft %s" h.date h.weft);
    ( "rounds",
      sprintf "%d%s, interleaved" h.runs (if h.warm_up then ", and one before them to warm up" else "") );
    ("processor", known Fun.id m.model);
    ( "processors",
      sprintf "%s online, %s may be used%s" (known string_of_int m.processors)
        (known string_of_int m.affinity)
        (Option.fold m.quota ~none:"" ~some:(sprintf ", for the time of %g")) );
    ("kernel", known Fun.id m.kernel);
    ("virtual machine", known (fun b -> if b then "yes" else "no") m.hypervisor);
    ("time stolen meanwhile", known percent h.stolen_share);
    ( "load before, after",
      sprintf "%s, %s" (known (sprintf "%.2f") h.load_before) (known (sprintf "%.2f") h.load_after) );
    ( "OCaml",
      sprintf "%s for %s, %s flambda, %s profile%s" c.version c.architecture
        (if c.flambda then "with" else "without")
        c.profile
        (if c.flags = "" then "" else ", " ^ c.flags) );
    ("minor heap", sprintf "%s words" (Text.float (float_of_int h.minor_heap_words)));
    ("default pool", sprintf "%d domains; barriers by the %s" h.default_domains h.fence);
    ( "missing",
      if h.missing = [] then "none"
      else String.concat "; " (List.map (fun (name, reason) -> name ^ ": " ^ reason) h.missing) );
    ( "compared with",
      if h.versions = [] then "no other library or language"
      else String.concat "; " (List.map (fun (name, version) -> name ^ ": " ^ version) h.versions) );
    ("environment", if set = [] then "nothing set" else String.concat " " set);
  ]

let commands ~several (run : Run.t) =
  Html.all
    [
      (if several then Html.element "h3" [ Html.text run.source ] else Html.nothing);
      code (String.concat " " (List.map Text.shell run.header.command));
    ]

(* A column for each file; a value that is the same in all files stands there once. *)
let where ~several (runs : Run.t list) =
  let columns = List.map (fun (run : Run.t) -> facts run.header) runs in
  let names = match columns with [] -> [] | first :: _ -> List.map fst first in
  let cell ?attributes text = Html.element "td" ?attributes [ Html.text text ] in
  let row name =
    let cells =
      match Run.distinct String.equal (List.map (List.assoc name) columns) with
      | [ same ] when several ->
          [ cell same ~attributes:[ ("colspan", string_of_int (List.length columns)) ] ]
      | _ -> List.map (fun facts -> cell (List.assoc name facts)) columns
    in
    Html.element "tr" (cell name :: cells)
  in
  let title (run : Run.t) = Html.element "th" [ Html.text run.source ] in
  let head = if several then [ Html.element "tr" (Html.element "th" [] :: List.map title runs) ] else [] in
  Html.all
    [
      heading "h2" ~id:"machine" "Machine and commands";
      Html.all (List.map (commands ~several) runs);
      Html.element "div"
        ~attributes:[ ("class", "scroll") ]
        [ Html.element "table" [ Html.element "thead" head; Html.element "tbody" (List.map row names) ] ];
    ]

(* {1 Rows} *)

let is_bucket (figure : Row.figure) = Option.is_some (Figure.bucket_of_title figure.title)

(* The columns that have a value in some row. *)
let columns (rows : Row.t list) =
  let figures =
    List.concat_map (fun (row : Row.t) -> List.filter (fun f -> not (is_bucket f)) row.figures) rows
  in
  let titles = Run.distinct String.equal (List.map (fun (f : Row.figure) -> f.title) figures) in
  let optional name get = (name, fun row -> Option.fold (get row) ~none:"-" ~some:Text.float) in
  let extreme choose first (row : Row.t) = Text.seconds (List.fold_left choose first row.seconds) in
  let all : (string * (Row.t -> string)) list =
    [
      ("median", fun (row : Row.t) -> Text.seconds row.median);
      ("least", extreme Float.min Float.infinity);
      ("greatest", extreme Float.max Float.neg_infinity);
      optional "x sequential" (fun (row : Row.t) -> row.ratio_to_sequential);
      optional "x default" (fun (row : Row.t) -> row.ratio_to_default);
      optional "speed-up" (fun (row : Row.t) -> if Run.is_plain row then None else row.speed_up);
      optional "ns/fork" (fun (row : Row.t) -> row.ns_per_fork);
      ("CPU", fun (row : Row.t) -> Text.seconds row.cpu_seconds);
      optional "CPU x sequential" (fun (row : Row.t) -> row.cpu_ratio);
      optional "peak MiB" (fun (row : Row.t) ->
          Option.map (fun bytes -> float_of_int bytes /. 1048576.) row.peak_bytes);
    ]
    @ List.map
        (fun title ->
          optional title (fun row -> Option.map (fun (f : Row.figure) -> f.middle) (Run.figure title row)))
        titles
  in
  List.filter (fun (_, cell) -> List.exists (fun row -> cell row <> "-") rows) all

(* A plain program has no cutoff. *)
let case (row : Row.t) = if Run.is_plain row then Run.case { row with grain = Fixed } else Run.case row

let table_of rows =
  let columns = columns rows in
  let line (row : Row.t) =
    List.map Html.text
      ([ case row; row.method_; string_of_int row.domains ] @ List.map (fun (_, cell) -> cell row) columns)
  in
  Html.table ~of_class:"rows"
    ~head:([ "case"; "method"; "domains" ] @ List.map fst columns)
    ~numbers:(fun i -> i >= 2)
    (List.map line rows)

let tables ~several runs bench =
  let of_run (run : Run.t) =
    match List.filter (fun (row : Row.t) -> String.equal row.bench bench) run.rows with
    | [] -> Html.nothing
    | rows -> Html.all [ (if several then Html.paragraph run.source else Html.nothing); table_of rows ]
  in
  Html.all (List.map of_run runs)

(* {1 Figures} *)

let figure { chart; picture; files } =
  let link file = Html.element "a" ~attributes:[ ("href", file) ] [ Html.text (Filename.extension file) ] in
  let links =
    match files with
    | [] -> Html.nothing
    | _ ->
        Html.element "p"
          (Html.text "File: " :: List.concat_map (fun file -> [ link file; Html.text " " ]) files)
  in
  Html.all
    [
      Html.element "figure"
        [
          Html.raw picture;
          Html.element "figcaption" [ Html.paragraph chart.caption; code chart.command; links ];
        ];
      Html.raw "\n";
    ]

let section ~several runs figures i bench =
  let own = List.filter (fun { chart; _ } -> String.equal chart.bench bench) figures in
  Html.all
    [
      heading "h2" ~id:(sprintf "part-%d" i) bench;
      (if own = [] then Html.nothing
       else Html.element "div" ~attributes:[ ("class", "figures") ] (List.map figure own));
      tables ~several runs bench;
    ]

(* {1 The page} *)

let palette =
  let set get =
    String.concat " " (List.map (fun c -> sprintf "%s: %s;" c.Palette.variable (get c)) Palette.all)
  in
  let light = sprintf ":root { %s }\n" (set (fun c -> c.Palette.light)) in
  light
  ^ sprintf "@media (prefers-color-scheme: dark) { :root { %s } }\n" (set (fun c -> c.Palette.dark))
  ^ sprintf "@media print { %s }\n" light

(* The page loads nothing, and forbids the browser to load anything. *)
let head =
  "<meta charset=\"utf-8\">\n\
   <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
   <meta name=\"generator\" content=\"weft plot\">\n\
   <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
  ^ sprintf "<title>%s</title>\n<style>\n%s%s</style>\n" title palette Style.css

(* A long list above the targets would hide them. *)
let contents entries =
  let list = Html.element "ul" entries in
  let n = List.length entries in
  if n <= 24 then list
  else Html.element "details" [ Html.element "summary" [ Html.text (sprintf "%d benchmarks" n) ]; list ]

let render ~(runs : Run.t list) ~judged ~figures =
  let several = List.compare_length_with runs 1 > 0 in
  let of_figures = List.map (fun { chart; _ } -> chart.bench) figures in
  let of_rows =
    List.concat_map (fun (run : Run.t) -> List.map (fun (row : Row.t) -> row.bench) run.rows) runs
  in
  let overviews = List.filter (fun bench -> not (List.mem bench of_rows)) of_figures in
  let benches = Run.distinct String.equal (overviews @ of_rows) in
  let entry i bench =
    Html.element "li" [ Html.element "a" ~attributes:[ ("href", sprintf "#part-%d" i) ] [ Html.text bench ] ]
  in
  let sources =
    String.concat ", " (List.map (fun (run : Run.t) -> sprintf "%s (%s)" run.source run.header.date) runs)
  in
  let body =
    Html.all
      [
        Html.element "h1" [ Html.text title ];
        Html.paragraph (sprintf "From %s." sources);
        Html.element "nav" [ contents (List.mapi entry benches) ];
        targets runs judged;
        where ~several runs;
        Html.all (List.mapi (section ~several runs figures) benches);
      ]
  in
  sprintf "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n%s</head>\n<body>\n%s</body>\n</html>\n" head
    (Html.to_string body)
