open Weft_bench_harness

type t = { source : string; header : Header.t; rows : Row.t list }

let read path =
  Result.bind (Weft_bench_results.Results.read path) (fun (results : Weft_bench_results.Results.t) ->
      let source = Filename.basename (Weft_files.Input.shown path) in
      match List.filter (fun row -> not (Row.over_limit row)) results.rows with
      | [] ->
          Error (Printf.sprintf "%s: there is no row with right results in it" (Weft_files.Input.shown path))
      | rows -> Ok { source; header = results.header; rows })

let runs t = t.header.runs

let processors t =
  let { Header.affinity; processors; quota; _ } = t.header.machine in
  let allowed = match affinity with Some _ -> affinity | None -> processors in
  match (allowed, quota) with
  | Some n, Some q -> Some (max 1 (min n (int_of_float (Float.ceil q))))
  | None, Some q -> Some (max 1 (int_of_float (Float.ceil q)))
  | _, None -> allowed

(* {1 Rows} *)

let is_baseline (row : Row.t) = row.role = Contestant.Baseline
let is_plain (row : Row.t) = Contestant.is_plain row.role
let same_problem (a : Row.t) (b : Row.t) = String.equal a.bench b.bench && a.size = b.size
let same_case (a : Row.t) (b : Row.t) = same_problem a b && Option.equal Int.equal a.cutoff b.cutoff
let baseline run row = List.find_opt (fun other -> is_baseline other && same_problem other row) run.rows

let figure title (row : Row.t) =
  List.find_opt (fun (f : Row.figure) -> String.equal f.title title) row.figures

let case (row : Row.t) = Benchmark.case ~name:row.bench ~grain:row.grain ~size:row.size row.cutoff

let distinct same xs =
  List.rev (List.fold_left (fun seen x -> if List.exists (same x) seen then seen else x :: seen) [] xs)

let groups same xs = List.map (fun first -> List.filter (same first) xs) (distinct same xs)
