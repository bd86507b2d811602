open Testing

let root = "../.."
let path name = Filename.concat root name
let page name = Page.read (path name)
let read name = In_channel.with_open_bin (path name) In_channel.input_all

let check_has what part text =
  if not (Text.contains part text) then Alcotest.failf "%s: %S is not in\n%s" what part text

(* --- what is typed --- *)

(* The program at the top of the page, and the commands of one section. *)
let first_program () =
  let readme = page "README.md" in
  let files = Page.files (Page.section readme "Weft") in
  Alcotest.(check (list string)) "the program" [ "first.ml" ] (List.map fst files);
  let commands = Page.commands (Page.section readme "In your own project") in
  let out = Typed.run files commands in
  check_has "its output" (read "examples/first/first.expected") out;
  let next = List.filter (String.starts_with ~prefix:"    ") (Text.lines out) in
  Alcotest.(check int) "what weft new tells to type" 4 (List.length next);
  List.iter (fun line -> check_has "the page" (String.trim line) (String.concat "\n" commands)) next

(* A section that contains all of its files. *)
let typed document title outputs () =
  let section = Page.section (page document) title in
  let out = Typed.run (Page.files section) (Page.commands section) in
  List.iter (fun name -> check_has "its output" (read ("examples/" ^ name ^ ".expected")) out) outputs

(* The commands that the script types on empty machines are all those that the page shows. The script tells
   commands from samples in another way than {!Page}. *)
let typed_in_chroots () =
  let printed = Child.run "sh" [ path "scripts/chroots"; "--commands" ] in
  let typed = Text.lines printed.out in
  let readme = page "README.md" in
  let shown (s : Page.section) =
    List.concat_map Text.lines (Page.commands s @ Page.texts s)
    @ List.filter (String.starts_with ~prefix:"weft ") (Page.code_spans s)
  in
  let all = List.concat_map shown readme in
  Alcotest.(check bool) (Printf.sprintf "%d commands" (List.length all)) true (List.length all >= 12);
  List.iter (fun c -> if not (List.mem c typed) then Alcotest.failf "%S is not typed" c) all;
  List.iter
    (fun program -> check_has "its program" program printed.out)
    (List.map snd (Page.files (Page.section readme "Weft")))

(* --- the statements of HACKING.md about the sources --- *)

let hacking = lazy (page "HACKING.md")

let defines file name =
  let definition =
    Str.regexp
      (Printf.sprintf "^ *\\(let\\|and\\|external\\|val\\)\\(\\[@[a-z ]*\\]\\)?\\( rec\\)? %s[ :]"
         (Str.quote name))
  in
  let text = read file in
  match Str.search_forward definition text 0 with _ -> true | exception Not_found -> false

(* Tests that run meanwhile may make and remove files. *)
let is_folder f = match Sys.is_directory f with is -> is | exception Sys_error _ -> false

(* Looks in a folder, and anywhere below it. *)
let rec below folder name =
  let here = Filename.concat folder name in
  if Sys.file_exists (path here) then Some here
  else
    Sys.readdir (path folder)
    |> Array.to_list
    |> List.map (Filename.concat folder)
    |> List.filter (fun f -> is_folder (path f))
    |> List.find_map (fun f -> below f name)

