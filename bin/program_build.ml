open Weft_files

type t = { version : string; profile : string }

let mark = "weft-build"
let longest = 200

(* Programs that look for the line, or print it, have parts of it in their files, too. *)
let is_value = function
  | 'a' .. 'z' | 'A' .. 'Z' | '0' .. '9' | '.' | '_' | '-' | '+' | '~' -> true
  | _ -> false

let value key word =
  if String.starts_with ~prefix:key word then
    let value = String.sub word (String.length key) (String.length word - String.length key) in
    if value <> "" && String.for_all is_value value then Some value else None
  else None

let parsed line =
  match String.split_on_char ' ' line with
  | [ first; version; profile ] when first = mark -> (
      match (value "version=" version, value "profile=" profile) with
      | Some version, Some profile -> Some { version; profile }
      | _ -> None)
  | _ -> None

(* In the lines of [text] that end in it. *)
let find text =
  match List.rev (String.split_on_char '\n' text) with
  | _unended :: lines ->
      List.find_map (fun line -> if String.starts_with ~prefix:mark line then parsed line else None) lines
  | [] -> None

(* Each piece begins with the end of the one before, in which a line may begin. *)
let search input =
  let chunk = Bytes.create 65536 in
  let rec next before =
    match Input.read input chunk 0 (Bytes.length chunk) with
    | 0 -> None
    | n -> (
        let text = before ^ Bytes.sub_string chunk 0 n in
        match find text with
        | Some _ as found -> found
        | None ->
            let kept = min longest (String.length text) in
            next (String.sub text (String.length text - kept) kept))
  in
  next ""

let read path = Input.with_file path search
