open Weft_bench_harness
open Weft_bench_results

type t = {
  start : Header.start;
  runs : int;
  quick : bool;
  missing : Contestant.missing list;
  places : Results.t Output.places;
  session : Runner.session;
}

(* [kept] is how many rounds count, if the run was interrupted. *)
let report ?kept t (elastic : Elastic_command.results option) =
  let header =
    Header.finish ~warm_up:(not t.quick) ?interrupted_after:kept ~missing:t.missing t.start ~runs:t.runs
  in
  let rows = Row.of_measured (Runner.measured t.session) in
  let elastic = Option.value elastic ~default:{ Elastic_command.rows = []; skipped = [] } in
  let rows = rows @ elastic.rows in
  let text = Table.render rows ^ "\n" ^ Header.summary header in
  Output.report { Results.header; rows; skipped = elastic.skipped } ~text t.places

(* {1 Interrupted} *)

let plural n what = Printf.sprintf "%d %s%s" n what (if n = 1 then "" else "s")

let interrupted t =
  let measured = List.length (Runner.measured t.session) in
  match Runner.complete_rounds t.session with
  | 0 when measured = 0 -> Output.error "interrupted before anything was measured"
  | 0 ->
      Output.error
        (Printf.sprintf "interrupted in the first round: %s kept" (plural measured "configuration"));
      ignore (report ~kept:1 t None : int)
  | complete ->
      Output.error (Printf.sprintf "interrupted: %d of %s complete and kept" complete (plural t.runs "round"));
      ignore (report ~kept:complete t None : int)

let interrupted_in_elastic t results =
  Output.error
    (Printf.sprintf "interrupted in the cases of %s: what was measured before is kept" Elastic_command.name);
  ignore (report ~kept:(Runner.complete_rounds t.session) t results : int);
  Interrupts.exit_code

(* {1 Failed} *)

(* One that fails must not cost what the others have taken hours to measure. *)
let keep_rounds t =
  match Runner.complete_rounds t.session with
  | 0 -> ()
  | complete ->
      Output.error (Printf.sprintf "%d of %s complete and kept" complete (plural t.runs "round"));
      ignore (report ~kept:complete t None : int)

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
      let outcome = Runner.run_session ~warm_up:(not t.quick) ~runs:t.runs ~progress:show t.session in
      Progress.finish progress;
      outcome)

let run ~quick ~runs ~elastic ~missing configs places =
  Output.warn_of_profile ();
  let t = { start = Header.start (); runs; quick; missing; places; session = Runner.session configs } in
  match suites t configs with
  | Error failure ->
      Output.error (Format.asprintf "%a" Runner.pp_failure failure);
      keep_rounds t;
      Output.exit_wrong
  | Ok () when not elastic -> report t None
  | Ok () -> (
      match Elastic_command.all ~quick ~runs with
      | Complete results -> report t (Some results)
      | Interrupted (_, results) -> interrupted_in_elastic t results
      | Failed message ->
          Output.error message;
          keep_rounds t;
          Output.exit_wrong)
