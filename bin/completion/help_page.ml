type value = { name : string; is_list : bool }

type option_ = {
  names : string list;
  value : [ `None | `Optional of value | `Required of value ];
  about : string;
}

type argument = { value : value; repeats : bool }
type t = { words : string list; about : string; options : option_ list; arguments : argument list }

(* --- groff --- *)

(* Fonts are \fB, \fI, \fR; characters that have a meaning for groff are written as \N'45'. *)
let plain line =
  let b = Buffer.create (String.length line) in
  let rec from i =
    if i < String.length line then
      match line.[i] with
      | '\\' when i + 2 < String.length line && line.[i + 1] = 'f' -> from (i + 3)
      | '\\' when i + 2 < String.length line && line.[i + 1] = 'N' ->
          let close = String.index_from line (i + 3) '\'' in
          Buffer.add_char b (Char.chr (int_of_string (String.sub line (i + 3) (close - i - 3))));
          from (close + 1)
      | '\\' when i + 1 < String.length line ->
          Buffer.add_char b line.[i + 1];
          from (i + 2)
      | c ->
          Buffer.add_char b c;
          from (i + 1)
  in
  from 0;
  Buffer.contents b

(* The lines after [.SH NAME], up to the next section. *)
let section name lines =
  let is_heading line = String.starts_with ~prefix:".SH " line in
  let rec skip = function
    | [] -> []
    | line :: rest -> if String.equal line (".SH " ^ name) then take rest else skip rest
  and take = function line :: rest when not (is_heading line) -> line :: take rest | _ -> [] in
  skip lines

(* The items of a section: after [.TP], a line that names the item, and the lines that explain it. *)
let items lines =
  let is_macro line = String.starts_with ~prefix:"." line in
  let rec text = function line :: rest when not (is_macro line) -> line :: text rest | _ -> [] in
  let rec all = function
    | macro :: heading :: rest when String.starts_with ~prefix:".TP" macro ->
        (plain heading, plain (String.concat " " (text rest))) :: all rest
    | _ :: rest -> all rest
    | [] -> []
  in
  all lines

(* --- words --- *)

let find_sub text part =
  let n = String.length part in
  let rec at i =
    if i + n > String.length text then None else if String.sub text i n = part then Some i else at (i + 1)
  in
  at 0

let before text part = match find_sub text part with Some i -> String.sub text 0 i | None -> text

let first_sentence text =
  let sentence = before text ". " in
  if String.ends_with ~suffix:"." sentence then String.sub sentence 0 (String.length sentence - 1)
  else sentence

(* [N,...] is a list; [NAMES] and [LIST] are lists by their names. *)
let value name =
  match Filename.chop_suffix_opt ~suffix:",..." name with
  | Some name -> { name; is_list = true }
  | None -> { name; is_list = List.mem name [ "NAMES"; "LIST" ] }

(* [-o FILE, --output=FILE (required)], [--help[=FMT] (default=auto)], [--json]; lists of values have no
   blank after the comma. *)
let option_ (heading, text) =
  let forms = Str.split (Str.regexp_string ", ") (before heading " (") in
  let cut form =
    match find_sub form "[=" with
    | Some i -> (String.sub form 0 i, `Optional (value (String.sub form (i + 2) (String.length form - i - 3))))
    | None -> (
        match Str.bounded_split (Str.regexp "[= ]") form 2 with
        | [ name; v ] -> (name, `Required (value v))
        | _ -> (form, `None))
  in
  match List.map cut forms with
  | [] -> failwith ("an option without a name: " ^ heading)
  | cuts ->
      let names = List.map fst cuts and _, value = List.nth cuts (List.length cuts - 1) in
      if not (List.for_all (String.starts_with ~prefix:"-") names) then failwith ("no option: " ^ heading);
      { names; value; about = first_sentence text }

(* The synopsis shows which arguments may be repeated: [[BENCH]...]. *)
let argument synopsis (heading, _) =
  let name = before heading " (" in
  let followed_by_dots part = find_sub synopsis (part ^ "\u{2026}") <> None in
  { value = value name; repeats = followed_by_dots name || followed_by_dots (name ^ "]") }

let parse text =
  let lines = String.split_on_char '\n' text in
  let name =
    match List.filter (fun line -> not (String.starts_with ~prefix:"." line)) (section "NAME" lines) with
    | line :: _ -> plain line
    | [] -> failwith "no section NAME"
  in
  let words, about =
    match find_sub name " - " with
    | Some i -> (String.sub name 0 i, String.sub name (i + 3) (String.length name - i - 3))
    | None -> (name, "")
  in
  let synopsis = String.concat " " (List.map plain (section "SYNOPSIS" lines)) in
  {
    words = List.tl (String.split_on_char '-' words);
    about = first_sentence about;
    options = List.map option_ (items (section "OPTIONS" lines @ section "COMMON OPTIONS" lines));
    arguments = List.map (argument synopsis) (items (section "ARGUMENTS" lines));
  }
