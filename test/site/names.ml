(* The names that interfaces have. *)

open Weft_site
open Made_up

let test name f = Alcotest.test_case name `Quick f

let made_up =
  [
    ( "lib/Top/index.html",
      spec "val-par" "A comment." ^ spec "val-bare" "" ^ spec "type-t" "" ^ spec "type-t.Red" ""
      ^ spec "exception-Lost" ""
      ^ alias "Chan" "../Inner/Channel/index.html" );
    ("lib/Top/Sub/index.html", spec "val-f" "A comment.");
    ("lib/Top/module-type-S/index.html", spec "val-inside" "");
    ("lib/Inner/Channel/index.html", spec "val-send" "");
  ]

let with_api f = with_folder made_up (fun root -> f (Api.read ~root [ "lib/Top" ]))

let every_kind_is_found () =
  with_api (fun api ->
      List.iter
        (fun (name, expected) -> Alcotest.(check (option string)) name expected (Api.find api name))
        [
          ("Top.par", Some "lib/Top/index.html#val-par");
          ("Top.t", Some "lib/Top/index.html#type-t");
          ("Top.Red", Some "lib/Top/index.html#type-t.Red");
          ("Top.Lost", Some "lib/Top/index.html#exception-Lost");
          ("Top.Sub", Some "lib/Top/Sub/index.html");
          ("Top.Sub.f", Some "lib/Top/Sub/index.html#val-f");
          ("Top.Sub.g", None);
          ("Top.inside", None);
        ])

let what_another_library_declares_is_found () =
  with_api (fun api ->
      Alcotest.(check (option string))
        "module" (Some "lib/Inner/Channel/index.html") (Api.find api "Top.Chan");
      Alcotest.(check (option string))
        "function" (Some "lib/Inner/Channel/index.html#val-send") (Api.find api "Top.Chan.send"))

let only_names_of_these_libraries_are_claimed () =
  with_api (fun api ->
      List.iter
        (fun (name, expected) -> Alcotest.(check bool) name expected (Api.claims api name))
        [
          ("Top.par", true);
          ("Top.no_such", true);
          ("Top", false);
          ("Unix.read", false);
          ("Top.ml", true);
          ("Top.x-y", false);
        ])

let functions_without_a_comment_are_told () =
  with_api (fun api ->
      Alcotest.(check (list string))
        "values and exceptions"
        [ "Top.Chan.send"; "Top.Lost"; "Top.bare" ]
        (Api.undocumented api))

let output =
  {|File "a.mli", line 1, characters 4-43:
Failed to resolve reference unresolvedroot(Failure) Couldn't find "Failure"
File "b.mli", line 2, characters 4-43:
Failed to resolve reference unresolvedroot(Weft).Cancel.Timeout Couldn't find "Weft"
File "c.mli", line 3, characters 4-43:
While resolving the expansion of include at File "d.mli", line 4, character 0
Failed to resolve reference unresolvedroot(Wrong).name Couldn't find "Wrong"
More of the same.
|}

let errors_of_odoc_that_matter_are_told () =
  let known name = name = "Weft.Cancel.Timeout" in
  Alcotest.(check (list string))
    "neither OCaml's exceptions nor known names"
    [
      {|File "c.mli", line 3, characters 4-43: Failed to resolve reference unresolvedroot(Wrong).name Couldn't find "Wrong"|};
    ]
    (Odoc_errors.of_output ~known output);
  Alcotest.(check int)
    "unknown names are" 2
    (List.length (Odoc_errors.of_output ~known:(fun _ -> false) output))

let odoc's_pages_get_links () =
  let api = function "Weft.par" -> Some "x.html" | _ -> None in
  let claims = String.starts_with ~prefix:"Weft." in
  let html =
    "<html><head></head><body><nav class=\"odoc-nav\">Up</nav><h1>Module \
     <code><span>Weft_sync.Mutexes</span></code></h1><p><code>Weft.par</code> <code>Weft.lost</code> \
     <a><code>Weft.par</code></a></p></body></html>"
  in
  let page, problems = Reference.page ~output:"api/a/index.html" ~api ~claims html in
  contain "<nav class=\"odoc-nav\"><a href=\"../../index.html\">" page;
  contain "<link rel=\"stylesheet\" href=\"../../site.css\"/></head>" page;
  contain
    "<p><a href=\"x.html\"><code>Weft.par</code></a> <code>Weft.lost</code> <a><code>Weft.par</code></a>" page;
  contain "<span>Weft.Mutex</span>" page;
  Alcotest.(check (list string)) "no such function" [ "Weft.lost" ] problems

let examples_show_functions () =
  with_folder
    [
      ("a/one.ml", "let () = Weft.Chan.send c 1; S.(send (x) >>> last); first");
      ("a/b/two.ml", "open Weft let x = Chan.recv c");
      ("a/c.txt", "Chan.close");
    ]
    (fun folder ->
      let examples = Examples.read folder in
      List.iter
        (fun (name, expected) -> Alcotest.(check bool) name expected (Examples.shows examples name))
        [
          ("Weft.Chan.send", true);
          ("Weft.Chan.recv", true);
          ("Weft.Chan.close", false);
          ("Weft.send", false);
          ("Weft.S.last", true);
          ("Weft.S.first", false);
          ("Weft.Stage.(>>>)", true);
          ("Weft.Stage.(>>)", false);
        ])

let tests =
  [
    test "examples show functions" examples_show_functions;
    test "every kind of name is found" every_kind_is_found;
    test "what another library declares is found" what_another_library_declares_is_found;
    test "only names of these libraries are claimed" only_names_of_these_libraries_are_claimed;
    test "functions without a comment are told" functions_without_a_comment_are_told;
    test "errors of odoc that matter are told" errors_of_odoc_that_matter_are_told;
    test "odoc's pages get links" odoc's_pages_get_links;
  ]
