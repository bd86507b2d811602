open Weft_bench_harness
open Series

let sprintf = Printf.sprintf

(* {1 By domains} *)

let log2 n = Float.log2 (float_of_int n)

(* The curve of a law that counts no more domains than there are processors. *)
let along ~processors ~domains seconds =
  let most = List.fold_left max 1 domains in
  let at = List.sort_uniq Int.compare ((1 :: Option.to_list processors) @ domains) in
  let useful n = match processors with Some p -> min n p | None -> n in
  List.filter_map (fun n -> if n > most then None else Some (log2 n, seconds (float_of_int (useful n)))) at

let fitted run rows =
  let fits (row : Row.t) = match Run.processors run with Some p -> row.domains <= p | None -> true in
  let points_of method_ =
    List.filter (fun (row : Row.t) -> String.equal row.method_ method_ && fits row) rows
    |> List.map (fun (row : Row.t) -> (row.domains, row.median))
  in
  let methods = Run.distinct String.equal (List.map (fun (row : Row.t) -> row.method_) rows) in
  List.find_map
    (fun method_ ->
      if Known.is_of_weft method_ then
        let points = points_of method_ in
        Option.map (fun law -> (method_, List.length points, law)) (Amdahl.fit points)
      else None)
    methods

let percent x = sprintf "%s %%" (Text.float (100. *. x))

let law_text (method_, points, (law : Amdahl.t)) =
  sprintf
    "Amdahl's law is fitted to the medians of %s (least squares of the relative errors, %d numbers of \
     domains, none above the processors): %s of the time on one domain is serial%s."
    method_ points (percent law.serial)
    (if points = 2 then "; two points fix it, so it says no more than they do" else "")

