open Syntax
module Due = Set.Make (Int)

(* Between changes, the marks of all relations are at their ends ({!Relation.end_change}). A change visits
   the relations that it changes, then in order the strata that read them, and what these change in turn.
   All other relations and strata cost nothing. *)
type t = {
  constants : Constants.t;
  relations : (string, Relation.t) Hashtbl.t;
  strata : Clauses.stratum array;
  readers : (string, int list) Hashtbl.t;  (** for each relation, the strata that read or derive it *)
  mutable visited : Relation.t list;  (** the relations that this change has visited, some more than once *)
  evaluation : Evaluation.t;
  derived : (string, unit) Hashtbl.t;  (** the predicates of heads of rules *)
  mutable stale : bool;
}

let is_stale t = t.stale
let relation t name = Hashtbl.find_opt t.relations name
let iter_relations t f = Hashtbl.iter (fun _ r -> f r) t.relations

(* --- everything anew --- *)

let evaluate_anew t =
  t.stale <- true;
  t.evaluation.fell <- false;
  iter_relations t Relation.reset_to_asserted;
  Array.iter (fun stratum -> Evaluation.saturate t.evaluation stratum ~from_nothing:true) t.strata;
  iter_relations t Relation.end_change;
  t.stale <- false

let refresh t = if t.stale then evaluate_anew t

(* --- facts --- *)

let relation_of_width t name width =
  match Hashtbl.find_opt t.relations name with
  | Some r -> r
  | None ->
      let r = Relation.create name width in
      Hashtbl.add t.relations name r;
      r

(* The relation of an atom, which must be a fact with the right number of arguments. *)
let relation_of_fact t ({ predicate; terms } as a) =
  let width = List.length terms in
  if List.exists (function Value _ -> false | Variable _ | Wildcard -> true) terms then
    fail None "%s is not a fact: its arguments must be values" (atom_to_string a);
  if predicate = "" then fail None "a predicate must have a name";
  if width > Analysis.max_width then fail None "%s has more than %d arguments" predicate Analysis.max_width;
  let r = relation_of_width t predicate width in
  if Rows.width r.rows <> width then
    fail None "%s has %s here, but %d in the database" predicate (arguments width) (Rows.width r.rows);
  r

let encode code t terms =
  let code = function Value v -> code t.constants v | Variable _ | Wildcard -> Constants.unknown in
  Array.of_list (List.map code terms)

let rank t = t.evaluation.round

let assert_tuple t (r : Relation.t) key ~log =
  let row = Relation.standing r key 0 in
  if row = Rows.none then Rows.add r.rows key 0 ~status:(Relation.status ~rank:(rank t) ~asserted:true)
  else
    let status = Rows.status r.rows row in
    (not (Relation.is_asserted status))
    && begin
         log r row status;
         Rows.set_status r.rows row (Relation.status ~rank:(Relation.rank status) ~asserted:true);
         true
       end

let retract_tuple (r : Relation.t) key ~log =
  let row = Relation.standing r key 0 in
  row <> Rows.none
  &&
  let status = Rows.status r.rows row in
  Relation.is_asserted status
  && begin
       log r row status;
       Rows.set_status r.rows row (Relation.status ~rank:(Relation.rank status) ~asserted:false);
       Vector.push r.doubtful row;
       true
     end

(* --- one change of several facts --- *)

type change = Assert of atom | Retract of atom

(* In relations that no rule derives, tuples fall with their facts. *)
let drop_mere_facts t =
  t.visited
  |> List.iter (fun (r : Relation.t) ->
         if not (Hashtbl.mem t.derived r.name) then
           for i = 0 to Vector.length r.doubtful - 1 do
             let row = Vector.get r.doubtful i in
             let status = Rows.status r.rows row in
             if not (Relation.is_asserted status || Relation.is_gone status) then begin
               t.evaluation.fell <- true;
               Relation.fell r row
             end
           done)

let evaluate t =
  drop_mere_facts t;
  Evaluation.sync t.evaluation t.visited;
  t.evaluation.round <- t.evaluation.round + 1;
  let due_after k due (r : Relation.t) =
    if not (Relation.has_changed r) then due
    else
      Hashtbl.find_opt t.readers r.name |> Option.value ~default:[]
      |> List.fold_left (fun due reader -> if reader > k then Due.add reader due else due) due
  in
  let rec go due =
    match Due.min_elt_opt due with
    | None -> ()
    | Some k ->
        let s = t.strata.(k) in
        t.visited <- List.rev_append s.reads t.visited;
        Retraction.retract t.evaluation s;
        Evaluation.saturate t.evaluation s ~from_nothing:false;
        go (List.fold_left (due_after k) (Due.remove k due) s.own)
  in
  go (List.fold_left (due_after (-1)) Due.empty t.visited)

