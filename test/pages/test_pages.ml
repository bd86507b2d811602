open Testing

let root = "../.."
let path name = Filename.concat root name
let page name = Page.read (path name)
let read name = In_channel.with_open_bin (path name) In_channel.input_all

let check_has what part text =
  if not (Child.contains part text) then Alcotest.failf "%s: %S is not in\n%s" what part text

(* --- what is typed --- *)

(* The program at the top of the page, and the commands of one section. *)
let first_program () =
  let readme = page "README.md" in
  let files = Page.files (Page.section readme "Weft") in
  Alcotest.(check (list string)) "the program" [ "first.ml" ] (List.map fst files);
  let commands = Page.commands (Page.section readme "In your own project") in
  check_has "its output" (read "examples/first/first.expected") (Typed.run files commands)

(* A section that has all of its files. *)
let typed document title outputs () =
  let section = Page.section (page document) title in
  let out = Typed.run (Page.files section) (Page.commands section) in
  List.iter (fun name -> check_has "its output" (read ("examples/" ^ name ^ ".expected")) out) outputs

(* --- what HACKING.md says of the sources --- *)

let hacking = lazy (page "HACKING.md")

let defines file name =
  let definition =
    Str.regexp
      (Printf.sprintf "^ *\\(let\\|and\\|external\\|val\\)\\(\\[@[a-z ]*\\]\\)?\\( rec\\)? %s[ :]"
         (Str.quote name))
  in
  let text = read file in
  match Str.search_forward definition text 0 with _ -> true | exception Not_found -> false

(* "`worker.ml: steal`" in a paragraph that begins with "**A fork ...** (`lib/sched`)". *)
let walks () =
  let step folder span =
    match String.split_on_char ':' span with
    | [ file; name ] when Filename.check_suffix file ".ml" ->
        let name = String.trim name in
        let file = if String.contains file '/' then file else Filename.concat folder file in
        if not (Sys.file_exists (path file)) then Alcotest.failf "no file %s" file;
        if not (defines file name) then Alcotest.failf "%s does not define %s" file name;
        1
    | _ -> 0
  in
  let walk (folder, steps) span =
    if String.starts_with ~prefix:"lib/" span && not (String.contains span ':') then (span, steps)
    else (folder, steps + step folder span)
  in
  let spans = Page.code_spans (Page.section (Lazy.force hacking) "Five walks") in
  let _, steps = List.fold_left walk ("", 0) spans in
  Alcotest.(check bool) (Printf.sprintf "%d steps" steps) true (steps >= 20)

let tree () =
  let listed = Page.code_spans (Page.section (Lazy.force hacking) "The tree") in
  let folders below =
    Sys.readdir (path below)
    |> Array.to_list
    |> List.filter (fun name -> name.[0] <> '.' && name.[0] <> '_')
    |> List.map (fun name -> if below = "." then name else Filename.concat below name)
    |> List.filter (fun name -> Sys.is_directory (path name))
  in
  let expected = List.filter (( <> ) "lib") (folders "." @ folders "lib") in
  List.iter
    (fun folder -> if not (List.mem folder listed) then Alcotest.failf "%s is not in the tree" folder)
    expected

(* --- form --- *)

let lines name = In_channel.with_open_bin (path name) In_channel.input_lines

let lengths () =
  List.iter
    (fun (name, most) ->
      let n = List.length (lines name) in
      if n > most then Alcotest.failf "%s has %d lines, more than %d" name n most)
    [ ("README.md", 150); ("HACKING.md", 200) ]

(* In characters, not bytes. *)
let width line = String.fold_left (fun n c -> if Char.code c land 0xC0 = 0x80 then n else n + 1) 0 line

let documents () =
  Sys.readdir (path "doc")
  |> Array.to_list
  |> List.filter (fun name -> Filename.check_suffix name ".md")
  |> List.map (Filename.concat "doc")
  |> List.append [ "README.md"; "HACKING.md" ]

(* A row of a table, or a picture, is one line. *)
let may_be_long line = String.starts_with ~prefix:"|" line || String.starts_with ~prefix:"![" line

let widths () =
  let of_prose name (first, lines) =
    List.iteri
      (fun i line ->
        if width line > 100 && not (may_be_long line) then
          Alcotest.failf "%s, line %d: %d columns, more than 100" name (first + i) (width line))
      lines
  in
  let of_section name (s : Page.section) =
    List.iter (function Page.Prose p -> of_prose name (p.first, p.lines) | _ -> ()) s.blocks
  in
  List.iter (fun name -> List.iter (of_section name) (page name)) (documents ())

let () =
  let case = Watchdog.case in
  Alcotest.run "pages"
    [
      ( "typed",
        [
          case "README: your own project" first_program;
          case "tutorial: a change of one word"
            (typed "doc/tutorial.md" "1. A change of one word" [ "tutorial/before"; "tutorial/after" ]);
          case "cookbook: a project" (typed "doc/cookbook.md" "Start a project" [ "cookbook/project" ]);
          case "cookbook: timing" (typed "doc/cookbook.md" "Time your own program" [ "cookbook/timing" ]);
        ] );
      ("sources", [ case "the steps of the walks are there" walks; case "the tree has every folder" tree ]);
      ("form", [ case "first pages are short" lengths; case "prose has 100 columns" widths ]);
    ]
