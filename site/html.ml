type token =
  | Open of { name : string; attributes : (string * string) list; closed : bool }
  | Close of string
  | Text of string
  | Comment

let is_letter c = match c with 'a' .. 'z' | 'A' .. 'Z' -> true | _ -> false
let is_blank c = c = ' ' || c = '\t' || c = '\n' || c = '\r'

let is_name c =
  match c with 'a' .. 'z' | 'A' .. 'Z' | '0' .. '9' | '-' | '_' | ':' | '.' -> true | _ -> false

(* The first place from [i] on where [p] does not hold. *)
let rec skip p s i = if i < String.length s && p s.[i] then skip p s (i + 1) else i

let find_from s i sub =
  let n = String.length sub in
  let rec go i =
    if i + n > String.length s then None else if String.sub s i n = sub then Some i else go (i + 1)
  in
  go i

(* Attributes from [i] on, and where they end: at [>], or at the end of the text. *)
let rec read_attributes s i found =
  let i = skip (fun c -> is_blank c || c = '/') s i in
  if i >= String.length s then (List.rev found, i)
  else if s.[i] = '>' then (List.rev found, i + 1)
  else
    let after = skip is_name s i in
    if after = i then read_attributes s (i + 1) found
    else
      let name = String.sub s i (after - i) in
      if after + 1 < String.length s && s.[after] = '=' && (s.[after + 1] = '"' || s.[after + 1] = '\'') then
        let quote = s.[after + 1] in
        let start = after + 2 in
        let stop = skip (fun c -> c <> quote) s start in
        read_attributes s
          (min (String.length s) (stop + 1))
          ((name, String.sub s start (stop - start)) :: found)
      else read_attributes s after ((name, "") :: found)

let tokens s =
  let n = String.length s in
  let text from until found =
    if until > from then Text (String.sub s from (until - from)) :: found else found
  in
  (* [from]: where the text that is not in [found] yet begins. *)
  let rec go from i found =
    match String.index_from_opt s i '<' with
    | None -> List.rev (text from n found)
    | Some at when at + 1 < n && (s.[at + 1] = '!' || s.[at + 1] = '?') ->
        let stop, length =
          if at + 4 <= n && String.sub s at 4 = "<!--" then (find_from s at "-->", 3)
          else (String.index_from_opt s at '>', 1)
        in
        let next = match stop with Some stop -> stop + length | None -> n in
        go next next (Comment :: text from at found)
    | Some at when at + 2 < n && s.[at + 1] = '/' && is_letter s.[at + 2] ->
        let after = skip is_name s (at + 2) in
        let next = match String.index_from_opt s after '>' with Some stop -> stop + 1 | None -> n in
        go next next (Close (String.sub s (at + 2) (after - at - 2)) :: text from at found)
    | Some at when at + 1 < n && is_letter s.[at + 1] ->
        let after = skip is_name s (at + 1) in
        let name = String.sub s (at + 1) (after - at - 1) in
        let attributes, next = read_attributes s after [] in
        let closed = next >= 2 && s.[next - 2] = '/' in
        let found = Open { name; attributes; closed } :: text from at found in
        if (name = "script" || name = "style") && not closed then
          let stop = Option.value (find_from s next ("</" ^ name)) ~default:n in
          go stop stop (text next stop found)
        else go next next found
    | Some at -> go from (at + 1) found
  in
  if n = 0 then [] else go 0 0 []

let print tokens =
  let b = Buffer.create 10_000 in
  List.iter
    (function
      | Open { name; attributes; closed } ->
          Printf.bprintf b "<%s" name;
          List.iter (fun (key, value) -> Printf.bprintf b " %s=\"%s\"" key value) attributes;
          Buffer.add_string b (if closed then "/>" else ">")
      | Close name -> Printf.bprintf b "</%s>" name
      | Text text -> Buffer.add_string b text
      | Comment -> ())
    tokens;
  Buffer.contents b

let escape s =
  let b = Buffer.create (String.length s + 16) in
  String.iter
    (function
      | '&' -> Buffer.add_string b "&amp;"
      | '<' -> Buffer.add_string b "&lt;"
      | '>' -> Buffer.add_string b "&gt;"
      | '"' -> Buffer.add_string b "&quot;"
      | c -> Buffer.add_char b c)
    s;
  Buffer.contents b

let entity = function
  | "amp" -> Some '&'
  | "lt" -> Some '<'
  | "gt" -> Some '>'
  | "quot" -> Some '"'
  | "apos" -> Some '\''
  | e when String.length e > 1 && e.[0] = '#' -> (
      let digits = String.sub e 1 (String.length e - 1) in
      let digits = if digits.[0] = 'x' then "0" ^ digits else digits in
      match int_of_string_opt digits with Some code when code < 128 -> Some (Char.chr code) | _ -> None)
  | _ -> None

let unescape s =
  let b = Buffer.create (String.length s) in
  let n = String.length s in
  let rec go i =
    if i < n then
      match (s.[i], String.index_from_opt s i ';') with
      | '&', Some stop when stop - i <= 8 -> (
          match entity (String.sub s (i + 1) (stop - i - 1)) with
          | Some c ->
              Buffer.add_char b c;
              go (stop + 1)
          | None ->
              Buffer.add_char b '&';
              go (i + 1))
      | c, _ ->
          Buffer.add_char b c;
          go (i + 1)
  in
  go 0;
  Buffer.contents b

let text tokens =
  String.concat ""
    (List.filter_map (function Text t -> Some (unescape t) | Open _ | Close _ | Comment -> None) tokens)

let attribute name attributes = List.assoc_opt name attributes
