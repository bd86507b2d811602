let find part text =
  match Str.search_forward (Str.regexp_string part) text 0 with at -> Some at | exception Not_found -> None

let before part text = match find part text with Some at -> String.sub text 0 at | None -> text
let has part text = Option.is_some (find part text)

(* The text that begins there, with the comments in its examples. *)
let text_at from text =
  let mark = Str.regexp "(\\*\\|\\*)" in
  let rec ends at depth =
    match Str.search_forward mark text at with
    | exception Not_found -> String.length text
    | at ->
        let depth = if text.[at] = '(' then depth + 1 else depth - 1 in
        if depth = 0 then at else ends (at + 2) depth
  in
  String.sub text from (ends from 0 - from)

let head text = if String.starts_with ~prefix:"(**" text then text_at 0 text else ""

(* From the name to the next value: the text is what stands right behind the type, without an empty line between. *)
let states_cost value =
  match find "(**" value with
  | Some at when not (has "\n\n" (String.sub value 0 at)) ->
      let text = text_at at value in
      List.exists (fun word -> has word text) [ "O("; "cost"; "Cost" ]
  | Some _ | None -> false

let name value = before " " (before ":" value)

let unstated text =
  if has "{b Cost" (head text) then []
  else
    match Str.split_delim (Str.regexp "^ *\\(val\\|external\\) ") (before "(**/**)" text) with
    | [] -> []
    | _before_the_first :: values ->
        List.filter_map (fun value -> if states_cost value then None else Some (name value)) values
