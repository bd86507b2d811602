open Weft_bench_harness
open Weft_bench_results

type rivals = {
  is_rival : Contestant.t -> bool;
  own : string -> string option;
  version : string -> string option;
}

let no_rivals = { is_rival = Fun.const false; own = Fun.const None; version = Fun.const None }

type t = {
  start : Header.start;
  runs : int;
  quick : bool;
  missing : Contestant.missing list;
  rivals : rivals;
  configs : Plan.config list;
  places : Results.t Output.places;
  session : Runner.session;
}

let failure_text = Format.asprintf "%a" Runner.pp_failure

(* A contestant that was dropped is listed as missing, like one that was never there. *)
let missing t =
  let of_failure (failure, _) : Contestant.missing =
    let { Plan.benchmark; contestant; _ } = Runner.failed failure in
    {
      name = Printf.sprintf "%s in %s" contestant.name benchmark.name;
      reason = "failed: " ^ failure_text failure;
      benchmarks = [ benchmark.name ];
    }
  in
  t.missing @ List.map of_failure (Runner.dropped t.session)

let exit_code t = if Runner.dropped t.session = [] then 0 else Output.exit_wrong

(* The versions of the methods that took part. *)
let versions t =
  let names = List.map (fun ({ contestant; _ } : Plan.config) -> contestant.name) t.configs in
  let add seen name = if List.mem name seen then seen else seen @ [ name ] in
  List.filter_map
    (fun name -> Option.map (fun version -> (name, version)) (t.rivals.version name))
    (List.fold_left add [] names)

(* If the run was interrupted, [kept] is how many rounds count. *)
let report ?kept ?failed t (elastic : Elastic_command.results option) =
  let header =
    Header.finish ~warm_up:(not t.quick) ?interrupted_after:kept ?failed ~missing:(missing t)
      ~versions:(versions t) t.start ~runs:t.runs
  in
  let rows = Row.of_measured ~own:t.rivals.own (Runner.measured t.session) in
  let elastic = Option.value elastic ~default:{ Elastic_command.rows = []; skipped = [] } in
  let rows = rows @ elastic.rows in
  let text = Table.render rows ^ "\n" ^ Header.summary header in
  match Output.report { Results.header; rows; skipped = elastic.skipped } ~text t.places with
  | 0 -> exit_code t
  | code -> code

(* {1 Cut short}

   What was measured before is kept: the complete rounds, or else what there is of the first round. *)

let plural n what = Printf.sprintf "%d %s%s" n what (if n = 1 then "" else "s")

(* [what] says what has happened. *)
let keep ?elastic ?failed t ~what =
  let measured = List.length (Runner.measured t.session) in
  match Runner.complete_rounds t.session with
  | 0 when measured = 0 -> ()
  | 0 ->
      Output.error (Printf.sprintf "%s in the first round: %s kept" what (plural measured "configuration"));
      ignore (report ~kept:1 ?failed t elastic : int)
  | complete ->
      Output.error (Printf.sprintf "%s: %d of %s complete and kept" what complete (plural t.runs "round"));
      ignore (report ~kept:complete ?failed t elastic : int)

let interrupted t =
  if Runner.measured t.session = [] then Output.error "interrupted before anything was measured"
  else keep t ~what:"interrupted"

let interrupted_in_elastic t results =
  Output.error
    (Printf.sprintf "interrupted in the cases of %s: what was measured before is kept" Elastic_command.name);
  ignore (report ~kept:(Runner.complete_rounds t.session) t results : int);
  Interrupts.exit_code

(* A failure must not cost what the others have taken hours to measure. *)
let failed ?elastic t message =
  Output.error message;
  keep ?elastic ~failed:message t ~what:"ended by this";
  Output.exit_wrong

let dropped progress failure configs =
  Progress.drop progress (List.map Plan.describe configs);
  let { Plan.benchmark; contestant; _ } = Runner.failed failure in
  Output.error (failure_text failure);
  Output.error
    (Printf.sprintf "%s takes no further part in %s; the others go on" contestant.name benchmark.name)

(* {1 Runs} *)

let suites t configs =
  let progress =
    Progress.start ~rounds:(if t.quick then t.runs else t.runs + 1) (List.map Plan.describe configs)
  in
  let show ~round config =
    Progress.step progress (Plan.describe config)
      ~about:(if round = 0 then "warming up" else Printf.sprintf "round %d of %d" round t.runs)
  in
  let report () =
    Progress.finish progress;
    interrupted t
  in
  Interrupts.guarded ~report (fun () ->
      let outcome =
        Runner.run_session ~warm_up:(not t.quick) ~dropped:(dropped progress) ~runs:t.runs ~progress:show
          t.session
      in
      Progress.finish progress;
      outcome)

let run ~quick ~runs ~elastic ~missing ~rivals configs places =
  Output.warn_of_profile ();
  let session = Runner.session ~may_fail:rivals.is_rival configs in
  let t = { start = Header.start (); runs; quick; missing; rivals; configs; places; session } in
  match suites t configs with
  | Error failure -> failed t (failure_text failure)
  | Ok () when Runner.measured session = [] && not elastic ->
      Output.error "nothing was measured";
      Output.exit_wrong
  | Ok () when not elastic -> report t None
  | Ok () -> (
      match Elastic_command.all ~quick ~runs with
      | Complete results -> report t (Some results)
      | Interrupted (_, results) -> interrupted_in_elastic t results
      | Failed (message, results) -> failed ?elastic:results t message)
