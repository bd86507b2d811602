type t = { path : string; status : int; bytes : int }

(* Each step takes a position and returns the position after the text that it has read. *)
exception Bad

(* Not [String.index_from], which would search all lines after this one. *)
let rec index_before text ~last i c =
  if i >= last then raise_notrace Bad else if text.[i] = c then i else index_before text ~last (i + 1) c

let expect text ~last i c = if i < last && text.[i] = c then i + 1 else raise_notrace Bad

(* The position after the closing quote of the string that began before [i]. A backslash escapes the next
   character. *)
let rec behind_quoted text ~last i =
  if i >= last then raise_notrace Bad
  else
    match text.[i] with
    | '"' -> i + 1
    | '\\' -> behind_quoted text ~last (i + 2)
    | _ -> behind_quoted text ~last (i + 1)

let rec behind_word text ~last i = if i < last && text.[i] <> ' ' then behind_word text ~last (i + 1) else i

let number word =
  let is_digit c = '0' <= c && c <= '9' in
  if word <> "" && String.for_all is_digit word then
    match int_of_string_opt word with Some n -> n | None -> raise_notrace Bad
  else raise_notrace Bad

(* "GET /a?b=c HTTP/1.1": the path is the second word up to the question mark. *)
let path request =
  match String.split_on_char ' ' request with
  | _ :: target :: _ when target <> "" -> (
      match String.index_opt target '?' with Some at -> String.sub target 0 at | None -> target)
  | _ -> request

let parse_exn text ~first ~last =
  let host = behind_word text ~last first in
  if host = first then raise_notrace Bad;
  (* User names may contain spaces. *)
  let time = index_before text ~last host '[' in
  let i = index_before text ~last time ']' + 1 in
  let request = expect text ~last (expect text ~last i ' ') '"' in
  let i = behind_quoted text ~last request in
  let path = path (String.sub text request (i - 1 - request)) in
  let status = expect text ~last i ' ' in
  let i = behind_word text ~last status in
  let status = if i - status = 3 then number (String.sub text status 3) else raise_notrace Bad in
  if status < 100 || status > 599 then raise_notrace Bad;
  let bytes = expect text ~last i ' ' in
  let i = behind_word text ~last bytes in
  let bytes = match String.sub text bytes (i - bytes) with "-" -> 0 | word -> number word in
  let quoted i = behind_quoted text ~last (expect text ~last (expect text ~last i ' ') '"') in
  (* Referrer and user agent, or nothing. *)
  let i = if i = last then i else quoted (quoted i) in
  if i < last && text.[i] <> ' ' then raise_notrace Bad;
  { path; status; bytes }

let parse text ~first ~last =
  (* Some systems end lines with two characters. *)
  let last = if last > first && text.[last - 1] = '\r' then last - 1 else last in
  match parse_exn text ~first ~last with request -> Some request | exception Bad -> None
