let check what before expected = Made_up.check_after what ~name:"dune" before expected

let names_of_libraries_change () =
  check "alone" "(executable (name a) (libraries domainslib))"
    "(executable (name a) (libraries weft-domainslib))";
  check "among others" "(library (libraries unix domainslib str))"
    "(library (libraries unix weft-domainslib str))";
  check "quoted" {|(library (libraries "domainslib"))|} {|(library (libraries "weft-domainslib"))|};
  check "re-exported" "(library (libraries (re_export domainslib)))"
    "(library (libraries (re_export weft-domainslib)))";
  check "selected"
    "(library (libraries (select p.ml from (domainslib unix -> p.par.ml) (!domainslib -> p.none.ml) (-> \
     p.seq.ml))))"
    "(library (libraries (select p.ml from (weft-domainslib unix -> p.par.ml) (!weft-domainslib -> \
     p.none.ml) (-> p.seq.ml))))";
  check "in every stanza"
    "(test (libraries domainslib))\n\
     (mdx (libraries domainslib))\n\
     (subdir x (executable (libraries domainslib)))"
    "(test (libraries weft-domainslib))\n\
     (mdx (libraries weft-domainslib))\n\
     (subdir x (executable (libraries weft-domainslib)))";
  check "if it is there"
    "(rule (enabled_if %{lib-available:domainslib}) (action (echo \"%{lib-available:domainslib}\")))"
    "(rule (enabled_if %{lib-available:weft-domainslib}) (action (echo \
     \"%{lib-available:weft-domainslib}\")))"

let all_else_stays () =
  let same what text = check what text text in
  same "other names" "(library (libraries domainslib_extra my-domainslib domainslib.x weft-domainslib))";
  same "comments" "; domainslib\n(library ; (libraries domainslib)\n (libraries unix))";
  same "strings" {|(rule (action (echo "(libraries domainslib) \" domainslib")))|};
  same "strings to the end of the line" "(rule (action (echo \"\\| (libraries domainslib) )\n)))";
  same "other fields" "(library (name x) (modules domainslib) (flags (-open domainslib)))";
  same "files of a select" "(library (libraries (select domainslib from (unix -> domainslib))))"

let layout_and_comments_stay () =
  check "layout"
    "; head\n\
     (executable\n\
    \ (name a) ; the (name\n\
    \ (libraries\n\
    \  domainslib ; parallel\n\
     \tunix))\n\n\n\
     ; the end"
    "; head\n\
     (executable\n\
    \ (name a) ; the (name\n\
    \ (libraries\n\
    \  weft-domainslib ; parallel\n\
     \tunix))\n\n\n\
     ; the end";
  check "lines of Windows" "(test\r\n (libraries domainslib\r\n))\r\n"
    "(test\r\n (libraries weft-domainslib\r\n))\r\n";
  check "bytes that are no UTF-8" "; \xff\xfe\n(test (libraries domainslib)) ; \x80"
    "; \xff\xfe\n(test (libraries weft-domainslib)) ; \x80"

let both_libraries_are_told_and_left () =
  let check what text =
    Made_up.in_project [ ("dune", text) ] @@ fun folder ->
    let t = Made_up.find folder in
    Alcotest.(check int) (what ^ ": changed") 0 (List.length t.changed);
    Alcotest.(check (list bool))
      (what ^ ": told") [ true ]
      (List.map (fun (n : Weft_migrate.Migration.note) -> n.needed) t.notes)
  in
  check "side by side" "(test (libraries weft-domainslib domainslib))";
  (* If it were renamed, dune would take the first clause where the second one is meant. *)
  check "clauses of a select"
    "(test (libraries (select p.ml from (domainslib -> p.theirs.ml) (weft-domainslib -> p.wefts.ml))))"

let included_files_change_too () =
  let files =
    [
      ("a/dune", "(include libs.sexp)\n(include ../outside)");
      ("a/libs.sexp", "(test (libraries domainslib))");
      ("outside", "(test (libraries domainslib))");
    ]
  in
  Alcotest.(check string) "included" "(test (libraries weft-domainslib))" (Made_up.after files "a/libs.sexp");
  Alcotest.(check string) "not below" "(test (libraries domainslib))" (Made_up.after files "outside")

let what_is_no_dune_file_is_told_and_left () =
  let check what text expected =
    Made_up.in_project [ ("dune", text); ("b/dune", "(test (libraries domainslib))") ] @@ fun folder ->
    let t = Made_up.find folder in
    Alcotest.(check (list (pair string string)))
      what
      [ ("dune", expected) ]
      (List.map (fun (x : Weft_migrate.Project.left_out) -> (x.path, x.why)) t.trouble);
    Alcotest.(check int) "the other one" 1 (List.length t.changed)
  in
  check "open" "\n(test\n (libraries domainslib)" "line 2: a parenthesis that is not closed";
  check "closed" "(test (libraries domainslib)))" "line 1: a parenthesis too many";
  check "a string" "(test\n (libraries domainslib) \"x" "line 2: a string that does not end";
  check "deep" (String.make 2000 '(' ^ "domainslib") "line 1: lists too deep"

let the_word_is_told_where_it_stands () =
  let check what name text expected =
    Made_up.in_project [ (name, text) ] @@ fun folder ->
    let t = Made_up.find folder in
    Alcotest.(check int) (what ^ ": changed") 0 (List.length t.changed);
    Alcotest.(check (list (pair int bool)))
      what
      (List.map (fun line -> (line, true)) expected)
      (List.map (fun (n : Weft_migrate.Migration.note) -> (n.line, n.needed)) t.notes)
  in
  check "a dune file in OCaml" "dune" "(* -*- tuareg -*- *)\nlet () = send \"(libraries domainslib)\"" [ 2 ];
  check "a makefile" "Makefile"
    "a:\n\tocamlfind opt -package unix,domainslib a.ml\n\topam install domainslib\n" [ 2; 3 ];
  check "another" "rules.mk" "X = domainslib." [ 1 ];
  check "none" "Makefile" "weft-domainslib domainslib_extra my_domainslib domainslib.x domainslib-y" [];
  check "a lock" "p.opam.locked" "depends: [\n  \"domainslib\" {= \"0.5.2\"}\n]\n" [ 2 ]

let case name f = Testing.Watchdog.case name f

let tests =
  [
    case "names of libraries change" names_of_libraries_change;
    case "all else stays" all_else_stays;
    case "layout and comments stay" layout_and_comments_stay;
    case "both libraries at once are told, and left" both_libraries_are_told_and_left;
    case "included files change too, those outside the folder not" included_files_change_too;
    case "what is no dune file is told, and left" what_is_no_dune_file_is_told_and_left;
    case "the word is told where it stands" the_word_is_told_where_it_stands;
  ]
