open Migration

(* Names of files may hold anything; a terminal is to see none of it. *)
let shown = Weft_files.Foreign_text.line
let plural n what = Printf.sprintf "%d %s%s" n what (if n = 1 then "" else "s")
let needed t = List.filter (fun (n : note) -> n.needed) t.notes

let summary ~written t =
  let files = plural (List.length t.changed) "file" in
  let files =
    if t.changed = [] then "no file to change"
    else if written then files ^ " changed"
    else files ^ " to change"
  in
  let must = List.length (needed t) in
  Printf.sprintf "%s: %s, %s by hand, %s on going further\n" (shown t.root) files
    (plural must "thing" ^ " to do")
    (plural (List.length t.notes - must) "note")

let diffs t = String.concat "" (List.map (fun (c : changed) -> "\n" ^ c.diff) t.changed)
let section title = function [] -> "" | lines -> Printf.sprintf "\n%s\n%s" title (String.concat "" lines)

(* Each kind of note once, in the order of its first place, then its places, a line for each file. *)
let by_kind (notes : note list) =
  let places = Hashtbl.create 16 and kinds = ref [] in
  let add (n : note) =
    let kind = (n.what, n.advice) in
    let files =
      match Hashtbl.find_opt places kind with
      | Some files -> files
      | None ->
          kinds := kind :: !kinds;
          []
    in
    Hashtbl.replace places kind
      (match files with
      | (path, lines) :: others when path = n.path -> (path, n.line :: lines) :: others
      | others -> (n.path, [ n.line ]) :: others)
  in
  List.iter add notes;
  let file (path, lines) =
    let lines = List.sort_uniq Int.compare lines in
    Printf.sprintf "  %s:%s\n" (shown path) (String.concat ", " (List.map string_of_int lines))
  in
  let kind ((what, advice) as kind) =
    Printf.sprintf "%s: %s\n%s" (shown what) advice
      (String.concat "" (List.rev_map file (Hashtbl.find places kind)))
  in
  List.rev_map kind !kinds

let text ~written t =
  let by_hand, further = List.partition (fun (n : note) -> n.needed) t.notes in
  let left_out ({ path; why } : Project.left_out) = Printf.sprintf "%s: %s\n" (shown path) why in
  let hint =
    if written || t.changed = [] then ""
    else "\nNothing was written. To change the files: weft migrate --write DIR\n"
  in
  summary ~written t ^ diffs t
  ^ section "To do by hand" (by_kind by_hand)
  ^ section "Going further: from Domainslib to Weft itself, where you like" (by_kind further)
  ^ section "Left out" (List.map left_out t.left_out)
  ^ hint

let trouble t =
  let line ({ path; why } : Project.left_out) = Printf.sprintf "%s: %s" (shown path) why in
  List.map line t.trouble

(* --- JSON --- *)

let json ~written t =
  let string s = `String (Weft_files.Foreign_text.utf_8 s) in
  let change ({ line; from; by } : change) =
    `Assoc [ ("line", `Int line); ("from", string from); ("to", string by) ]
  in
  let file (c : changed) =
    `Assoc
      [ ("path", string c.path); ("changes", `List (List.map change c.changes)); ("diff", string c.diff) ]
  in
  let note (n : note) =
    `Assoc
      [
        ("path", string n.path);
        ("line", `Int n.line);
        ("needed", `Bool n.needed);
        ("what", string n.what);
        ("advice", string n.advice);
      ]
  in
  let reasons =
    List.map (fun ({ path; why } : Project.left_out) -> `Assoc [ ("path", string path); ("why", string why) ])
  in
  let json =
    `Assoc
      [
        ("format", `Int 1);
        ("root", string t.root);
        ("written", `Bool written);
        ("files", `List (List.map file t.changed));
        ("notes", `List (List.map note t.notes));
        ("left_out", `List (reasons t.left_out));
        ("trouble", `List (reasons t.trouble));
      ]
  in
  Yojson.Safe.pretty_to_string ~std:true json ^ "\n"
