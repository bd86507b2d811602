type value = Int of int | Symbol of string | String of string
type term = Value of value | Variable of string | Wildcard
type atom = { predicate : string; terms : term list }
type comparison = Equal | Different | Less | At_most | Greater | At_least
type literal = Holds of atom | Fails of atom | Compare of term * comparison * term
type place = { line : int; column : int }
type rule = { head : atom; body : literal list; place : place option }
type query = { body : literal list; place : place option }
type program = { rules : rule list; queries : query list }
type error = { place : place option; message : string }

exception Error of error

let fail place format = Printf.ksprintf (fun message -> raise (Error { place; message })) format

let error_message { place; message } =
  match place with
  | None -> message
  | Some { line; column } -> Printf.sprintf "line %d, column %d: %s" line column message

let () = Printexc.register_printer (function Error e -> Some (error_message e) | _ -> None)

let compare_values a b =
  match (a, b) with
  | Int a, Int b -> Int.compare a b
  | Symbol a, Symbol b | String a, String b -> String.compare a b
  | Int _, (Symbol _ | String _) | Symbol _, String _ -> -1
  | (Symbol _ | String _), Int _ | String _, Symbol _ -> 1

let compares c n =
  match c with
  | Equal -> n = 0
  | Different -> n <> 0
  | Less -> n < 0
  | At_most -> n <= 0
  | Greater -> n > 0
  | At_least -> n >= 0

let add_variables names terms =
  let add names = function
    | Variable x when not (List.mem x names) -> x :: names
    | Variable _ | Value _ | Wildcard -> names
  in
  List.fold_left add names terms

let variables terms = List.rev (add_variables [] terms)
let terms_of = function Holds a | Fails a -> a.terms | Compare (l, _, r) -> [ l; r ]

let variables_of_literals literals =
  List.rev (List.fold_left (fun names l -> add_variables names (terms_of l)) [] literals)

let arguments n = if n = 1 then "1 argument" else Printf.sprintf "%d arguments" n

(* --- printing --- *)

let quoted quote s =
  let b = Buffer.create (String.length s + 2) in
  Buffer.add_char b quote;
  let add = function
    | '\n' -> Buffer.add_string b "\\n"
    | '\t' -> Buffer.add_string b "\\t"
    | '\r' -> Buffer.add_string b "\\r"
    | '\\' -> Buffer.add_string b "\\\\"
    | c when c = quote ->
        Buffer.add_char b '\\';
        Buffer.add_char b c
    | c when c < ' ' || c = '\127' -> Printf.bprintf b "\\x%02x" (Char.code c)
    | c -> Buffer.add_char b c
  in
  String.iter add s;
  Buffer.add_char b quote;
  Buffer.contents b

let is_plain s =
  let inner = function 'a' .. 'z' | 'A' .. 'Z' | '0' .. '9' | '_' -> true | _ -> false in
  s <> "" && s <> "not" && (match s.[0] with 'a' .. 'z' -> true | _ -> false) && String.for_all inner s

let value_to_string = function
  | Int n -> string_of_int n
  | Symbol s -> if is_plain s then s else quoted '\'' s
  | String s -> quoted '"' s

let term_to_string = function Value v -> value_to_string v | Variable x -> x | Wildcard -> "_"

let atom_to_string { predicate; terms } =
  if terms = [] then predicate
  else Printf.sprintf "%s(%s)" predicate (String.concat ", " (List.map term_to_string terms))

let comparison_to_string = function
  | Equal -> "="
  | Different -> "!="
  | Less -> "<"
  | At_most -> "<="
  | Greater -> ">"
  | At_least -> ">="

let literal_to_string = function
  | Holds a -> atom_to_string a
  | Fails a -> "not " ^ atom_to_string a
  | Compare (l, c, r) ->
      Printf.sprintf "%s %s %s" (term_to_string l) (comparison_to_string c) (term_to_string r)

let rule_to_string ({ head; body; _ } : rule) =
  match body with
  | [] -> atom_to_string head ^ "."
  | body ->
      Printf.sprintf "%s :- %s." (atom_to_string head) (String.concat ", " (List.map literal_to_string body))
