type t = { constants : Constants.t; runner : Runner.t; mutable round : int; mutable fell : bool }

let gain_rank t = if t.fell then Relation.gone else Relation.all

(* --- sharing out --- *)

(* The fewest rows of a task: starting a task costs about as much as a few rows. *)
let least_chunk = 4

(* The most: a fiber polls between tasks, not inside one. *)
let largest_chunk = 4096
let tasks_per_worker = 8

let chunks t n f =
  let width = t.runner.width () in
  let size = if width = 1 then n else Int.max least_chunk (n / (tasks_per_worker * width)) in
  let size = Int.min size largest_chunk in
  let rec go from before =
    if from >= n then List.rev before
    else
      let till = if n - from < size + least_chunk then n else from + size in
      go till (f from till :: before)
  in
  go 0 []

(* With fewer new rows, tasks for the indexes do not pay. *)
let rows_for_tasks = 1000

let sync t relations =
  let new_rows = List.fold_left (fun n r -> n + Relation.unindexed r) 0 relations in
  if new_rows < rows_for_tasks then List.iter Relation.sync relations
  else
    let tasks = List.concat_map (fun (r : Relation.t) -> List.map (fun i -> (r, i)) r.indexes) relations in
    let tasks = Array.of_list tasks in
    t.runner.each (Array.length tasks) (fun k ->
        let relation, index = tasks.(k) in
        Relation.extend relation index)

(* --- one round --- *)

type task = { head : Relation.t; found : Rows.t; run : unit -> unit }

(* Collects a result unless it is in the relation already. *)
let collect (head : Relation.t) found result =
  if Relation.standing head result 0 = Rows.none then ignore (Rows.add found result 0 ~status:0 : bool)

let task t (head : Relation.t) plan run =
  let found = Rows.create (Rows.width head.rows) in
  let run () =
    let rank = gain_rank t in
    run (Join.create plan t.constants ~rank ~own_rank:rank) (collect head found)
  in
  { head; found; run }

let from_added t head plan (driver : Relation.t) =
  let stride = Rows.stride driver.rows in
  let n = (driver.fresh - driver.old) / stride in
  let part from till =
    let run join found =
      for i = from to till - 1 do
        let row = driver.old + (i * stride) in
        (* A fact may have been added and retracted in one change. *)
        if not (t.fell && Relation.is_gone (Rows.status driver.rows row)) then Join.run_from join row found
      done
    in
    task t head plan run
  in
  chunks t n part

let from_fallen t head plan (driver : Relation.t) =
  let part from till =
    let run join found =
      for i = from to till - 1 do
        Join.run_from join (Vector.get driver.fallen i) found
      done
    in
    task t head plan run
  in
  chunks t (Vector.length driver.fallen) part

(* A plan finds nothing if one of its tuples must be old and its relation has no old ones. *)
let is_idle (plan : Plan.t) =
  Array.exists
    (function
      | Plan.Join a | Exists a -> a.only_old && a.relation.old = Rows.first | Absent _ | Test _ -> false)
    plan.steps

let tasks_of_variant t head ~first ({ driver; cause; plan } : Clauses.variant) =
  let is_empty =
    match cause with
    | Added -> driver.old = driver.fresh
    | Fallen -> (not first) || Vector.length driver.fallen = 0
  in
  if is_empty then []
  else
    let plan = Clauses.plan plan in
    if is_idle plan then []
    else match cause with Added -> from_added t head plan driver | Fallen -> from_fallen t head plan driver

let tasks_of_rule t ~first ~from_nothing (rule : Clauses.rule) =
  let changed = List.concat_map (tasks_of_variant t rule.head ~first) rule.gains in
  match rule.whole with
  | Some plan when first && from_nothing -> task t rule.head (Clauses.plan plan) Join.run :: changed
  | Some _ | None -> changed

let enter t { head; found; _ } =
  let data = Rows.data found and row = ref Rows.first in
  while !row < Rows.limit found do
    ignore (Relation.add head data !row ~rank:t.round : bool);
    row := !row + Rows.stride found
  done

let run_round t tasks =
  let array = Array.of_list tasks in
  t.runner.each (Array.length array) (fun i -> array.(i).run ());
  t.round <- t.round + 1;
  List.iter (enter t) tasks

(* --- all rounds --- *)

let saturate t (stratum : Clauses.stratum) ~from_nothing =
  let set (r : Relation.t) =
    r.old <- r.mark;
    r.fresh <- Rows.limit r.rows
  in
  List.iter set stratum.reads;
  let rec rounds ~first =
    match List.concat_map (tasks_of_rule t ~first ~from_nothing) stratum.rules with
    | [] -> ()
    | tasks ->
        run_round t tasks;
        sync t stratum.own;
        List.iter Relation.begin_round stratum.reads;
        rounds ~first:false
  in
  rounds ~first:true
