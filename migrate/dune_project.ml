open Sexp

let comparisons = [ "="; "<>"; "<"; ">"; "<="; ">=" ]

(* What is left of a constraint without bounds on the version; [None]: nothing. [text] is the whole file. *)
let rec without_bounds text item =
  let source { start; stop } = String.sub text start (stop - start) in
  let all items = List.map (without_bounds text) items in
  match item with
  | Atom (span, _) | String (span, _) -> Some (source span)
  | List (_, Atom (_, op) :: _) when List.mem op comparisons -> None
  | List (_, Atom (_, "and") :: items) -> (
      match List.filter_map Fun.id (all items) with
      | [] -> None
      | [ one ] -> Some one
      | several -> Some (Printf.sprintf "(and %s)" (String.concat " " several)))
  | List (_, Atom (_, "or") :: items) ->
      (* One that always holds is enough. *)
      let left = all items in
      if List.mem None left then None
      else Some (Printf.sprintf "(or %s)" (String.concat " " (List.filter_map Fun.id left)))
  | List (_, [ Atom (_, "not"); item ]) -> Option.map (Printf.sprintf "(not %s)") (without_bounds text item)
  | List (span, _) -> Some (source span)

let dependency text = function
  | Atom (span, name) when name = Finding.old_name -> Finding.edit span Finding.new_name
  | List (span, Atom (name_span, name) :: constraints) when name = Finding.old_name ->
      let source { start; stop } = String.sub text start (stop - start) in
      let left = List.filter_map (without_bounds text) constraints in
      let same = List.map (fun c -> source (Sexp.span c)) constraints = left in
      if same && constraints <> [] then Finding.edit name_span Finding.new_name
      else if left = [] then Finding.edit span Finding.new_name
      else Finding.edit span (Printf.sprintf "(%s %s)" Finding.new_name (String.concat " " left))
  | _ -> Finding.nothing

let is_new = function
  | Atom (_, name) | List (_, Atom (_, name) :: _) -> name = Finding.new_name
  | String _ | List _ -> false

let field text = function
  | List (_, Atom (_, ("depends" | "depopts")) :: items) ->
      let found = Finding.concat (List.map (dependency text) items) in
      if found.edits <> [] && List.exists is_new items then
        Finding.note (List.hd found.edits).span.start ~what:"domainslib beside weft-domainslib"
          "the dependency on domainslib can go"
      else found
  | _ -> Finding.nothing

let look ~text sexps =
  let package = function
    | List (_, Atom (_, "package") :: fields) -> Finding.concat (List.map (field text) fields)
    | _ -> Finding.nothing
  in
  Finding.concat (List.map package sexps)

let has_pair name value = function
  | List (_, [ Atom (_, n); (Atom (_, v) | String (_, v)) ]) -> n = name && v = value
  | _ -> false

let generates_opam_files sexps =
  List.exists
    (fun s ->
      has_pair "generate_opam_files" "true" s
      || match s with List (_, [ Atom (_, "generate_opam_files") ]) -> true | _ -> false)
    sexps

let is_domainslib sexps =
  let package = function
    | List (_, Atom (_, "package") :: fields) -> List.exists (has_pair "name" Finding.old_name) fields
    | _ -> false
  in
  List.exists (fun s -> has_pair "name" Finding.old_name s || package s) sexps
