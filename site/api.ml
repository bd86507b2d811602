type t = {
  addresses : (string, string) Hashtbl.t;
  tops : string list;
  bare : string list;
  values : string list;
}

let starts prefix s = String.starts_with ~prefix s
let after prefix s = String.sub s (String.length prefix) (String.length s - String.length prefix)

(* What an anchor of odoc's stands for: [val-send] is [send], [type-t.Red] is [Red], [module-Make] is [Make]. *)
let name_of_anchor id =
  let last s =
    match String.rindex_opt s '.' with Some i -> String.sub s (i + 1) (String.length s - i - 1) | None -> s
  in
  List.find_map
    (fun prefix -> if starts prefix id then Some (last (after prefix id)) else None)
    [ "val-"; "type-"; "exception-"; "module-type-"; "module-"; "extension-" ]

(* The module that a page shows: ["weft/Weft/Chan/index.html"] is [Weft.Chan], with [library = "weft/Weft"]. Pages of module types and
   of the arguments of functors are left out. *)
let module_of_page ~library path =
  let top = Filename.basename library in
  let rest = after library (Filename.dirname path) in
  let parts = List.filter (( <> ) "") (String.split_on_char '/' rest) in
  if List.exists (fun part -> String.contains part '-') parts then None
  else Some (String.concat "." (top :: parts))

(* Values and exceptions without a comment: odoc puts the comment behind the specification, in the same box. *)
let without_comment tokens =
  let rec go current found = function
    | Html.Open { name = "div"; attributes; _ } :: rest -> (
        match (Html.attribute "class" attributes, Html.attribute "id" attributes) with
        | Some "odoc-spec", _ -> go None (match current with Some id -> id :: found | None -> found) rest
        | Some kind, Some id when starts "spec value" kind || starts "spec exception" kind ->
            go (Some id) found rest
        | Some "spec-doc", _ -> go None found rest
        | _ -> go current found rest)
    | _ :: rest -> go current found rest
    | [] -> List.rev (match current with Some id -> id :: found | None -> found)
  in
  go None [] tokens

(* [module Chan = Chan] where the page of the second is elsewhere: the name, and that page. *)
let aliases tokens =
  let is_module id attributes =
    match Html.attribute "class" attributes with
    | Some kind when starts "spec module anchored" kind ->
        starts "module-" id && not (starts "module-type-" id)
    | _ -> false
  in
  let rec go current = function
    | Html.Open { name = "div"; attributes; _ } :: rest -> (
        match Html.attribute "id" attributes with
        | Some id when is_module id attributes -> go (name_of_anchor id) rest
        | _ -> go None rest)
    | Html.Text " = " :: Html.Open { name = "a"; attributes; _ } :: rest -> (
        match (current, Html.attribute "href" attributes) with
        | Some name, Some address when Filename.basename address = "index.html" ->
            (name, address) :: go None rest
        | _ -> go current rest)
    | _ :: rest -> go current rest
    | [] -> []
  in
  go None tokens

let read ~root libraries =
  let addresses = Hashtbl.create 5_000 in
  let bare = ref [] and values = ref [] in
  let note name address = if not (Hashtbl.mem addresses name) then Hashtbl.add addresses name address in
  let rec show name path =
    note name path;
    let tokens = Html.tokens (Files.read (Filename.concat root path)) in
    List.iter
      (fun (alias, address) ->
        let target = Files.normal (Filename.concat (Filename.dirname path) address) in
        if Sys.file_exists (Filename.concat root target) then show (name ^ "." ^ alias) target)
      (aliases tokens);
    List.iter
      (function
        | Html.Open { attributes; _ } -> (
            match Html.attribute "id" attributes with
            | None -> ()
            | Some id ->
                Option.iter
                  (fun item ->
                    let item = Html.unescape item in
                    if starts "val-" id then values := (name ^ "." ^ item) :: !values;
                    note (name ^ "." ^ item) (path ^ "#" ^ id))
                  (name_of_anchor id))
        | Html.Close _ | Html.Text _ | Html.Comment -> ())
      tokens;
    List.iter
      (fun id -> Option.iter (fun item -> bare := (name ^ "." ^ item) :: !bare) (name_of_anchor id))
      (without_comment tokens)
  in
  let page ~library path =
    let path = after (root ^ "/") path in
    if Filename.basename path = "index.html" then
      Option.iter (fun name -> show name path) (module_of_page ~library path)
  in
  (* Pages first, so that a module's name leads to its page, not to where it is listed. *)
  List.iter
    (fun library ->
      let pages = Files.below (Filename.concat root library) in
      let depth path = List.length (String.split_on_char '/' path) in
      let deepest_first = List.stable_sort (fun a b -> Int.compare (depth b) (depth a)) pages in
      List.iter (page ~library) deepest_first)
    libraries;
  {
    addresses;
    tops = List.map Filename.basename libraries;
    bare = List.sort_uniq String.compare !bare;
    values = List.sort_uniq String.compare !values;
  }

let find api name = Hashtbl.find_opt api.addresses name

let is_identifier part =
  part <> ""
  && (match part.[0] with 'a' .. 'z' | 'A' .. 'Z' | '_' -> true | _ -> false)
  && String.for_all (function 'a' .. 'z' | 'A' .. 'Z' | '0' .. '9' | '_' | '\'' -> true | _ -> false) part

let claims api name =
  match String.split_on_char '.' name with
  | top :: (_ :: _ as rest) -> List.mem top api.tops && List.for_all is_identifier rest
  | _ -> false

let values api = api.values
let undocumented api = api.bare
