open Syntax

type cause = Added | Fallen
type plan = { mutable made : Plan.t option; make : unit -> Plan.t }
type variant = { driver : Relation.t; cause : cause; plan : plan }

let later make = { made = None; make }

let plan p =
  match p.made with
  | Some plan -> plan
  | None ->
      let plan = p.make () in
      p.made <- Some plan;
      plan

type rule = {
  head : Relation.t;
  whole : plan option;
  gains : variant list;
  losses : variant list;
  support : plan;
}

type stratum = { own : Relation.t list; reads : Relation.t list; rules : rule list; recursive : bool }

let atoms_of body = List.filter_map (function Holds a | Fails a -> Some a | Compare _ -> None) body

let rule (context : Plan.context) ({ head; body; _ } : Syntax.rule) =
  let relation = context.relation head in
  let make ?negations ?once start =
    Plan.make context ?negations ?once ~head:(Some relation, head.terms) body start
  in
  (* [positive] and [negative] are the changes that count for an atom and for a negated atom. *)
  let variants ~positive ~negative plan =
    let variant i literal =
      let by a cause =
        Some { driver = context.relation a; cause; plan = later (fun () -> plan (Plan.A_literal i)) }
      in
      match literal with Holds a -> by a positive | Fails a -> by a negative | Compare _ -> None
    in
    List.filter_map Fun.id (List.mapi variant body)
  in
  let starts_by_itself = not (List.exists (function Holds _ -> true | Fails _ | Compare _ -> false) body) in
  {
    head = relation;
    whole = (if starts_by_itself then Some (later (fun () -> make Nothing)) else None);
    gains = variants ~positive:Added ~negative:Fallen (fun start -> make ~once:true start);
    losses = variants ~positive:Fallen ~negative:Added (fun start -> make ~negations:false start);
    support = later (fun () -> make The_head);
  }

let stratum ~relation ~code ({ predicates; rules } : Analysis.stratum) =
  let in_stratum (r : Relation.t) = List.mem r.name predicates in
  let context = { Plan.relation; code; index = Relation.index; in_stratum } in
  let distinct relations =
    List.sort_uniq (fun (a : Relation.t) (b : Relation.t) -> String.compare a.name b.name) relations
  in
  let body_relations = List.map relation (List.concat_map (fun (r : Syntax.rule) -> atoms_of r.body) rules) in
  let own = distinct (List.map (fun (r : Syntax.rule) -> relation r.head) rules) in
  {
    own;
    reads = distinct (own @ body_relations);
    rules = List.map (rule context) rules;
    recursive = List.exists in_stratum body_relations;
  }
