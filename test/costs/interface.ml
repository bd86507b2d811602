type value = { name : string; text : string }
type t = { head : string; values : value list }

(* --- text --- *)

let search pattern text from =
  match Str.search_forward (Str.regexp pattern) text from with at -> Some at | exception Not_found -> None

let has pattern text = Option.is_some (search pattern text 0)

let before part text =
  match search (Str.quote part) text 0 with Some at -> String.sub text 0 at | None -> text

(* The comment that begins at this offset, with the comments in its examples. *)
let comment_at from text =
  let rec ends at depth =
    match search "(\\*\\|\\*)" text at with
    | None -> String.length text
    | Some at ->
        let depth = if text.[at] = '(' then depth + 1 else depth - 1 in
        if depth = 0 then at else ends (at + 2) depth
  in
  String.sub text from (ends from 0 - from)

(* The text on one line. *)
let flat text = Str.global_replace (Str.regexp "[ \n]+") " " text

(* --- values --- *)

(* The name of the value with which [text] begins. *)
let own_text text =
  match search "(\\*\\*" text 0 with
  | Some at when not (has "\n\n" (String.sub text 0 at)) -> flat (comment_at at text)
  | Some _ | None -> ""

let opens = Str.regexp "^\\( *\\)module \\([A-Za-z0-9_]+\\) : sig$"
let opens_other = Str.regexp "^\\( *\\)\\(module\\|include\\|end)\\) .*\\(sig\\|struct\\)$"
let closes = Str.regexp "^\\( *\\)end\\b"
let declares = Str.regexp "^ *\\(val\\|external\\) \\(( [^ ]+ )\\|[A-Za-z0-9_']+\\)"

(* [inside]: the modules around a line, the innermost first. Functors and signatures have no name here. *)
let parse text =
  let text = before "(**/**)" text in
  let head = if String.starts_with ~prefix:"(**" text then flat (comment_at 0 text) else "" in
  let rest at = String.sub text at (String.length text - at) in
  let rec next at = function
    | [] -> String.length text
    | line :: lines ->
        if Str.string_match declares line 0 then at else next (at + String.length line + 1) lines
  in
  let rec values at inside = function
    | [] -> []
    | line :: lines ->
        let after = at + String.length line + 1 in
        let indent () = String.length (Str.matched_group 1 line) in
        let opened =
          if Str.string_match opens line 0 then [ (indent (), Some (Str.matched_group 2 line)) ]
          else if Str.string_match opens_other line 0 then [ (indent (), None) ]
          else []
        in
        let inside =
          match inside with
          | (at, _) :: around when Str.string_match closes line 0 && indent () = at -> around
          | _ -> inside
        in
        if opened <> [] then values after (opened @ inside) lines
        else if Str.string_match declares line 0 then begin
          let name = Str.matched_group 2 line in
          let name = String.concat "." (List.rev (name :: List.filter_map snd inside)) in
          let text = own_text (String.sub (rest at) 0 (next after lines - at)) in
          { name; text } :: values after inside lines
        end
        else values after inside lines
  in
  { head; values = values 0 [] (String.split_on_char '\n' text) }

(* --- files --- *)

let path name = Filename.concat "../.." name
let contents name = In_channel.with_open_bin (path name) In_channel.input_all

(* With a signature of another file, as in [module type S = Tree_map.S]. *)
let read name =
  let text = contents name in
  let own = parse text in
  match search "^module type S = \\([A-Za-z_]+\\)\\.S$" text 0 with
  | None -> own
  | Some _ ->
      let file = String.uncapitalize_ascii (Str.matched_group 1 text) ^ ".mli" in
      {
        own with
        values = own.values @ (parse (contents (Filename.concat (Filename.dirname name) file))).values;
      }

(* The files of the modules that an interface names, as in [module Array = Parallel_array] and [module Make
   = Batched.Make], in [folders]. *)
let named_by interface folders =
  let text = contents interface in
  let rec from at =
    match search "^module [a-z ]*[A-Za-z_]+ = \\(Weft_profile\\.\\)?\\([A-Za-z_]+\\)" text at with
    | None -> []
    | Some _ ->
        let file = String.uncapitalize_ascii (Str.matched_group 2 text) ^ ".mli"
        and next = Str.match_end () in
        file :: from next
  in
  let there file =
    List.find_opt (fun f -> Sys.file_exists (path f)) (List.map (fun d -> Filename.concat d file) folders)
  in
  interface :: List.filter_map there (List.sort_uniq compare (from 0))

let all_of folder =
  Sys.readdir (path folder)
  |> Array.to_list
  |> List.filter (fun file -> Filename.check_suffix file ".mli")
  |> List.sort compare
  |> List.map (Filename.concat folder)

let public () =
  named_by "lib/weft/weft.mli" [ "lib/weft"; "lib/sync" ]
  @ named_by "lib/batch/weft_batch.mli" [ "lib/batch" ]
  @ [ "lib/domainslib/domainslib.mli"; "lib/domainslib/domainslib_04.mli" ]
  @ all_of "lib/containers"

(* --- what is stated --- *)

type stated = Itself | By_rule of string | Nowhere

let paragraph_on_costs { head; _ } =
  match search "{b Cost" head 0 with None -> "" | Some at -> String.sub head at (String.length head - at)

let rules = [ "[Ee]ach function is \\(O([^)]*)\\)"; "\\(O([^)]*)\\)[^.]* unless it says otherwise" ]

let stated ~costs { name; text } =
  let last = List.hd (List.rev (String.split_on_char '.' name)) in
  let named = Printf.sprintf "\\({![^}]*\\|\\[\\)\\b%s[]}]" (Str.quote last) in
  if has "O(\\|\\bcosts?\\b\\|\\bSee {!" text || has named costs then Itself
  else
    let rule pattern = Option.map (fun _ -> Str.matched_group 1 costs) (search pattern costs 0) in
    match List.find_map rule rules with Some rule -> By_rule rule | None -> Nowhere
