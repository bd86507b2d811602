open Weft_bench_harness
open Weft_bench_results
open Cmdliner

let command = "compare"
let exit_slower = 1

(* {1 Text} *)

let show_value (measure : Side.measure) x =
  match measure with
  | Seconds -> Printf.sprintf "%.3f" (x *. 1e3)
  | Ratio -> Printf.sprintf "%.3f" x
  | Figure _ -> Printf.sprintf "%.2f" x

let show_measure : Side.measure -> string = function
  | Seconds -> "ms"
  | (Ratio | Figure _) as measure -> Side.measure_name measure

let show_p p = if p < 0.0001 then "<0.0001" else Printf.sprintf "%.4f" p
let show_ratio = function None -> "-" | Some ratio -> Printf.sprintf "%.3f" ratio

let columns : Comparison.line Columns.t list =
  let subject (line : Comparison.line) = line.row.subject in
  let value get line = show_value (subject line).measure (get line) in
  [
    { title = "benchmark"; align = Left; cell = (fun line -> Side.case line.row) };
    { title = "domains"; align = Right; cell = (fun line -> string_of_int (subject line).domains) };
    { title = "method"; align = Left; cell = (fun line -> (subject line).method_) };
    { title = "median"; align = Left; cell = (fun line -> show_measure (subject line).measure) };
    { title = "A"; align = Right; cell = value (fun line -> line.a) };
    { title = "B"; align = Right; cell = value (fun line -> line.b) };
    { title = "ratio"; align = Right; cell = (fun line -> show_ratio line.ratio) };
    { title = "p"; align = Right; cell = (fun line -> show_p line.p) };
    { title = "verdict"; align = Left; cell = (fun line -> Comparison.verdict_name line.verdict) };
  ]

let plural n what = Printf.sprintf "%d %s%s" n what (if n = 1 then "" else "s")

let describe_side name ({ path; header; _ } : Side.t) =
  Printf.sprintf "%s: %s, Weft %s, %s, %s\n" name (Weft_files.Input.shown path) header.weft header.date
    (plural header.runs "run")

let only name rows =
  String.concat "" (List.map (fun row -> Printf.sprintf "Only in %s: %s\n" name (Side.describe row)) rows)

let without_ratio name (side : Side.t) =
  if side.without_ratio = 0 then ""
  else
    Printf.sprintf "Left out of %s, for want of times of the sequential program beside them: %s\n" name
      (plural side.without_ratio "row")

(* The least number of runs in each file that can show a difference. *)
let enough alpha =
  let rec from n = if Mann_whitney.least_p n n <= alpha then n else from (n + 1) in
  from 1

let verdicts (t : Comparison.t) =
  let count verdict = Printf.sprintf "%d %s" (Comparison.count verdict t) (Comparison.verdict_name verdict) in
  Printf.sprintf "%s: %s (threshold %g, alpha %g)\n"
    (plural (List.length t.lines) "row")
    (String.concat ", " (List.map count [ Faster; Slower; Same; Too_few_runs ]))
    t.limits.threshold t.limits.alpha
  ^
  if Comparison.count Too_few_runs t = 0 then ""
  else
    Printf.sprintf
      "At alpha %g, %d runs in each file are enough to show a difference; fewer, from two on, if they lie \
       apart by a factor of %g and more than those of one file among each other.\n"
      t.limits.alpha (enough t.limits.alpha) Comparison.gap

let means t =
  let mean what ~plain =
    match Comparison.geometric_mean ~plain t with
    | None -> ""
    | Some mean -> Printf.sprintf "Geometric mean of the ratios%s: %.3f\n" what mean
  in
  mean "" ~plain:false ^ mean " of the plain programs, which tell of the machine" ~plain:true

let text (t : Comparison.t) =
  let widths = Columns.widths columns t.lines in
  String.concat ""
    ([ describe_side "A" t.a; describe_side "B" t.b; "\n"; Columns.titles columns widths ]
    @ List.map (Columns.line columns widths) t.lines
    @ [
        "\n";
        only "A" t.only_a;
        only "B" t.only_b;
        without_ratio "A" t.a;
        without_ratio "B" t.b;
        verdicts t;
        means t;
      ])

(* {1 Comparing} *)

let warn message = Output.error ~command ("warning: " ^ message)

let warn_of_profile name (side : Side.t) =
  if String.equal side.header.compiler.profile "dev" then
    warn (Printf.sprintf "%s comes from a build in the dev profile: its times are no figures" name)

let warn_of_failure name (side : Side.t) =
  match side.header.failed with
  | Some what -> warn (Printf.sprintf "%s was ended by a failure: %s" name what)
  | None -> ()

let warnings (t : Comparison.t) =
  List.iter (fun difference -> warn ("A and B differ in " ^ difference)) t.differences;
  warn_of_failure "A" t.a;
  warn_of_failure "B" t.b;
  warn_of_profile "A" t.a;
  warn_of_profile "B" t.b

let fail message =
  Output.error ~command message;
  Output.exit_bad_file

let report (t : Comparison.t) places =
  warnings t;
  match Output.report ~command t ~text:(text t) places with
  | 0 -> if Comparison.count Slower t > 0 then exit_slower else Cmd.Exit.ok
  | code -> code

let nothing_in_common (a : Side.t) (b : Side.t) =
  Printf.sprintf
    "%s and %s have nothing to compare: no benchmark, method, number of domains, cutoff and size is in both%s"
    a.path b.path
    (if a.without_ratio + b.without_ratio > 0 then
       " (ratios need the sequential program of the same benchmark and size in the file)"
     else "")

