open Syntax

type stratum = { predicates : string list; rules : rule list }
type t = { facts : atom list; strata : stratum list; widths : (string * int) list }

let max_width = 60

(* An error in a rule without a place quotes the rule. *)
let fail_in (rule : rule) format =
  let complain message =
    match rule.place with
    | Some _ -> fail rule.place "%s" message
    | None -> fail None "%s, in the rule %s" message (rule_to_string rule)
  in
  Printf.ksprintf complain format

(* --- numbers of arguments --- *)

let check_width widths place complain (a : atom) =
  let n = List.length a.terms in
  if n > max_width then complain (Printf.sprintf "%s has more than %d arguments" a.predicate max_width);
  match Hashtbl.find_opt widths a.predicate with
  | Some (m, before) when m <> n ->
      let where =
        match before with
        | None -> "elsewhere"
        | Some { line; column } -> Printf.sprintf "in line %d, column %d" line column
      in
      complain (Printf.sprintf "%s has %s here, but %d %s" a.predicate (arguments n) m where)
  | Some _ -> ()
  | None -> Hashtbl.add widths a.predicate (n, place)

let check_widths widths place complain literals =
  List.iter (function Holds a | Fails a -> check_width widths place complain a | Compare _ -> ()) literals

(* --- safety --- *)

let bound_by body =
  variables (List.concat_map (function Holds a -> a.terms | Fails _ | Compare _ -> []) body)

let check_known complain bound what terms =
  let check = function
    | Variable x when not (List.mem x bound) ->
        complain
          (Printf.sprintf "the variable %s of %s is unsafe: no atom of the body that is not negated has it" x
             what)
    | Variable _ | Value _ | Wildcard -> ()
  in
  List.iter check terms

let check_wildcards complain what terms =
  if List.mem Wildcard terms then complain (Printf.sprintf "'_' cannot stand in %s" what)

let check_literals complain body =
  let bound = lazy (bound_by body) in
  let check = function
    | Holds _ -> ()
    | Fails a as l -> check_known complain (Lazy.force bound) (literal_to_string l) a.terms
    | Compare (left, _, right) as l ->
        check_wildcards complain "a comparison" [ left; right ];
        check_known complain (Lazy.force bound) (literal_to_string l) [ left; right ]
  in
  List.iter check body

let check_rule (rule : rule) =
  let complain message = fail_in rule "%s" message in
  check_wildcards complain "a head" rule.head.terms;
  check_known complain (bound_by rule.body) "the head" rule.head.terms;
  check_literals complain rule.body

let query (q : query) = check_literals (fun message -> fail q.place "%s" message) q.body

(* --- strata: the strongly connected components, by Tarjan's algorithm (SIAM J. Comput. 1, 1972) --- *)

let depends_on rules = List.concat_map (fun (r : rule) -> r.body) rules

let predicates_of literals =
  List.filter_map (function Holds a | Fails a -> Some a.predicate | Compare _ -> None) literals

type visit = { number : int; mutable low : int; mutable on_stack : bool }

(* A component comes after those that it depends on. Deep programs do not overflow OCaml 5's stack. *)
let components names successors =
  let visits = Hashtbl.create 64 and stack = Stack.create () and found = ref [] in
  let rec pop name members =
    let top = Stack.pop stack in
    (Hashtbl.find visits top).on_stack <- false;
    if String.equal top name then top :: members else pop name (top :: members)
  in
  let rec visit name =
    let v = { number = Hashtbl.length visits; low = Hashtbl.length visits; on_stack = true } in
    Hashtbl.add visits name v;
    Stack.push name stack;
    let follow next =
      match Hashtbl.find_opt visits next with
      | None -> v.low <- Int.min v.low (visit next)
      | Some w -> if w.on_stack then v.low <- Int.min v.low w.number
    in
    List.iter follow (successors name);
    if v.low = v.number then found := pop name [] :: !found;
    v.low
  in
  List.iter (fun name -> if not (Hashtbl.mem visits name) then ignore (visit name : int)) names;
  List.rev !found

let check_stratified component (rule : rule) =
  let check = function
    | Fails a when Hashtbl.mem component a.predicate ->
        fail_in rule "not stratified: %s depends on its own negation, through not %s" rule.head.predicate
          (atom_to_string a)
    | Fails _ | Holds _ | Compare _ -> ()
  in
  List.iter check rule.body

let strata rules =
  let of_predicate = Hashtbl.create 64 in
  let rules_of name = Option.value (Hashtbl.find_opt of_predicate name) ~default:[] in
  List.iter
    (fun (r : rule) -> Hashtbl.replace of_predicate r.head.predicate (r :: rules_of r.head.predicate))
    (List.rev rules);
  let heads = List.map (fun (r : rule) -> r.head.predicate) rules in
  let successors name = predicates_of (depends_on (rules_of name)) in
  let stratum predicates =
    let component = Hashtbl.create 8 in
    List.iter (fun name -> Hashtbl.replace component name ()) predicates;
    let rules = List.concat_map rules_of predicates in
    List.iter (check_stratified component) rules;
    { predicates; rules }
  in
  List.filter (fun s -> s.rules <> []) (List.map stratum (components heads successors))

(* --- all of it --- *)

let program { rules; queries } =
  let widths = Hashtbl.create 64 in
  let check (rule : rule) =
    check_widths widths rule.place (fun message -> fail_in rule "%s" message) (Holds rule.head :: rule.body);
    check_rule rule
  in
  List.iter check rules;
  let facts, rules = List.partition (fun (r : rule) -> r.body = []) rules in
  let strata = strata rules in
  List.iter
    (fun (q : query) ->
      check_widths widths q.place (fun message -> fail q.place "%s" message) q.body;
      query q)
    queries;
  {
    facts = List.map (fun (r : rule) -> r.head) facts;
    strata;
    widths = Hashtbl.fold (fun name (n, _) l -> (name, n) :: l) widths [];
  }
