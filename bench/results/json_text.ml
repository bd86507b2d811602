let greatest_size = 64 * 1024 * 1024

(* Ours have five. A parser that descends by recursion must not be led to the end of its stack. *)
let greatest_depth = 100

(* [is_deep text] tells whether the brackets outside of strings are nested deeper than that; round and pointed ones are
   Yojson's own. *)
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

(* Yojson says where in a line of its own; what follows it is the reason, and perhaps a piece of the text. *)
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

let too_large = Printf.sprintf "not a results file: it is larger than %d MiB" (greatest_size / 1024 / 1024)

(* Reads no more than is needed to know that it is too large: a device may have no end. *)
let input channel =
  let chunk = Bytes.create 65_536 and text = Buffer.create 65_536 in
  let rec more () =
    match In_channel.input channel chunk 0 (Bytes.length chunk) with
    | 0 -> Ok (Buffer.contents text)
    | n ->
        Buffer.add_subbytes text chunk 0 n;
        if Buffer.length text > greatest_size then Error too_large else more ()
  in
  more ()

let without_path path reason =
  let prefix = path ^ ": " in
  if String.starts_with ~prefix reason then
    String.sub reason (String.length prefix) (String.length reason - String.length prefix)
  else reason

let contents path =
  if String.equal path "-" then input In_channel.stdin
  else if String.equal path "" then Error "the name of the file is empty"
  else
    match Sys.is_directory path with
    | true -> Error "it is a folder"
    | false -> In_channel.with_open_bin path input

let shown = function "-" -> "standard input" | "" -> "''" | path -> path
let in_file path = Result.map_error (fun reason -> Printf.sprintf "%s: %s" (shown path) reason)

let read_as path of_json =
  let text = try contents path with Sys_error reason -> Error (without_path path reason) in
  in_file path (Result.bind (Result.bind text parse) of_json)
