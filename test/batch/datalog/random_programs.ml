open Weft_containers
open Datalog
open QCheck.Gen

let layers =
  [ [ ("e0", 1); ("e1", 2); ("e2", 3) ]; [ ("p0", 1); ("p1", 2); ("p2", 2) ]; [ ("q0", 0); ("q1", 2) ] ]

let predicates = List.concat layers
let below layer = List.concat (List.filteri (fun i _ -> i < layer) layers)
let up_to layer = List.concat (List.filteri (fun i _ -> i <= layer) layers)
let value = oneofl [ Int 0; Int 1; Int 2; Int 3; Int max_int; Symbol "a"; Symbol "b"; String "a" ]
let variable = map (fun x -> Variable x) (oneofl [ "X"; "Y"; "Z"; "U" ])
let constant = map (fun v -> Value v) value
let any_term = frequency [ (8, variable); (2, constant); (1, return Wildcard) ]
let atom_of term (predicate, width) = map (fun terms -> { predicate; terms }) (list_repeat width term)
let variables_of terms = List.filter_map (function Variable x -> Some x | Value _ | Wildcard -> None) terms
let comparison = oneofl [ Equal; Different; Less; At_most; Greater; At_least ]

(* Terms that use the variables of the atoms. *)
let known atoms =
  match List.concat_map (fun a -> variables_of a.terms) atoms with
  | [] -> constant
  | names -> frequency [ (4, map (fun x -> Variable x) (oneofl names)); (1, constant) ]

let filters layer atoms =
  let term = known atoms in
  let compare = map3 (fun l c r -> Compare (l, c, r)) term comparison term in
  if layer < 2 then list_size (int_bound 1) compare
  else
    let negation =
      oneofl (below layer) >>= atom_of (frequency [ (5, term); (1, return Wildcard) ]) >|= fun a -> Fails a
    in
    list_size (int_bound 2) (oneof [ compare; negation; negation ])

let rule layer =
  let* atoms = list_size (int_range 1 3) (oneofl (up_to layer) >>= atom_of any_term) in
  let* filters = filters layer atoms in
  let* body = shuffle_l (List.map (fun a -> Holds a) atoms @ filters) in
  let* head = oneofl (List.nth layers layer) >>= atom_of (known atoms) in
  return (Datalog.rule head body)

let lone_negation = return (Datalog.rule (atom "q0" []) [ Fails (atom "p0" [ Wildcard ]) ])

let program =
  let* first = list_size (int_range 1 4) (rule 1) in
  let* second = list_size (int_range 0 4) (frequency [ (9, rule 2); (1, lone_negation) ]) in
  return (first @ second)

(* Few values, so that facts meet. *)
let fact =
  let few = map (fun v -> Value v) (oneofl [ Int 0; Int 1; Int 2; Int 3; Symbol "a" ]) in
  let base = oneofl (List.hd layers) and any = oneofl predicates in
  frequency [ (5, base); (1, any) ] >>= atom_of few

let change =
  map2 (fun adds a -> if adds then Assert a else Retract a) (frequencyl [ (3, true); (2, false) ]) fact

let query =
  let* atoms = list_size (int_range 1 2) (oneofl predicates >>= atom_of any_term) in
  let* filters = filters 2 atoms in
  return (ask (List.map (fun a -> Holds a) atoms @ filters))
