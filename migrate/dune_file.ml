open Sexp

let rec lists = function
  | List (_, items) as list -> list :: List.concat_map lists items
  | Atom _ | String _ -> []

(* --- libraries --- *)

let is_name name = function Atom (_, s) | String (_, s) -> String.equal s name | List _ -> false

(* The name in the source may be quoted. *)
let renamed = function
  | Atom (span, _) -> Finding.edit span Finding.new_name
  | String (span, _) -> Finding.edit span (Printf.sprintf "%S" Finding.new_name)
  | List _ -> Finding.nothing

let rec before_arrow = function
  | [] -> []
  | arrow :: _ when is_name "->" arrow -> []
  | item :: rest -> item :: before_arrow rest

let selected item =
  if is_name Finding.old_name item then renamed item
  else if is_name ("!" ^ Finding.old_name) item then Finding.edit (span item) ("!" ^ Finding.new_name)
  else Finding.nothing

(* One that tells the two libraries apart would have the same condition twice, and dune takes the first. *)
let select ({ start; _ } : span) clauses =
  let conditions = function List (_, items) -> before_arrow items | Atom _ | String _ -> [] in
  let all = List.concat_map conditions clauses in
  let has name = List.exists (fun item -> is_name name item || is_name ("!" ^ name) item) all in
  if has Finding.old_name && has Finding.new_name then
    Finding.note ~needed:true start ~what:"select with domainslib and weft-domainslib"
      "it tells the two libraries apart: drop the clause for domainslib"
  else Finding.concat (List.map selected all)

let rec library item =
  match item with
  | Atom _ | String _ -> if is_name Finding.old_name item then renamed item else Finding.nothing
  | List (_, [ Atom (_, "re_export"); item ]) -> library item
  | List (span, Atom (_, "select") :: _ :: Atom (_, "from") :: clauses) -> select span clauses
  | List ({ start; _ }, Atom (_, ":include") :: _) ->
      Finding.note start ~what:"(:include ...)" "reads libraries from another file: look there for domainslib"
  | List _ -> Finding.nothing

let names_both items =
  let rec has name = function
    | List (_, [ Atom (_, "re_export"); item ]) -> has name item
    | item -> is_name name item
  in
  List.exists (has Finding.old_name) items && List.exists (has Finding.new_name) items

let field = function
  | List ({ start; _ }, Atom (_, ("libraries" | "ppx_runtime_libraries")) :: items) ->
      if names_both items then
        Finding.note ~needed:true start ~what:"domainslib and weft-domainslib"
          "both libraries have a module Domainslib: drop one of them"
      else Finding.concat (List.map library items)
  | List ({ start; _ }, [ Atom (_, ("name" | "public_name")); name ]) when is_name Finding.old_name name ->
      Finding.note ~needed:true start ~what:"a library or package domainslib of this project"
        "what is called domainslib here is this project's own: see that it is not meant where the name is \
         changed"
  | _ -> Finding.nothing

(* --- variables --- *)

let variables = [ "lib"; "libexec"; "lib-private"; "version"; "package" ]

let find_from text part i =
  let n = String.length part in
  let rec at i =
    if i + n > String.length text then None else if String.sub text i n = part then Some i else at (i + 1)
  in
  at i

(* In the source of an atom or string, which begins at [start]. *)
let rec available text start i =
  let part = "%{lib-available:" ^ Finding.old_name ^ "}" in
  match find_from text part i with
  | None -> Finding.nothing
  | Some at ->
      let stop = at + String.length part - 1 in
      let name = { start = start + stop - String.length Finding.old_name; stop = start + stop } in
      Finding.(edit name Finding.new_name @ available text start stop)

let other_variables text start =
  let look variable =
    let named_so ending = find_from text (Printf.sprintf "%%{%s:%s%s" variable Finding.old_name ending) 0 in
    match List.find_map named_so [ "}"; ":" ] with
    | None -> Finding.nothing
    | Some at ->
        Finding.note ~needed:true (start + at)
          ~what:(Printf.sprintf "%%{%s:domainslib...}" variable)
          "a file or property of the package domainslib: see what is to become of it"
  in
  Finding.concat (List.map look variables)

let rec in_words = function
  | Atom ({ start; _ }, s) -> Finding.(available s start 0 @ other_variables s start)
  | String ({ start; _ }, s) ->
      (* After the quote. *)
      Finding.(available s (start + 1) 0 @ other_variables s (start + 1))
  | List (_, items) -> Finding.concat (List.map in_words items)

let look sexps =
  Finding.(concat (List.map field (List.concat_map lists sexps)) @ concat (List.map in_words sexps))

(* --- other files and folders --- *)

let includes sexps =
  List.filter_map
    (function List (_, [ Atom (_, "include"); Atom (_, file) ]) -> Some file | _ -> None)
    sexps

(* [*] is any number of characters, [?] one. *)
let matches pattern name =
  let n = String.length pattern and m = String.length name in
  let rec go i j =
    if i = n then j = m
    else
      match pattern.[i] with
      | '*' -> go (i + 1) j || (j < m && go i (j + 1))
      | '?' -> j < m && go (i + 1) (j + 1)
      | c -> j < m && name.[j] = c && go (i + 1) (j + 1)
  in
  go 0 0

let foreign_folders sexps =
  let words = List.filter_map (function Atom (_, s) | String (_, s) -> Some s | List _ -> None) in
  let named = function
    | List (_, Atom (_, ("vendored_dirs" | "data_only_dirs")) :: items) -> words items
    | _ -> []
  in
  (* Many stars would take for ever to match. *)
  let is_simple pattern = String.fold_left (fun n c -> if c = '*' then n + 1 else n) 0 pattern <= 4 in
  let patterns = List.filter is_simple (List.concat_map named sexps) in
  fun name -> List.exists (fun pattern -> matches pattern name) patterns

let is_ocaml text = String.starts_with ~prefix:"(*" text
