type span = { start : int; stop : int }
type t = Atom of span * string | String of span * string | List of span * t list
type error = { at : int; message : string }

exception Bad of error

let bad at message = raise_notrace (Bad { at; message })
let span (Atom (s, _) | String (s, _) | List (s, _)) = s
let deepest = 1000
let is_space c = c = ' ' || c = '\t' || c = '\n' || c = '\r' || c = '\012'
let ends_atom c = is_space c || c = '(' || c = ')' || c = '"' || c = ';'
let line_end text i = match String.index_from_opt text i '\n' with Some j -> j | None -> String.length text

(* After the opening quote at [start]. *)
let rec string_end text start i =
  if i >= String.length text then bad start "a string that does not end"
  else
    match text.[i] with
    | '"' -> i + 1
    | '\\' -> string_end text start (i + 2)
    | _ -> string_end text start (i + 1)

let read_string text start =
  let runs_to_the_end_of_the_line =
    start + 2 < String.length text
    && text.[start + 1] = '\\'
    && (text.[start + 2] = '|' || text.[start + 2] = '>')
  in
  if runs_to_the_end_of_the_line then
    let stop = line_end text start in
    (String ({ start; stop }, String.sub text (start + 3) (stop - start - 3)), stop)
  else
    let stop = string_end text start (start + 1) in
    if stop > String.length text then bad start "a string that does not end";
    (String ({ start; stop }, String.sub text (start + 1) (stop - start - 2)), stop)

let rec atom_end text i =
  if i < String.length text && not (ends_atom text.[i]) then atom_end text (i + 1) else i

(* [opened]: where the lists that are open begin, and what stands before each in the next outer one, innermost first. *)
let rec go text i items opened depth =
  if i >= String.length text then
    match opened with [] -> List.rev items | (start, _) :: _ -> bad start "a parenthesis that is not closed"
  else
    match text.[i] with
    | c when is_space c -> go text (i + 1) items opened depth
    | ';' -> go text (line_end text i) items opened depth
    | '(' ->
        if depth = deepest then bad i "lists too deep";
        go text (i + 1) [] ((i, items) :: opened) (depth + 1)
    | ')' -> (
        match opened with
        | [] -> bad i "a parenthesis too many"
        | (start, before) :: opened ->
            let list = List ({ start; stop = i + 1 }, List.rev items) in
            go text (i + 1) (list :: before) opened (depth - 1))
    | '"' ->
        let item, next = read_string text i in
        go text next (item :: items) opened depth
    | _ ->
        let stop = atom_end text i in
        go text stop (Atom ({ start = i; stop }, String.sub text i (stop - i)) :: items) opened depth

let read text = match go text 0 [] [] 0 with items -> Ok items | exception Bad error -> Error error
