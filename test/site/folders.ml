(* Whole folders of pages: dead links, pages without links to them; and what happens if they cannot be
   made. *)

open Weft_site
open Made_up

let test name f = Testing.Watchdog.case name f
let link address = Printf.sprintf "<a href=\"%s\">x</a>" address

let told files =
  with_folder files (fun folder ->
      List.map (fun (p : Links.problem) -> (p.page, p.address, p.reason)) (Links.check folder))

let problems = Alcotest.(list (triple string string string))

let good_links_are_good () =
  Alcotest.check problems "none" []
    (told
       [
         ( "a.html",
           "<p id=\"here\"></p>" ^ link "#here" ^ link "b/c.html#there" ^ link "b/c.html"
           ^ link "https://x.org/none.html" ^ link "mailto:x" ^ "<img src=\"b/d.svg\"/>" );
         ("b/c.html", "<p id=\"there\"></p>" ^ link "../a.html#here" ^ link "../a.html#");
         ("b/d.svg", "");
       ])

let dead_links_are_told () =
  Alcotest.check problems "each with its reason"
    [
      ("a.html", "#gone", "no such place in that page");
      ("a.html", "../x.html", "leads out of the pages");
      ("a.html", "b", "is a folder");
      ("a.html", "b/c.html#gone", "no such place in that page");
      ("a.html", "none.html", "no such file");
      ("a.html", "none.svg", "no such file");
    ]
    (told
       [
         ( "a.html",
           link "#gone" ^ link "../x.html" ^ link "b" ^ link "b/c.html#gone" ^ link "none.html"
           ^ "<img src=\"none.svg\"/>" );
         ("b/c.html", "");
       ])

let encoded_addresses_are_read () =
  Alcotest.check problems "none" []
    (told [ ("a.html", link "b%20c.html#val-(%2B)"); ("b c.html", "<p id=\"val-(+)\"></p>") ])

let lonely_pages_are_told () =
  let files =
    [
      ("index.html", link "a.html"); ("a.html", link "index.html"); ("b.html", link "c.html"); ("c.html", "");
    ]
  in
  with_folder files (fun folder ->
      Alcotest.(check (list string))
        "no way leads there" [ "b.html"; "c.html" ]
        (Links.unreachable folder ~from:"index.html"))

let sources_become_pages () =
  with_folder
    [
      ("lib/a.ml", "let x = 1 < 2");
      ("lib/b.bin", "");
      ("lib/sub/c.mli", "val x : int");
      ("lib/.hidden.ml", "");
    ]
    (fun root ->
      let out = Filename.concat root "out" in
      let sources = Sources.create ~root in
      Alcotest.(check (option string))
        "a folder" (Some "sources/lib.html")
        (Sources.address sources "doc/../lib");
      Alcotest.(check (option string)) "nothing" None (Sources.address sources "lib/none.ml");
      Sources.write sources ~out;
      let read path = Files.read (Filename.concat out path) in
      contain "let x = 1 &lt; 2" (read "sources/lib/a.ml.html");
      contain "href=\"lib/sub.html\"" (read "sources/lib.html");
      contain "val x : int" (read "sources/lib/sub/c.mli.html");
      List.iter
        (fun name -> if contains name (read "sources/lib.html") then Alcotest.failf "%s is listed" name)
        [ "b.bin"; ".hidden" ])

let what_cannot_be_made_leaves_the_old_pages () =
  let interfaces = List.map (fun library -> ("doc/_html/" ^ library ^ "/index.html", "")) Pages.libraries in
  let linked =
    List.map
      (fun package -> ("doc/_odocls/" ^ package ^ "/none", ""))
      [ "weft"; "weft-batch"; "weft-domainslib" ]
  in
  (* Everything is there except the documents. *)
  with_folder
    ((("out/index.html", "old") :: ("doc/_html/odoc.support/odoc.css", "") :: interfaces) @ linked)
    (fun folder ->
      let out = Filename.concat folder "out" in
      let doc = Filename.concat folder "doc" in
      let before = Files.below folder in
      let refused doc =
        match Build.all ~root:folder ~doc ~out with Error _ -> () | Ok _ -> Alcotest.fail "made of nothing"
      in
      refused doc;
      refused (Filename.concat folder "none");
      Alcotest.(check string) "as it was" "old" (Files.read (Filename.concat out "index.html"));
      Alcotest.(check (list string)) "and nothing beside it" before (Files.below folder))

let every_page_is_in_every_list () =
  List.iter
    (fun (page : Pages.t) ->
      let html = Frame.page ~output:page.output ~title:"T" ~heading:"T" ~headings:[] "" in
      List.iter
        (fun (other : Pages.t) ->
          contain (Printf.sprintf "<a href=\"%s\"" (Files.relative ~from:page.output other.output)) html)
        Pages.all)
    Pages.all

let tests =
  [
    test "good links are good" good_links_are_good;
    test "dead links are told" dead_links_are_told;
    test "encoded addresses are read" encoded_addresses_are_read;
    test "lonely pages are told" lonely_pages_are_told;
    test "sources become pages" sources_become_pages;
    test "what cannot be made leaves the old pages" what_cannot_be_made_leaves_the_old_pages;
    test "every page is in every list" every_page_is_in_every_list;
  ]
