let report_name = "report.html"
let in_ = Filename.concat

let charts_of colours run =
  List.concat_map
    (fun make -> make colours run)
    [
      Comparisons.speed_ups;
      Comparisons.per_fork;
      Sweeps.by_domains;
      Sweeps.by_cutoff;
      Sweeps.by_size;
      Fun.const Efficiency.by_task_size;
      Comparisons.per_operation;
      Fun.const Distributions.all;
    ]

(* If there are several files, each figure names its own. *)
let charts runs =
  let colours = Colours.of_runs runs in
  let several = List.compare_length_with runs 1 > 0 in
  let of_run (run : Run.t) =
    let sourced (chart : Chart.t) =
      if several then { chart with caption = Printf.sprintf "%s From %s." chart.caption run.source }
      else chart
    in
    List.map sourced (charts_of colours run)
  in
  let all = List.concat_map of_run runs in
  let names = Text.distinct (List.map (fun (chart : Chart.t) -> Text.file_name chart.name) all) in
  List.map2 (fun (chart : Chart.t) name -> { chart with name }) all names

type outcome = { figures : int; targets : Targets.judged list }

let ( let* ) = Result.bind

let rec all_ok f = function
  | [] -> Ok []
  | x :: rest ->
      let* y = f x in
      let* ys = all_ok f rest in
      Ok (y :: ys)

let file (chart : Chart.t) format = Printf.sprintf "%s.%s" chart.name (Script.suffix format)
let read path = In_channel.with_open_bin path In_channel.input_all

(* Pictures for the page are always drawn, under names that no figure has. *)
let for_page i = Printf.sprintf ".page-%d.svg" i

let picture place formats i (chart : Chart.t) =
  let* picture =
    Svg.inline ~prefix:(Printf.sprintf "f%d-" i)
      ~label:(chart.title ^ ". " ^ chart.caption)
      (read (in_ place (for_page i)))
  in
  Ok { Page.chart; picture; files = List.map (file chart) formats }

let build gnuplot runs judged charts formats place =
  let for_files =
    List.concat_map (fun chart -> List.map (fun f -> (file chart f, f, chart)) formats) charts
  in
  let for_the_page = List.mapi (fun i chart -> (for_page i, Script.Svg, chart)) charts in
  let* () = if charts = [] then Ok () else Gnuplot.draw gnuplot ~folder:place (for_files @ for_the_page) in
  match
    all_ok (fun (i, chart) -> picture place formats i chart) (List.mapi (fun i chart -> (i, chart)) charts)
  with
  | Error _ as error -> error
  | Ok figures ->
      let page = Page.render ~runs ~judged ~figures in
      Ok (Out_channel.with_open_bin (in_ place report_name) (fun channel -> output_string channel page))
  | exception Sys_error reason -> Error reason

let plot ~files ~formats ~folder =
  let* () = Weft_files.Input.one_stdin files in
  let* runs = all_ok Run.read files in
  let charts = charts runs in
  let judged = List.map (Targets.judge runs) Targets.all in
  let* gnuplot = Gnuplot.find (Script.Svg :: formats) in
  let names = List.concat_map (fun chart -> List.map (file chart) formats) charts @ [ report_name ] in
  let* () = Folder.fill folder ~names (build gnuplot runs judged charts formats) in
  Ok { figures = List.length charts; targets = judged }
