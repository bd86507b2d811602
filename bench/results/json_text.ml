open Weft_files

let greatest_size = 64 * 1024 * 1024

(* Files of results have five levels. The limit protects the parser, which is recursive, from a stack
   overflow. *)
let greatest_depth = 100

(* [is_deep text] tells whether the brackets outside of strings are nested deeper than that. Yojson also
   accepts round and pointed brackets, as an extension. *)
let is_deep text =
  let n = String.length text in
  let rec outside i depth =
    depth > greatest_depth
    || i < n
       &&
       match text.[i] with
       | '[' | '{' | '(' | '<' -> outside (i + 1) (depth + 1)
       | ']' | '}' | ')' | '>' -> outside (i + 1) (depth - 1)
       | '"' -> inside (i + 1) depth
       | _ -> outside (i + 1) depth
  and inside i depth =
    i < n
    &&
    match text.[i] with
    | '\\' -> inside (i + 2) depth
    | '"' -> outside (i + 1) depth
    | _ -> inside (i + 1) depth
  in
  outside 0 0

(* Yojson's message has the place in its first line; then follow the reason and perhaps a piece of the
   text. *)
let reason_of message =
  match String.split_on_char '\n' message with
  | [ reason ] -> ("", reason)
  | place :: reason :: _ -> (String.lowercase_ascii place ^ " ", reason)
  | [] -> ("", message)

let printable text = String.map (fun c -> if c < ' ' || c > '~' then '?' else c) text

let parse text =
  if String.equal (String.trim text) "" then Error "the file is empty"
  else if is_deep text then
    Error (Printf.sprintf "not a results file: it is nested more than %d deep" greatest_depth)
  else
    match Yojson.Safe.from_string text with
    | json -> Ok json
    | exception Yojson.Json_error message ->
        let place, reason = reason_of message in
        Error (printable (Printf.sprintf "not JSON, or not all of it: %s%s" place reason))
    | exception Failure message -> Error (printable ("not JSON: " ^ message))

let read_as name of_json =
  Result.bind
    (Input.with_file name (Input.contents ~most:greatest_size))
    (fun text -> Result.bind (parse text) of_json)
  |> Result.map_error (fun reason -> Printf.sprintf "%s: %s" (Input.shown name) reason)
