open Syntax

(* The parser looks at one token ahead. *)
type t = { lexer : Lexer.t; mutable token : Lexer.token; mutable place : place }

let create text =
  let lexer = Lexer.create text in
  let token, place = Lexer.next lexer in
  { lexer; token; place }

let advance t =
  let token, place = Lexer.next t.lexer in
  t.token <- token;
  t.place <- place

let expected t what = fail (Some t.place) "expected %s, found %s" what (Lexer.describe t.token)
let take t token what = if t.token = token then advance t else expected t what

let term_of_token : Lexer.token -> term option = function
  | Variable x -> Some (Variable x)
  | Underscore -> Some Wildcard
  | Int n -> Some (Value (Int n))
  | String s -> Some (Value (String s))
  | Name s | Quoted s -> Some (Value (Symbol s))
  | Not | Left | Right | Comma | Dot | Question | Implies | Compare _ | End -> None

let a_term = "a variable, a number, a string, a symbol or '_'"

let term t =
  match term_of_token t.token with
  | Some term ->
      advance t;
      term
  | None -> expected t a_term

let rec terms t before =
  let before = term t :: before in
  match t.token with
  | Comma ->
      advance t;
      terms t before
  | Right ->
      advance t;
      List.rev before
  | _ -> expected t "',' or ')'"

(* The rest of an atom, after its name. *)
let atom t predicate =
  match t.token with
  | Left ->
      advance t;
      { predicate; terms = terms t [] }
  | _ -> { predicate; terms = [] }

let comparison t left =
  match t.token with
  | Compare c ->
      advance t;
      Compare (left, c, term t)
  | _ -> expected t "a comparison"

let literal t =
  match t.token with
  | Not -> (
      advance t;
      match t.token with
      | Name predicate ->
          advance t;
          Fails (atom t predicate)
      | _ -> expected t "the name of a predicate")
  | Name name -> (
      advance t;
      match t.token with Compare _ -> comparison t (Value (Symbol name)) | _ -> Holds (atom t name))
  | token -> (
      match term_of_token token with
      | Some term ->
          advance t;
          comparison t term
      | None -> expected t "an atom, 'not' or a comparison")

let rec literals t before =
  let before = literal t :: before in
  match t.token with
  | Comma ->
      advance t;
      literals t before
  | _ -> List.rev before

type statement = Rule of rule | Query of query

let statement t =
  let start = t.place in
  let place = Some start in
  match literal t with
  | Holds head as first -> (
      match t.token with
      | Dot ->
          advance t;
          Rule { head; body = []; place }
      | Implies ->
          advance t;
          let body = literals t [] in
          take t Dot "',' or '.'";
          Rule { head; body; place }
      | Question ->
          advance t;
          Query { body = [ first ]; place }
      | Comma ->
          advance t;
          let body = first :: literals t [] in
          take t Question "',' or '?'";
          Query { body; place }
      | _ -> expected t "'.', ':-', ',' or '?'")
  | (Fails _ | Compare _) as first -> (
      match t.token with
      | Dot | Implies -> fail place "expected an atom as the head, found %s" (literal_to_string first)
      | Comma ->
          advance t;
          let body = first :: literals t [] in
          take t Question "',' or '?'";
          Query { body; place }
      | _ ->
          take t Question "',' or '?'";
          Query { body = [ first ]; place })

let program text =
  let t = create text in
  let rec go rules queries =
    if t.token = End then { rules = List.rev rules; queries = List.rev queries }
    else match statement t with Rule r -> go (r :: rules) queries | Query q -> go rules (q :: queries)
  in
  go [] []

let query text =
  let t = create text in
  let place = Some t.place in
  let body = literals t [] in
  if t.token = Question then advance t;
  take t End "',', '?' or the end of the text";
  { body; place }