(* Each "`worker.ml: steal`", with its folder, or in a paragraph that begins with "**A fork ...**
   (`lib/scheduler`)", which names that folder or one above it. *)
let places document title ~at_least () =
  let step folder span =
    match String.split_on_char ':' span with
    | [ file; name ] when Filename.check_suffix file ".ml" ->
        let name = String.trim name in
        let folder = if String.contains file '/' then "." else folder in
        let file =
          match below folder file with Some f -> f | None -> Alcotest.failf "no file %s in %s" file folder
        in
        if not (defines file name) then Alcotest.failf "%s does not define %s" file name;
        1
    | _ -> 0
  in
  let walk (folder, steps) span =
    if String.starts_with ~prefix:"lib/" span && Filename.extension span = "" then (span, steps)
    else (folder, steps + step folder span)
  in
  let spans = Page.code_spans (Page.section (page document) title) in
  let _, steps = List.fold_left walk ("", 0) spans in
  Alcotest.(check bool) (Printf.sprintf "%d places" steps) true (steps >= at_least)

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

(* --- the suppressions of scripts/tsan --- *)

(* Each that names a function of Weft, as "camlWeft_scheduler__Deque.steal_*", or all of a test's. *)
let suppressed () =
  let ours =
    Str.regexp
      "race\\(_top\\)?:caml\\(Weft\\|Dune__exe\\)_?\\([a-z_]*\\)__\\([A-Z][A-Za-z_]*\\)\\.\\(.*\\)\\*$"
  in
  let look line =
    Str.string_match ours line 0
    && begin
         let group n = Str.matched_group n line in
         let name =
           match group 5 with "" -> None | name -> Some (String.sub name 0 (String.length name - 1))
         in
         let folder =
           match (group 2, group 3) with
           | "Weft", "" -> "lib/weft"
           | "Weft", library -> "lib/" ^ library
           | _ -> "test/weft"
         in
         let file = String.uncapitalize_ascii (group 4) ^ ".ml" in
         (match (below folder file, name) with
         | None, _ -> Alcotest.failf "%s: no file %s in %s" line file folder
         | Some file, Some name when not (defines file name) ->
             Alcotest.failf "%s: %s does not define %s" line file name
         | Some _, _ -> ());
         true
       end
  in
  let found = List.filter look (Text.lines (read "test/tsan/suppressions")) in
  Alcotest.(check bool) (Printf.sprintf "%d functions" (List.length found)) true (List.length found >= 40)

(* --- what is printed --- *)

let string_literal = {|"\(\([^"\\]\|\\\(.\|
\)\)*\)"|}

(* The longest part of each text that does not depend on arguments. *)
let printed_by source =
  let call = Str.regexp ("\\(Say\\.line\\|Printf\\.eprintf\\|complain\\)[ \n]+" ^ string_literal) in
  let constant text =
    let plain = Str.global_replace (Str.regexp {|\\
 *|}) "" text in
    Str.split (Str.regexp {|%S\|%[a-z!]\|\\n\|^weft:|}) plain
    |> List.map String.trim
    |> List.fold_left
         (fun longest part -> if String.length part > String.length longest then part else longest)
         ""
  in
  let rec from at =
    match Str.search_forward call source at with
    | exception Not_found -> []
    | _ ->
        let text = Str.matched_group 2 source and next = Str.match_end () in
        constant text :: from next
  in
  List.filter (fun part -> String.length part > 3) (from 0)

(* The library of containers does not depend on Weft, and prints nothing. *)
let rec sources folder =
  Sys.readdir (path folder)
  |> Array.to_list
  |> List.filter (fun name -> name.[0] <> '.' && name <> "containers")
  |> List.map (Filename.concat folder)
  |> List.concat_map (fun f ->
         if Sys.is_directory (path f) then sources f else if Filename.check_suffix f ".ml" then [ f ] else [])

let printed () =
  let table = Page.code_spans (Page.section (page "doc/faq.md") "What does Weft print?") in
  let parts =
    List.concat_map (fun f -> List.map (fun part -> (f, part)) (printed_by (read f))) (sources "lib")
  in
  Alcotest.(check bool) (Printf.sprintf "%d lines" (List.length parts)) true (List.length parts >= 15);
  List.iter
    (fun (f, part) ->
      if not (List.exists (Text.contains part) table) then
        Alcotest.failf "%s prints %S, which the table in doc/faq.md does not have" f part)
    parts

(* --- the environment --- *)

