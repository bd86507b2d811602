open Evaluation

(* --- support --- *)

let supports t (stratum : Clauses.stratum) (relation : Relation.t) =
  List.filter_map
    (fun (rule : Clauses.rule) -> if rule.head == relation then Some (Clauses.plan rule.support) else None)
    stratum.rules
  |> List.map (fun plan () -> Join.create plan t.constants ~rank:Relation.gone ~own_rank:Relation.gone)

(* For each row, whether it has support from tuples of lower ranks than [rank_of row]. *)
let supported t stratum (relation : Relation.t) rows ~rank_of =
  let plans = supports t stratum relation in
  let answers = Bytes.make (Array.length rows) '\000' in
  let part from till () =
    let joins = List.map (fun join -> join ()) plans in
    for i = from to till - 1 do
      let row = rows.(i) in
      let own_rank = rank_of row in
      if List.exists (fun join -> Join.succeeds_from join row ~own_rank) joins then Bytes.set answers i '\001'
    done
  in
  let tasks = Array.of_list (chunks t (Array.length rows) part) in
  t.runner.each (Array.length tasks) (fun i -> tasks.(i) ());
  fun i -> Bytes.get answers i = '\001'

(* --- suspects: rows that have lost a derivation --- *)

(* Sets of rows, one for each relation of the stratum. *)
let new_suspects (stratum : Clauses.stratum) = List.map (fun r -> (r, Rows.create 1)) stratum.own

let iter_set f set =
  let row = ref Rows.first in
  while !row < Rows.limit set do
    f (Rows.data set).(!row);
    row := !row + Rows.stride set
  done

let members set =
  let rows = Vector.create () in
  iter_set (Vector.push rows) set;
  Array.init (Vector.length rows) (Vector.get rows)

let suspect (head : Relation.t) set found =
  let row = Relation.standing head found 0 in
  if row <> Rows.none && not (Relation.is_asserted (Rows.status head.rows row)) then
    ignore (Rows.add set [| row |] 0 ~status:0 : bool)

(* The tasks that find the tuples that the rows [row_of 0], ..., [row_of (n - 1)] of the driver helped to
   derive. *)
let tasks_of_rows t (head : Relation.t) plan n row_of =
  let part from till =
    let set = Rows.create 1 in
    let run () =
      let join = Join.create plan t.constants ~rank:Relation.all ~own_rank:Relation.all in
      for i = from to till - 1 do
        Join.run_from join (row_of i) (suspect head set)
      done
    in
    (head, set, run)
  in
  chunks t n part

let run_tasks t suspects tasks =
  let tasks = Array.of_list tasks in
  t.runner.each (Array.length tasks) (fun i ->
      let _, _, run = tasks.(i) in
      run ());
  Array.iter
    (fun (head, set, _) ->
      let all = List.assq head suspects in
      iter_set (fun row -> ignore (Rows.add all [| row |] 0 ~status:0 : bool)) set)
    tasks

let losses_of t (stratum : Clauses.stratum) rows_of_variant =
  let of_variant (rule : Clauses.rule) (variant : Clauses.variant) =
    match rows_of_variant variant with
    | 0, _ -> []
    | n, row_of -> tasks_of_rows t rule.head (Clauses.plan variant.plan) n row_of
  in
  List.concat_map (fun (rule : Clauses.rule) -> List.concat_map (of_variant rule) rule.losses) stratum.rules

let fallen (driver : Relation.t) ~from =
  (Vector.length driver.fallen - from, fun i -> Vector.get driver.fallen (from + i))

(* What the strata below cause: tuples that fell there, and tuples that were added where their absence
   counts. *)
let losses_from_below t (stratum : Clauses.stratum) =
  losses_of t stratum (fun { driver; cause; _ } ->
      if List.memq driver stratum.own then (0, Fun.id)
      else
        match cause with
        | Fallen -> fallen driver ~from:0
        | Added ->
            let stride = Rows.stride driver.rows in
            ((Rows.limit driver.rows - driver.mark) / stride, fun i -> driver.mark + (i * stride)))

(* --- falling, step by step --- *)

let bring_down t stratum (relation : Relation.t) set =
  let rows = members set in
  if rows <> [||] then begin
    let rank_of row = Relation.rank (Rows.status relation.rows row) in
    let has_support = supported t stratum relation rows ~rank_of in
    let down i row =
      if not (has_support i) then begin
        t.fell <- true;
        Relation.fell relation row
      end
    in
    Array.iteri down rows
  end

let rec follow t (stratum : Clauses.stratum) suspects =
  let before = List.map (fun (r : Relation.t) -> (r, Vector.length r.fallen)) stratum.own in
  List.iter (fun (relation, set) -> bring_down t stratum relation set) suspects;
  let tasks =
    losses_of t stratum (fun { driver; cause; _ } ->
        match (List.assq_opt driver before, cause) with
        | Some from, Fallen -> fallen driver ~from
        | Some _, Added | None, _ -> (0, Fun.id))
  in
  if tasks <> [] then begin
    let suspects = new_suspects stratum in
    run_tasks t suspects tasks;
    follow t stratum suspects
  end

(* --- rising again --- *)

let rederive t stratum (relation : Relation.t) =
  let n = Vector.length relation.fallen in
  let rows = Array.init n (Vector.get relation.fallen) in
  let has_support = supported t stratum relation rows ~rank_of:(fun _ -> Relation.gone) in
  let rising = List.filter has_support (List.init n Fun.id) in
  fun () ->
    List.iter
      (fun i -> ignore (Relation.add relation (Rows.data relation.rows) rows.(i) ~rank:t.round : bool))
      rising

let doubt ((r : Relation.t), set) =
  for i = 0 to Vector.length r.doubtful - 1 do
    let row = Vector.get r.doubtful i in
    if not (Relation.is_asserted (Rows.status r.rows row)) then
      ignore (Rows.add set [| row |] 0 ~status:0 : bool)
  done

let retract t (stratum : Clauses.stratum) =
  let from_below = losses_from_below t stratum in
  if from_below <> [] || List.exists (fun (r : Relation.t) -> Vector.length r.doubtful > 0) stratum.own then begin
    let suspects = new_suspects stratum in
    List.iter doubt suspects;
    run_tasks t suspects from_below;
    follow t stratum suspects;
    if stratum.recursive then begin
      let rising = List.map (rederive t stratum) stratum.own in
      t.round <- t.round + 1;
      List.iter (fun rise -> rise ()) rising;
      sync t stratum.own
    end
  end

let check t (stratum : Clauses.stratum) =
  let check_relation (relation : Relation.t) =
    let rows = Vector.create () in
    Relation.iter (Vector.push rows) relation;
    let rows = Array.init (Vector.length rows) (Vector.get rows) in
    let status i = Rows.status relation.rows rows.(i) in
    let rank_of row = Relation.rank (Rows.status relation.rows row) in
    let has_support = supported t stratum relation rows ~rank_of in
    let check_row i _ =
      if not (Relation.is_asserted (status i) || has_support i) then
        failwith (Printf.sprintf "%s: row %d has no support" relation.name rows.(i))
    in
    Array.iteri check_row rows
  in
  List.iter check_relation stratum.own