(* Makes the facts what they were. What follows from them is left to {!refresh}. *)
let undo t log =
  t.stale <- true;
  let forget_new (r : Relation.t) =
    let row = ref r.mark in
    while !row < Rows.limit r.rows do
      Rows.set_status r.rows !row (Relation.status ~rank:0 ~asserted:false);
      row := !row + Rows.stride r.rows
    done
  in
  iter_relations t forget_new;
  (* The newest entry comes first, so the oldest entry of a row is written last, and counts. *)
  List.iter (fun ((r : Relation.t), row, status) -> Rows.set_status r.rows row status) log;
  let restore (r : Relation.t) = Vector.clear r.doubtful in
  iter_relations t restore

let change t changes =
  refresh t;
  t.visited <- [];
  t.evaluation.fell <- false;
  let log = ref [] in
  let note (r : Relation.t) row status = if row < r.mark then log := (r, row, status) :: !log in
  let in_relation a f =
    let r = relation_of_fact t a in
    let had_changed = Relation.has_changed r in
    let made = f r in
    if Relation.has_changed r && not had_changed then t.visited <- r :: t.visited;
    made
  in
  let make change =
    match
      match change with
      | Assert a -> in_relation a (fun r -> assert_tuple t r (encode Constants.code t a.terms) ~log:note)
      | Retract a -> in_relation a (fun r -> retract_tuple r (encode Constants.find t a.terms) ~log:note)
    with
    | made -> Ok made
    | exception Error e -> Result.Error e
  in
  match
    let results = Array.map make changes in
    if Array.exists (fun r -> r = Ok true) results then evaluate t;
    results
  with
  | results ->
      t.stale <- true;
      List.iter Relation.purge t.visited;
      List.iter Relation.end_change t.visited;
      t.visited <- [];
      t.stale <- false;
      results
  | exception e ->
      let backtrace = Printexc.get_raw_backtrace () in
      undo t !log;
      Printexc.raise_with_backtrace e backtrace

(* --- creation --- *)

let create runner ({ facts; strata; widths } : Analysis.t) =
  let constants = Constants.create () and relations = Hashtbl.create 64 in
  let derived = Hashtbl.create 64 in
  List.iter (fun (name, width) -> Hashtbl.add relations name (Relation.create name width)) widths;
  List.iter
    (fun (s : Analysis.stratum) -> List.iter (fun name -> Hashtbl.replace derived name ()) s.predicates)
    strata;
  let relation (a : atom) = Hashtbl.find relations a.predicate in
  let compile = Clauses.stratum ~relation ~code:(Constants.code constants) in
  let strata = Array.of_list (List.map compile strata) in
  let readers = Hashtbl.create 64 in
  let add_reader k (r : Relation.t) =
    Hashtbl.replace readers r.name (k :: Option.value (Hashtbl.find_opt readers r.name) ~default:[])
  in
  Array.iteri (fun k (s : Clauses.stratum) -> List.iter (add_reader k) s.reads) strata;
  let evaluation = { Evaluation.constants; runner; round = 0; fell = false } in
  let t = { constants; relations; strata; readers; visited = []; evaluation; derived; stale = true } in
  let no_log _ _ _ = () in
  List.iter
    (fun a -> ignore (assert_tuple t (relation a) (encode Constants.code t a.terms) ~log:no_log : bool))
    facts;
  evaluate_anew t;
  t

(* --- reading --- *)

let source t ~making_indexes =
  let index r columns =
    if making_indexes then Relation.index r columns
    else
      match Relation.find_index r columns with Some index -> index | None -> raise_notrace Reading.No_index
  in
  { Reading.constants = t.constants; relation = Hashtbl.find_opt t.relations; index }

let check t =
  refresh t;
  iter_relations t Relation.check;
  let check_fact (r : Relation.t) =
    let mere row =
      if not (Hashtbl.mem t.derived r.name || Relation.is_asserted (Rows.status r.rows row)) then
        failwith (Printf.sprintf "%s: row %d is no fact" r.name row)
    in
    Relation.iter mere r
  in
  iter_relations t check_fact;
  Array.iter (Retraction.check t.evaluation) t.strata