let environment () =
  let table = Page.code_spans (Page.section (page "doc/reference.md") "Environment") in
  let name = Str.regexp {|"\(WEFT_[A-Z_]+\)"|} in
  let rec names text at =
    match Str.search_forward name text at with
    | exception Not_found -> []
    | at ->
        let name = Str.matched_group 1 text in
        name :: names text (at + 1)
  in
  let read_by =
    List.concat_map sources [ "lib"; "insight"; "bench"; "bin"; "migrate" ]
    |> List.concat_map (fun f -> List.map (fun name -> (f, name)) (names (read f) 0))
  in
  Alcotest.(check bool) (Printf.sprintf "%d places" (List.length read_by)) true (List.length read_by >= 10);
  List.iter
    (fun (f, name) ->
      if not (List.mem name table) then
        Alcotest.failf "%s reads %s, which the table in doc/reference.md does not have" f name)
    read_by

(* --- first messages --- *)

(* A first message that stands in no page is not looked at by readers. *)
let first_messages () =
  let page = read "doc/errors.md" in
  Array.iter
    (fun file ->
      if Filename.extension file = ".ml" then
        let program = Filename.remove_extension file in
        check_has "doc/errors.md" (Printf.sprintf "./%s.exe" program) page)
    (Sys.readdir (path "examples/errors"))

(* --- programs for which an MPI is needed --- *)

(* The page's programs are compiled and run where there is one; here it is checked that they are the same. *)
let of_cluster () =
  let in_file (title, file) =
    let samples =
      List.filter_map
        (function Page.Sample { language = "ocaml"; text } -> Some text | _ -> None)
        (Page.section (page "doc/cluster.md") title).blocks
    in
    Alcotest.(check int) (title ^ ": samples") 1 (List.length samples);
    List.iter (fun text -> check_has ("doc/cluster.md, " ^ title) text (read file)) samples
  in
  let all = [ ("A program", "examples/cluster/pi.ml"); ("Distributed arrays", "examples/cluster/heat.ml") ] in
  List.iter in_file all;
  let is_sample = function Page.Sample _ | File _ -> true | Commands _ | Prose _ -> false in
  let count (s : Page.section) = List.length (List.filter is_sample s.blocks) in
  let samples = List.fold_left (fun n s -> n + count s) 0 (page "doc/cluster.md") in
  Alcotest.(check int) "no other samples" (List.length all) samples

(* --- form --- *)

let lines name = In_channel.with_open_bin (path name) In_channel.input_lines

let lengths () =
  List.iter
    (fun (name, most) ->
      let n = List.length (lines name) in
      if n > most then Alcotest.failf "%s has %d lines, more than %d" name n most)
    [ ("README.md", 150); ("HACKING.md", 200) ]

(* Counts characters, not bytes. *)
let width line = String.fold_left (fun n c -> if Char.code c land 0xC0 = 0x80 then n else n + 1) 0 line

let documents () =
  Sys.readdir (path "doc")
  |> Array.to_list
  |> List.filter (fun name -> Filename.check_suffix name ".md")
  |> List.map (Filename.concat "doc")
  |> List.append [ "README.md"; "HACKING.md" ]

(* A row of a table, or a picture, must be one line. *)
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
          case "README: all of it, by scripts/chroots" typed_in_chroots;
        ] );
      ( "sources",
        [
          case "the steps of the walks are there" (places "HACKING.md" "Five walks" ~at_least:20);
          case "where to begin is there" (places "HACKING.md" "Where to begin" ~at_least:5);
          case "the times are there" (places "doc/internals.md" "Times" ~at_least:20);
          case "the tree has every folder" tree;
          case "what scripts/tsan does not report is there" suppressed;
        ] );
      ( "messages",
        [
          case "all that Weft prints is in the table" printed;
          case "doc/errors.md shows each program of examples/errors" first_messages;
        ] );
      ("programs", [ case "doc/cluster.md shows pieces of examples/cluster" of_cluster ]);
      ("environment", [ case "all variables are in the table" environment ]);
      ("form", [ case "first pages are short" lengths; case "prose has 100 columns" widths ]);
    ]