let by_domains_of colours run case_rows =
  let rows = contenders case_rows in
  match rows with
  | [] -> None
  | first :: _ ->
      let domains = List.map (fun (row : Row.t) -> row.domains) rows in
      if not (several Int.compare domains) then None
      else
        let baseline = Run.baseline run first in
        (* Benchmarks of parties that wait for each other have figures of their own and no sequential
           program: Amdahl's law does not apply to them. *)
        let waits = Option.is_none baseline && first.figures <> [] in
        let alone =
          match baseline with
          | Some row -> Some ("the sequential program", row.median)
          | None when waits -> None
          | None ->
              Option.map
                (fun (row : Row.t) -> (row.method_ ^ " on one domain", row.median))
                (List.find_opt (fun (row : Row.t) -> row.domains = 1) rows)
        in
        let law = if waits then None else fitted run rows in
        let ranges = List.map range rows in
        let factor, unit_ = unit_of ranges in
        let processors = Run.processors run in
        let least = log2 (List.fold_left min max_int domains)
        and most = log2 (List.fold_left max 1 domains) in
        let drawn label style seconds =
          let through = List.filter (fun (x, _) -> x >= least) (along ~processors ~domains seconds) in
          { Chart.label; style; through = List.map (fun (x, y) -> (x, y *. factor)) through }
        in
        let references =
          Option.to_list
            (Option.map
               (fun (row : Row.t) ->
                 {
                   Chart.label = "sequential";
                   style = `Baseline;
                   through = flat ~from:least ~upto:most (row.median *. factor);
                 })
               baseline)
          @ Option.to_list (Option.map (fun (_, one) -> drawn "ideal" `Ideal (fun p -> one /. p)) alone)
          @ Option.to_list
              (Option.map
                 (fun (_, _, (law : Amdahl.t)) ->
                   drawn (sprintf "Amdahl, %s serial" (percent law.serial)) `Fitted (Amdahl.seconds law))
                 law)
        in
        let limit =
          match processors with
          | Some p when log2 p >= least && log2 p < most ->
              Some (log2 p, sprintf "%d processor%s" p (plural p))
          | _ -> None
        in
        let case = Run.case first in
        let ticks = List.map (fun n -> (log2 n, string_of_int n)) (List.sort_uniq Int.compare domains) in
        let same (a : Row.t) (b : Row.t) = String.equal a.method_ b.method_ && a.domains = b.domains in
        Some
          {
            Chart.name = case ^ " by domains";
            bench = first.bench;
            title = case ^ ": time by domains";
            caption =
              String.concat " "
                (List.filter (( <> ) "")
                   [
                     spread_text run;
                     Option.fold alone ~none:"" ~some:(fun (what, _) ->
                         sprintf
                           "Ideal is the time of %s, shared by the domains as far as there are processors."
                           what);
                     Option.fold law ~none:"" ~some:law_text;
                   ]);
            command = Command.of_rows ~runs:(Run.runs run) (Option.to_list baseline @ rows);
            body =
              Curves
                {
                  x = { title = "domains"; ticks };
                  y = sprintf "time (%s)" unit_;
                  series =
                    by_method colours ~factor
                      ~at:(fun (row : Row.t) -> log2 row.domains)
                      (Run.distinct same rows);
                  references;
                  limit;
                };
          }

let timed (run : Run.t) = List.filter (fun (row : Row.t) -> not row.paced) run.rows

(* If many cutoffs were tried, only the case without a cutoff is shown here: the figure by cutoff shows the
   others. *)
let most_cases = 2

let worth_drawing rows =
  let cases = Run.groups Run.same_case (contenders rows) in
  let uncut = function ({ cutoff = None; _ } : Row.t) :: _ -> true | _ -> false in
  match List.filter uncut cases with
  | _ :: _ as uncut when List.compare_length_with cases most_cases > 0 -> uncut
  | _ -> cases

let by_domains colours run =
  let cases = List.concat_map worth_drawing (Run.groups Run.same_problem (timed run)) in
  List.filter_map (by_domains_of colours run) cases

(* {1 By cutoff} *)

let by_cutoff_of colours run rows =
  match rows with
  | [] -> None
  | (first : Row.t) :: _ ->
      let cutoffs =
        List.sort_uniq (Option.compare Int.compare) (List.map (fun (row : Row.t) -> row.cutoff) rows)
      in
      (* The chosen cutoffs, ascending; then no cutoff. *)
      let forced = List.filter Option.is_some cutoffs in
      let ordered = forced @ List.filter Option.is_none cutoffs in
      if not (several (Option.compare Int.compare) cutoffs) then None
      else
        let is_loop = match first.grain with Chunk _ -> true | Cutoff _ | Fixed -> false in
        let what = if is_loop then "chunk" else "cutoff" in
        let label = function Some c -> string_of_int c | None -> if is_loop then "default" else "none" in
        let place cutoff =
          float_of_int (Option.get (List.find_index (Option.equal Int.equal cutoff) ordered))
        in
        let baseline = Run.baseline run first in
        let factor, unit_ = unit_of (List.map range (Option.to_list baseline @ rows)) in
        let upto = float_of_int (List.length ordered - 1) in
        let line label style seconds =
          { Chart.label; style; through = flat ~from:0. ~upto (seconds *. factor) }
        in
        let shared = match Run.processors run with Some p -> min p first.domains | None -> first.domains in
        let references =
          match baseline with
          | None -> []
          | Some row ->
              let seconds = row.median in
              line "sequential" `Baseline seconds
              ::
              (if shared > 1 then
                 [ line (sprintf "sequential / %d" shared) `Ideal (seconds /. float_of_int shared) ]
               else [])
        in
        let on = sprintf "%d domain%s" first.domains (plural first.domains) in
        let same (a : Row.t) (b : Row.t) = String.equal a.method_ b.method_ && a.cutoff = b.cutoff in
        let problem = sprintf "%s %d" first.bench first.size in
        Some
          {
            Chart.name = sprintf "%s by %s, %s" problem what on;
            bench = first.bench;
            title = sprintf "%s: time by %s, %s" problem what on;
            caption =
              sprintf "%s %s" (spread_text run)
                (if is_loop then "Default: the loop finds its chunks itself."
                 else
                   "None: the program forks everywhere. Where a program stops forking, the sequential one \
                    runs.");
            command = Command.of_rows ~runs:(Run.runs run) (Option.to_list baseline @ rows);
            body =
              Curves
                {
                  x =
                    {
                      title = (if is_loop then "greatest number of iterations in a row (chunk)" else "cutoff");
                      ticks = List.map (fun cutoff -> (place cutoff, label cutoff)) ordered;
                    };
                  y = sprintf "time (%s)" unit_;
                  series =
                    by_method colours ~factor
                      ~at:(fun (row : Row.t) -> place row.cutoff)
                      (Run.distinct same rows);
                  references;
                  limit = None;
                };
          }

let by_cutoff colours run =
  let same (a : Row.t) (b : Row.t) = Run.same_problem a b && a.domains = b.domains in
  List.filter_map (by_cutoff_of colours run) (Run.groups same (contenders (timed run)))

(* {1 By size} *)

let log10 n = Float.log10 (Float.max 0.5 (float_of_int n))

let size_ticks sizes =
  let distinct = List.sort_uniq Int.compare sizes in
  if List.compare_length_with distinct 6 <= 0 then
    List.map (fun n -> (log10 n, Text.float (float_of_int n))) distinct
  else
    let least = Float.max 0.5 (float_of_int (List.hd distinct)) in
    let greatest = float_of_int (List.nth distinct (List.length distinct - 1)) in
    List.map (fun (x, label) -> (Float.log10 x, label)) (Ticks.make Logarithmic ~least ~greatest).ticks

let by_size_of colours (run : Run.t) rows =
  match rows with
  | [] -> None
  | (first : Row.t) :: _ ->
      let sizes = List.map (fun (row : Row.t) -> row.size) rows in
      if not (several Int.compare sizes) then None
      else
        let baselines = Run.distinct Run.same_problem (List.filter_map (Run.baseline run) rows) in
        let factor, unit_ = unit_of (List.map range (baselines @ rows)) in
        let through =
          List.sort compare (List.map (fun (row : Row.t) -> (log10 row.size, factor *. row.median)) baselines)
        in
        let on = sprintf "%d domain%s" first.domains (plural first.domains) in
        let case =
          match first.cutoff with None -> first.bench | Some c -> sprintf "%s, cutoff %d" first.bench c
        in
        let same (a : Row.t) (b : Row.t) = String.equal a.method_ b.method_ && a.size = b.size in
        Some
          {
            Chart.name = sprintf "%s by size, %s" case on;
            bench = first.bench;
            title = sprintf "%s: time by size, %s" case on;
            caption = spread_text run;
            command = Command.of_rows ~runs:(Run.runs run) (baselines @ rows);
            body =
              Curves
                {
                  x = { title = "size"; ticks = size_ticks sizes };
                  y = sprintf "time (%s)" unit_;
                  series =
                    by_method colours ~factor
                      ~at:(fun (row : Row.t) -> log10 row.size)
                      (Run.distinct same rows);
                  references =
                    (if through = [] then [] else [ { label = "sequential"; style = `Baseline; through } ]);
                  limit = None;
                };
          }

let by_size colours run =
  let same (a : Row.t) (b : Row.t) =
    String.equal a.bench b.bench && a.domains = b.domains && Option.equal Int.equal a.cutoff b.cutoff
  in
  List.filter_map (by_size_of colours run) (Run.groups same (contenders (timed run)))
