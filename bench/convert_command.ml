open Weft_bench_results
open Cmdliner

let command = "convert"

let fail message =
  Output.error ~command message;
  `Ok Output.exit_bad_file

(* The baseline is made before anything is written, since there may be nothing to store. *)
let with_baseline path (results : Results.t) =
  match path with
  | None -> Ok []
  | Some _ ->
      let form baseline =
        [
          {
            Output.option = "--baseline";
            path;
            show = (fun _ -> Output.json_text (Baseline.to_json baseline));
          };
        ]
      in
      Result.map form (Baseline.of_results results)

let convert input forms baseline =
  let is_asked (form : _ Output.form) = Option.is_some form.path in
  if Option.is_none baseline && not (List.exists is_asked forms) then
    `Error (false, "say what to write: --csv, --google-json or --baseline")
  else
    match Results.read input with
    | Error message -> fail message
    | Ok results -> (
        match with_baseline baseline results with
        | Error message -> fail (Weft_files.Input.shown input ^ ": " ^ message)
        | Ok more -> Output.to_places ~command (forms @ more) (Output.report ~command results ~text:""))

(* {1 Command line} *)

let input_arg =
  let doc =
    "A file that $(b,weft bench --json) has written. $(b,-) is standard input; what gzip has compressed is \
     decompressed."
  in
  Arg.(required & pos 0 (some string) None & info [] ~docv:"RESULTS" ~doc)

let baseline_arg =
  Output.file_arg ~option:"--baseline"
    ~doc:
      "Write to $(docv) how many times longer than the sequential program each method took, for $(b,weft \
       compare)."

let term =
  let open Term.Syntax in
  let+ input = input_arg
  and+ csv = Output.csv_form
  and+ google = Output.google_form
  and+ baseline = baseline_arg in
  convert input [ csv; google ] baseline

let exits =
  Cmd.Exit.info Cmd.Exit.ok ~doc:"when all has been written."
  :: Cmd.Exit.info Output.exit_bad_file
       ~doc:
         "on a wrong command line; when a file cannot be read, is not what it should be, or cannot be \
          written."
  :: Output.usual_exits

let man =
  [
    `S Manpage.s_description;
    `P
      "Writes results that $(b,weft bench) or $(b,weft bench elastic) has stored in other forms: as \
       comma-separated values, in the JSON format of Google Benchmark, as a baseline of ratios. Each file is \
       written whole or not at all; $(b,-) is standard output.";
    `P
      "CSV: a line of titles, and a line for each row; the columns are the keys of the JSON file and the \
       medians of the figures. Google Benchmark's format: an entry for each run, the aggregates mean, \
       median, stddev and cv, times in nanoseconds, figures as counters.";
    `S Manpage.s_examples;
    `Pre "  weft convert results.json --csv results.csv --google-json google.json";
    `Pre "  weft convert results.json --csv - | column -s, -t";
    `Pre "  weft convert results.json --baseline baseline.json";
  ]

let cmd =
  let doc = "write results as CSV, as JSON of Google Benchmark, or as a baseline" in
  Cmd.v (Cmd.info command ~doc ~man ~exits) (Term.ret term)