let compare limits ~ratios a b form =
  match Result.bind (Weft_files.Input.one_stdin [ a; b ]) (fun () -> Side.read_pair ~ratios a b) with
  | Error message -> `Ok (fail message)
  | Ok (a, b) -> (
      match Comparison.compare limits a b with
      | { lines = []; _ } -> `Ok (fail (nothing_in_common a b))
      | comparison -> Output.to_places ~command [ form ] (report comparison))

(* {1 Command line} *)

let file_arg position ~docv ~doc = Arg.(required & pos position (some string) None & info [] ~docv ~doc)

let a_arg =
  file_arg 0 ~docv:"A"
    ~doc:
      "What to compare with: a file that $(b,weft bench --json) has written, or a baseline of $(b,weft \
       convert --baseline). $(b,-) is standard input; what gzip has compressed is decompressed."

let b_arg = file_arg 1 ~docv:"B" ~doc:"What is to be judged: a file of the same kinds."

let real ~what ~taken is_taken =
  let parse text =
    match float_of_string_opt text with
    | Some x when is_taken x -> Ok x
    | _ -> Error (Printf.sprintf "'%s' is not a %s %s" text what taken)
  in
  Arg.conv' ~docv:"X" (parse, fun ppf x -> Format.fprintf ppf "%g" x)

let threshold_arg =
  let threshold = real ~what:"threshold" ~taken:"of at least 1" (fun x -> x >= 1. && Float.is_finite x) in
  let doc = "How many times slower or faster B must be to count." in
  Arg.(value & opt threshold Comparison.usual.threshold & info [ "threshold" ] ~docv:"X" ~doc)

let alpha_arg =
  let alpha = real ~what:"probability" ~taken:"between 0 and 1" (fun x -> x > 0. && x < 1.) in
  let doc = "The greatest probability that a difference is chance at which it counts." in
  Arg.(value & opt alpha Comparison.usual.alpha & info [ "alpha" ] ~docv:"X" ~doc)

let ratios_arg =
  let doc =
    "Compare how many times longer than the sequential program each method took, instead of times: those \
     ratios are much the same on another machine. Always so where A or B is a baseline."
  in
  Arg.(value & flag & info [ "ratios" ] ~doc)

let json_arg =
  let form path =
    { Output.option = "--json"; path; show = (fun t -> Output.json_text (Comparison.to_json t)) }
  in
  let doc =
    "Also write the comparison to $(docv), whole or not at all. With $(b,-), in place of the table."
  in
  Term.(const form $ Output.file_arg ~option:"--json" ~doc)

let term =
  let open Term.Syntax in
  let+ a = a_arg
  and+ b = b_arg
  and+ threshold = threshold_arg
  and+ alpha = alpha_arg
  and+ ratios = ratios_arg
  and+ form = json_arg in
  compare { threshold; alpha } ~ratios a b form

let exits =
  Cmd.Exit.info Cmd.Exit.ok ~doc:"when nothing is slower in B."
  :: Cmd.Exit.info exit_slower ~doc:"when something is slower in B."
  :: Cmd.Exit.info Output.exit_bad_file
       ~doc:
         "on a wrong command line; when a file cannot be read, is not what it should be, or cannot be \
          written, and when there is nothing to compare."
  :: Output.usual_exits

let man =
  [
    `S Manpage.s_description;
    `P
      "Compares two files of results, row by row: rows belong together whose benchmark, size, cutoff, method \
       and number of domains are the same. The times of all runs are compared; where pauses set the time of \
       a run, its figures in nanoseconds, microseconds and per second are.";
    `P
      "Columns: the medians of A and B; how many times slower B is (for rates: the inverse ratio); the \
       probability $(i,p) that two series of runs differ at least as much if nothing has changed, by the \
       two-sided test of Mann and Whitney. It is exact where there are at most 400 pairs of runs, else \
       approximated by the normal distribution.";
    `P
      "Verdicts: $(b,slower) and $(b,faster) where the medians differ by the threshold at least and $(i,p) \
       is at most alpha. Where no difference could be that significant (at alpha 0.05: fewer than four runs \
       in each file), two runs or more in each file tell if they lie far apart: every run of one file took \
       at least twice as long as every run of the other, and that step is, as a ratio, no smaller than the \
       one between any two runs of the same file. Else the verdict is $(b,too few runs). A run that was \
       stopped at a time limit, in one of the files only, counts as slower than all complete runs that took \
       less time.";
    `P
      "At alpha 0.05, one of twenty rows that have not changed will have a $(i,p) of 0.05 or less. The \
       threshold catches most of them; where many rows are compared, choose a smaller alpha and more runs.";
    `P
      "The ratio to the sequential program is taken round by round, since the runs of a round were beside \
       each other. Differences of machine, compiler and settings are warned of.";
    `S Manpage.s_examples;
    `Pre "  weft bench fib nqueens --runs 9 --json before.json";
    `Pre "  weft bench fib nqueens --runs 9 --json after.json";
    `Pre "  weft compare before.json after.json --threshold 1.1";
    `Pre "  weft convert before.json --baseline baseline.json";
    `Pre "  weft compare baseline.json after.json";
  ]

let cmd =
  let doc = "compare two files of results, and tell what has become slower" in
  Cmd.v (Cmd.info command ~doc ~man ~exits) (Term.ret term)
