(* --- tokens --- *)

type kind = Word of string | Quoted of string | Mark of string
type token = { kind : kind; span : Sexp.span }

let is_word c = match c with 'a' .. 'z' | 'A' .. 'Z' | '0' .. '9' | '_' | '-' | '+' -> true | _ -> false

let starts text part i =
  let n = String.length part in
  i + n <= String.length text && String.sub text i n = part

let rec past text part i =
  if i >= String.length text then i
  else if starts text part i then i + String.length part
  else past text part (i + 1)

let rec quoted_end text i =
  if i >= String.length text then i
  else match text.[i] with '"' -> i + 1 | '\\' -> quoted_end text (i + 2) | _ -> quoted_end text (i + 1)

let marks = [ "!="; "<="; ">="; "="; "<"; ">"; "&"; "|"; "!"; "?"; "("; ")"; "["; "]"; "{"; "}"; ":" ]

let rec tokens text i acc =
  if i >= String.length text then List.rev acc
  else
    let token kind stop = tokens text stop ({ kind; span = { Sexp.start = i; stop } } :: acc) in
    match text.[i] with
    | '#' -> tokens text (past text "\n" i) acc
    | '(' when starts text "(*" i -> tokens text (past text "*)" (i + 2)) acc
    | '"' when starts text {|"""|} i ->
        let stop = Int.min (String.length text) (past text {|"""|} (i + 3)) in
        token (Quoted "") stop
    | '"' ->
        let stop = Int.min (String.length text) (quoted_end text (i + 1)) in
        token (Quoted (String.sub text (i + 1) (Int.max 0 (stop - i - 2)))) stop
    | c when is_word c ->
        let rec stop j = if j < String.length text && is_word text.[j] then stop (j + 1) else j in
        let stop = stop i in
        token (Word (String.sub text i (stop - i))) stop
    | _ -> (
        match List.find_opt (fun mark -> starts text mark i) marks with
        | Some mark -> token (Mark mark) (i + String.length mark)
        | None -> tokens text (i + 1) acc)

(* --- formulas --- *)

let comparisons = [ "="; "!="; "<"; "<="; ">"; ">=" ]
let is_comparison t = match t.kind with Mark m -> List.mem m comparisons | Word _ | Quoted _ -> false
let is_mark m t = t.kind = Mark m

(* Tokens up to the mark that closes what is open, and the rest with that mark. *)
let up_to_closing opening closing tokens =
  let rec go depth acc = function
    | [] -> None
    | t :: rest when is_mark closing t ->
        if depth = 0 then Some (List.rev acc, t, rest) else go (depth - 1) (t :: acc) rest
    | t :: rest when is_mark opening t -> go (depth + 1) (t :: acc) rest
    | t :: rest -> go depth (t :: acc) rest
  in
  go 0 [] tokens

(* The terms between the [&] outside parentheses. *)
let terms formula =
  let rec go depth term all = function
    | [] -> List.rev (List.rev term :: all)
    | t :: rest when depth = 0 && is_mark "&" t -> go depth [] (List.rev term :: all) rest
    | t :: rest ->
        let depth = if is_mark "(" t then depth + 1 else if is_mark ")" t then depth - 1 else depth in
        go depth (t :: term) all rest
  in
  List.filter (( <> ) []) (go 0 [] [] formula)

(* A comparison without a variable to its left is of the package's version. *)
let bounds_version term =
  let rec go before = function
    | [] -> false
    | t :: rest ->
        let alone =
          match before with
          | None -> true
          | Some { kind = Mark m; _ } -> m <> ")"
          | Some { kind = Word _ | Quoted _; _ } -> false
        in
        (is_comparison t && alone) || go (Some t) rest
  in
  go None term

let extent = function
  | [] -> None
  | first :: _ as all ->
      Some { Sexp.start = first.span.start; stop = (List.nth all (List.length all - 1)).span.stop }

let source text ({ start; stop } : Sexp.span) = String.sub text start (stop - start)

(* --- fields --- *)

let new_word = Printf.sprintf "%S" Finding.new_name

(* [name], with its formula if there is one, and the tokens after it. *)
let dependency text name rest =
  match rest with
  | opening :: inside when is_mark "{" opening -> (
      match up_to_closing "{" "}" inside with
      | None -> (Finding.edit name.span new_word, rest)
      | Some (formula, closing, rest) ->
          let all = terms formula in
          let kept = List.filter (fun term -> not (bounds_version term)) all in
          let found =
            if List.compare_lengths all kept = 0 then Finding.edit name.span new_word
            else
              let sources = List.map (source text) (List.filter_map extent kept) in
              let formula =
                match sources with [] -> "" | _ -> Printf.sprintf " {%s}" (String.concat " & " sources)
              in
              Finding.edit { start = name.span.start; stop = closing.span.stop } (new_word ^ formula)
          in
          (found, rest))
  | _ -> (Finding.edit name.span new_word, rest)

let rec dependencies text found = function
  | [] -> found
  | ({ kind = Quoted name; _ } as t) :: rest when name = Finding.old_name ->
      let one, rest = dependency text t rest in
      dependencies text (Finding.( @ ) found one) rest
  | t :: rest when is_mark "{" t -> (
      match up_to_closing "{" "}" rest with
      | Some (_, _, rest) -> dependencies text found rest
      | None -> found)
  | _ :: rest -> dependencies text found rest

let is_new t = t.kind = Quoted Finding.new_name

let field text inside =
  let found = dependencies text Finding.nothing inside in
  match found.edits with
  | first :: _ when List.exists is_new inside ->
      Finding.note first.span.start ~what:"domainslib beside weft-domainslib"
        "the dependency on domainslib can go"
  | _ -> found

let rec look_in text found = function
  | { kind = Word ("depends" | "depopts"); _ } :: colon :: opening :: rest
    when is_mark ":" colon && is_mark "[" opening -> (
      match up_to_closing "[" "]" rest with
      | Some (inside, _, rest) -> look_in text (Finding.( @ ) found (field text inside)) rest
      | None -> found)
  | { kind = Word ("depends" | "depopts"); _ } :: colon :: ({ kind = Quoted _; _ } as only) :: rest
    when is_mark ":" colon ->
      let inside =
        match rest with
        | opening :: more when is_mark "{" opening -> (
            match up_to_closing "{" "}" more with
            | Some (formula, closing, _) -> (only :: opening :: formula) @ [ closing ]
            | None -> [ only ])
        | _ -> [ only ]
      in
      look_in text (Finding.( @ ) found (field text inside)) rest
  | _ :: rest -> look_in text found rest
  | [] -> found

let look text = look_in text Finding.nothing (tokens text 0 [])
let is_generated text = String.starts_with ~prefix:"# This file is generated by dune" text
