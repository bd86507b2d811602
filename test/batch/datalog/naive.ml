open Weft_containers
open Datalog

type tuple = string * value list

module Tuples = Set.Make (struct
  type t = tuple

  let compare = Stdlib.compare
end)

(* --- one body: all substitutions that satisfy it --- *)

let value_of substitution = function
  | Value v -> Some v
  | Variable x -> List.assoc_opt x substitution
  | Wildcard -> None

(* The substitution that makes the terms equal to these values, if any. *)
let rec unify substitution terms values =
  match (terms, values) with
  | [], [] -> Some substitution
  | Wildcard :: terms, _ :: values -> unify substitution terms values
  | term :: terms, v :: values -> (
      match (term, value_of substitution term) with
      | _, Some w -> if v = w then unify substitution terms values else None
      | Variable x, None -> unify ((x, v) :: substitution) terms values
      | (Value _ | Wildcard), None -> assert false)
  | [], _ :: _ | _ :: _, [] -> None

let of_predicate name tuples =
  List.filter_map (fun (n, values) -> if n = name then Some values else None) (Tuples.elements tuples)

let rank = function Int _ -> 0 | Symbol _ -> 1 | String _ -> 2
let order a b = Stdlib.compare (rank a, a) (rank b, b)

let holds comparison a b =
  match comparison with
  | Equal -> order a b = 0
  | Different -> order a b <> 0
  | Less -> order a b < 0
  | At_most -> order a b <= 0
  | Greater -> order a b > 0
  | At_least -> order a b >= 0

(* Atoms come first, then comparisons and negations, which need values. *)
let satisfying body tuples =
  let is_atom = function Holds _ -> true | Fails _ | Compare _ -> false in
  let atoms, others = List.partition is_atom body in
  let extend substitutions = function
    | Holds { predicate; terms } ->
        let values = of_predicate predicate tuples in
        List.concat_map (fun s -> List.filter_map (unify s terms) values) substitutions
    | Fails { predicate; terms } ->
        let values = of_predicate predicate tuples in
        List.filter (fun s -> not (List.exists (fun v -> unify s terms v <> None) values)) substitutions
    | Compare (l, c, r) ->
        List.filter (fun s -> holds c (Option.get (value_of s l)) (Option.get (value_of s r))) substitutions
  in
  List.fold_left extend [ [] ] (atoms @ others)

let apply tuples (rule : rule) =
  let tuple s = (rule.head.predicate, List.map (fun t -> Option.get (value_of s t)) rule.head.terms) in
  List.map tuple (satisfying rule.body tuples)

(* --- levels: at least those of the predicates that a rule needs, above those that it negates --- *)

let levels rules =
  let level = Hashtbl.create 16 in
  let get name = Option.value (Hashtbl.find_opt level name) ~default:0 in
  let changed = ref true in
  let raise_to name n =
    if get name < n then begin
      Hashtbl.replace level name n;
      changed := true
    end
  in
  while !changed do
    changed := false;
    let look (rule : rule) =
      let literal = function
        | Holds a -> raise_to rule.head.predicate (get a.predicate)
        | Fails a -> raise_to rule.head.predicate (get a.predicate + 1)
        | Compare _ -> ()
      in
      List.iter literal rule.body
    in
    List.iter look rules
  done;
  get

let consequences rules facts =
  let level = levels rules in
  let level_of (rule : rule) = level rule.head.predicate in
  let highest = List.fold_left (fun n rule -> max n (level_of rule)) 0 rules in
  let rec saturate rules tuples =
    let more = Tuples.add_seq (List.to_seq (List.concat_map (apply tuples) rules)) tuples in
    if Tuples.equal more tuples then tuples else saturate rules more
  in
  let at n = List.filter (fun rule -> level_of rule = n) rules in
  List.fold_left (fun tuples n -> saturate (at n) tuples) facts (List.init (highest + 1) Fun.id)

let answers (q : query) tuples =
  let add names = function Variable x when not (List.mem x names) -> names @ [ x ] | _ -> names in
  let terms = function Holds a | Fails a -> a.terms | Compare (l, _, r) -> [ l; r ] in
  let names = List.fold_left add [] (List.concat_map terms q.body) in
  satisfying q.body tuples
  |> List.map (fun s -> List.map (fun x -> List.assoc x s) names)
  |> List.sort_uniq Stdlib.compare
