type token =
  | Name of string
  | Variable of string
  | Underscore
  | Not
  | Int of int
  | String of string
  | Quoted of string
  | Left
  | Right
  | Comma
  | Dot
  | Question
  | Implies
  | Compare of Syntax.comparison
  | End

type t = { text : string; mutable at : int; mutable line : int; mutable column : int }

let create text = { text; at = 0; line = 1; column = 1 }
let place t = { Syntax.line = t.line; column = t.column }
let fail place format = Syntax.fail (Some place) format
let at_end t = t.at >= String.length t.text

(* The character that is [ahead] places after the next one; beyond the end ['\000'], with which no token
   starts. *)
let peek t ahead = if t.at + ahead < String.length t.text then t.text.[t.at + ahead] else '\000'

let advance t =
  (match t.text.[t.at] with
  | '\n' ->
      t.line <- t.line + 1;
      t.column <- 1
  | '\128' .. '\191' -> () (* a further byte of the same character *)
  | _ -> t.column <- t.column + 1);
  t.at <- t.at + 1

let rec advance_while t p =
  if (not (at_end t)) && p (peek t 0) then begin
    advance t;
    advance_while t p
  end

let take_while t p =
  let start = t.at in
  advance_while t p;
  String.sub t.text start (t.at - start)

let skip_comment t =
  let start = place t in
  advance t;
  advance t;
  while not (at_end t || (peek t 0 = '*' && peek t 1 = '/')) do
    advance t
  done;
  if at_end t then fail start "this comment has no end";
  advance t;
  advance t

let rec skip t =
  match peek t 0 with
  | ' ' | '\t' | '\r' | '\n' ->
      advance t;
      skip t
  | '%' ->
      advance_while t (fun c -> c <> '\n');
      skip t
  | '/' when peek t 1 = '*' ->
      skip_comment t;
      skip t
  | _ -> ()

let is_digit = function '0' .. '9' -> true | _ -> false
let is_inner = function 'a' .. 'z' | 'A' .. 'Z' | '0' .. '9' | '_' -> true | _ -> false

let integer t =
  let start = place t in
  let from = t.at in
  if peek t 0 = '-' then advance t;
  advance_while t is_digit;
  let digits = String.sub t.text from (t.at - from) in
  if is_inner (peek t 0) then fail (place t) "expected the end of the number %s" digits;
  match int_of_string_opt digits with
  | Some n -> Int n
  | None -> fail start "the number %s is out of range" digits

let escape t =
  let start = place t in
  advance t;
  let c = peek t 0 in
  if at_end t then fail start "the text ends within an escape sequence";
  advance t;
  match c with
  | 'n' -> '\n'
  | 't' -> '\t'
  | 'r' -> '\r'
  | '\\' | '"' | '\'' -> c
  | 'x' -> (
      let digits = Printf.sprintf "0x%c%c" (peek t 0) (peek t 1) in
      match int_of_string_opt digits with
      | Some n when peek t 1 <> '_' ->
          advance t;
          advance t;
          Char.chr n
      | Some _ | None -> fail start "expected two hexadecimal digits after \\x")
  | _ -> fail start "expected \\n, \\t, \\r, \\\\, \\\", \\' or \\x with two digits"

let quoted t quote =
  let start = place t in
  let b = Buffer.create 16 in
  advance t;
  let rec go () =
    if at_end t || peek t 0 = '\n' then fail start "expected %c before the end of the line" quote
    else if peek t 0 = quote then advance t
    else if peek t 0 = '\\' then begin
      Buffer.add_char b (escape t);
      go ()
    end
    else begin
      Buffer.add_char b (peek t 0);
      advance t;
      go ()
    end
  in
  go ();
  Buffer.contents b

let sign t length token =
  for _ = 1 to length do
    advance t
  done;
  token

let token t =
  match (peek t 0, peek t 1) with
  | '\000', _ when at_end t -> End
  | 'a' .. 'z', _ -> ( match take_while t is_inner with "not" -> Not | name -> Name name)
  | ('A' .. 'Z' | '_'), _ -> ( match take_while t is_inner with "_" -> Underscore | name -> Variable name)
  | '0' .. '9', _ | '-', '0' .. '9' -> integer t
  | '"', _ -> String (quoted t '"')
  | '\'', _ -> Quoted (quoted t '\'')
  | '(', _ -> sign t 1 Left
  | ')', _ -> sign t 1 Right
  | ',', _ -> sign t 1 Comma
  | '.', _ -> sign t 1 Dot
  | '?', _ -> sign t 1 Question
  | ':', '-' -> sign t 2 Implies
  | '!', '=' -> sign t 2 (Compare Different)
  | '<', '=' -> sign t 2 (Compare At_most)
  | '>', '=' -> sign t 2 (Compare At_least)
  | '=', _ -> sign t 1 (Compare Equal)
  | '<', _ -> sign t 1 (Compare Less)
  | '>', _ -> sign t 1 (Compare Greater)
  | (' ' .. '~' as c), _ -> fail (place t) "'%c' starts nothing that could stand here" c
  | c, _ -> fail (place t) "the byte %d starts nothing that could stand here" (Char.code c)

let next t =
  skip t;
  let place = place t in
  let token = token t in
  (token, place)

let describe = function
  | Name s -> "the name " ^ s
  | Variable s -> "the variable " ^ s
  | Underscore -> "'_'"
  | Not -> "'not'"
  | Int n -> "the number " ^ string_of_int n
  | String s -> "the string " ^ Syntax.value_to_string (String s)
  | Quoted s -> "the symbol " ^ Syntax.value_to_string (Symbol s)
  | Left -> "'('"
  | Right -> "')'"
  | Comma -> "','"
  | Dot -> "'.'"
  | Question -> "'?'"
  | Implies -> "':-'"
  | Compare Equal -> "'='"
  | Compare Different -> "'!='"
  | Compare Less -> "'<'"
  | Compare At_most -> "'<='"
  | Compare Greater -> "'>'"
  | Compare At_least -> "'>='"
  | End -> "the end of the text"
