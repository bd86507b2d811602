open Syntax

type way = Whole | By of Index.t | Every
type links = { columns : int array; places : int array }

type access = {
  relation : Relation.t;
  way : way;
  key : int array;
  bind : links;
  check : links;
  same_stratum : bool;
  only_old : bool;
}

type operand = Place of int | Constant of { code : int; value : value }

type step =
  | Join of access
  | Exists of access
  | Absent of access
  | Test of Syntax.comparison * operand * operand

type t = {
  entry : access option;
  steps : step array;
  environment : int array;
  result : int array;
  repeats : bool;
}

type start = Nothing | A_literal of int | The_head

type context = {
  relation : atom -> Relation.t;
  code : value -> int;
  index : Relation.t -> int array -> Index.t;
  in_stratum : Relation.t -> bool;
}

(* --- places --- *)

(* The variables and constants that have places in the environment, and the variables whose values are
   known by now. *)
type places = {
  mutable variables : (string * int) list;
  mutable known : int list;
  mutable constants : (int * int) list; (* codes and places *)
  mutable count : int;
}

let new_place places =
  let place = places.count in
  places.count <- place + 1;
  place

let place_of_variable places x =
  match List.assoc_opt x places.variables with
  | Some place -> place
  | None ->
      let place = new_place places in
      places.variables <- (x, place) :: places.variables;
      place

let place_of_constant places code =
  match List.assoc_opt code places.constants with
  | Some place -> place
  | None ->
      let place = new_place places in
      places.constants <- (code, place) :: places.constants;
      place

let place_of_term context places = function
  | Value v -> place_of_constant places (context.code v)
  | Variable x -> place_of_variable places x
  | Wildcard -> invalid_arg "Weft_datalog.Plan: a wildcard has no place"

let is_known places = function
  | Value _ -> true
  | Variable x -> List.memq (place_of_variable places x) places.known
  | Wildcard -> false

let is_known_or_wildcard places = function
  | Wildcard -> true
  | (Value _ | Variable _) as term -> is_known places term

(* --- one atom --- *)

(* Divides the columns of an atom into known ones, those to bind, and those to check against what has just
   been bound. *)
let classify context places terms =
  let known = ref [] and bind = ref [] and check = ref [] in
  let column i term =
    if is_known places term then known := (i, place_of_term context places term) :: !known
    else
      match term with
      | Wildcard -> ()
      | Value _ | Variable _ ->
          let place = place_of_term context places term in
          if List.exists (fun (_, p) -> p = place) !bind then check := (i, place) :: !check
          else bind := (i, place) :: !bind
  in
  List.iteri column terms;
  places.known <- List.rev_append (List.map snd !bind) places.known;
  (List.rev !known, List.rev !bind, List.rev !check)

let links pairs =
  { columns = Array.of_list (List.map fst pairs); places = Array.of_list (List.map snd pairs) }

let access context places relation terms ~only_old =
  let known, bind, check = classify context places terms in
  let key = Array.of_list (List.map snd known) in
  let make way check =
    {
      relation;
      way;
      key;
      bind = links bind;
      check = links check;
      same_stratum = context.in_stratum relation;
      only_old;
    }
  in
  if List.compare_lengths known terms = 0 then make Whole check
  else if List.is_empty known then make Every check
  else make (By (context.index relation (Array.of_list (List.map fst known)))) check

(* For a tuple that is given: all columns are bound or checked. *)
let entry context places relation terms =
  let known, bind, check = classify context places terms in
  {
    relation;
    way = Every;
    key = [||];
    bind = links bind;
    check = links (known @ check);
    same_stratum = context.in_stratum relation;
    only_old = false;
  }

(* --- the order --- *)

let ready places : literal -> bool = function
  | Compare (l, _, r) -> is_known places l && is_known places r
  | Fails a -> List.for_all (is_known_or_wildcard places) a.terms
  | Holds _ -> false

(* How many columns of an atom are known; [max_int] if nothing else is asked for. *)
let score places (a : atom) =
  if List.for_all (is_known_or_wildcard places) a.terms then max_int
  else List.fold_left (fun n t -> if is_known places t then n + 1 else n) 0 a.terms

let best_atom places literals =
  let better best (i, literal) =
    match ((literal : literal), best) with
    | Holds a, None -> Some (i, score places a)
    | Holds a, Some (_, s) when score places a > s -> Some (i, score places a)
    | (Holds _ | Fails _ | Compare _), _ -> best
  in
  Option.map fst (List.fold_left better None literals)

let next places literals =
  match List.find_opt (fun (_, l) -> ready places l) literals with
  | Some (i, _) -> i
  | None -> (
      match best_atom places literals with
      | Some i -> i
      | None -> invalid_arg "Weft_datalog.Plan: an unsafe body")

(* --- the whole --- *)

let operand context places = function
  | Value value -> Constant { code = context.code value; value }
  | (Variable _ | Wildcard) as term -> Place (place_of_term context places term)

let is_whole a = match a.way with Whole -> true | By _ | Every -> false

let step context places ~only_old : literal -> step = function
  | Compare (l, c, r) -> Test (c, operand context places l, operand context places r)
  | Fails a -> Absent (access context places (context.relation a) a.terms ~only_old:false)
  | Holds a ->
      let access = access context places (context.relation a) a.terms ~only_old in
      if Array.length access.bind.columns = 0 && not (is_whole access) then Exists access else Join access

let rec steps context places ~is_old literals before =
  if List.is_empty literals then List.rev before
  else
    let i = next places literals in
    let step = step context places ~only_old:(is_old i) (List.assoc i literals) in
    steps context places ~is_old (List.remove_assoc i literals) (step :: before)

let is_wildcard = function Wildcard -> true | Value _ | Variable _ -> false

let has_wildcard : literal -> bool = function
  | Holds a -> List.exists is_wildcard a.terms
  | Fails _ | Compare _ -> false

let make context ?(negations = true) ?(once = false) ~head:(head, terms) body start =
  let places = { variables = []; known = []; constants = []; count = 0 } in
  let wanted i : literal -> bool = function
    | Fails _ -> negations
    | Holds _ -> ( match start with A_literal j -> i <> j | Nothing | The_head -> true)
    | Compare _ -> true
  in
  let literals = List.filter (fun (i, l) -> wanted i l) (List.mapi (fun i l -> (i, l)) body) in
  let entry =
    match (start, head) with
    | Nothing, _ -> None
    | The_head, Some relation -> Some (entry context places relation terms)
    | The_head, None -> invalid_arg "Weft_datalog.Plan: no head"
    | A_literal i, _ -> (
        match List.nth body i with
        | Holds a | Fails a -> Some (entry context places (context.relation a) a.terms)
        | Compare _ -> invalid_arg "Weft_datalog.Plan: no atom")
  in
  let is_old i = match start with A_literal j -> once && i < j | Nothing | The_head -> false in
  let steps = Array.of_list (steps context places ~is_old literals []) in
  let result =
    match start with
    | The_head -> [||]
    | Nothing | A_literal _ -> Array.of_list (List.map (place_of_term context places) terms)
  in
  let environment = Array.make places.count 0 in
  List.iter (fun (code, place) -> environment.(place) <- code) places.constants;
  { entry; steps; environment; result; repeats = List.exists has_wildcard body }
