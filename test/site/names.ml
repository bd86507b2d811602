(* The names in interfaces. *)

open Weft_site
open Made_up

let test name f = Testing.Watchdog.case name f

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
     <code><span>Weft_sync.Fiber_mutex</span></code></h1><p><code>Weft.par</code> <code>Weft.lost</code> \
     <a><code>Weft.par</code></a></p></body></html>"
  in
  let page, problems = Reference.page ~output:"api/a/index.html" ~api ~claims html in
  contain "<nav class=\"odoc-nav\"><a href=\"../../index.html\">" page;
  contain "<link rel=\"stylesheet\" href=\"../../site.css\"/></head>" page;
  contain
    "<p><a href=\"x.html\"><code>Weft.par</code></a> <code>Weft.lost</code> <a><code>Weft.par</code></a>" page;
  contain "<span>Weft.Mutex</span>" page;
  Alcotest.(check (list string)) "no such function" [ "Weft.lost" ] problems

let there_is name =
  List.mem name
    [
      "Weft.par"; "Weft.run"; "Weft.Array"; "Weft.Array.iter"; "Weft.Array.map"; "Weft.Array.mem"; "Weft.Array.get";
      "Weft.Array.find"; "Weft.Array.sort"; "Weft.Chan"; "Weft.Chan.send"; "Weft.Chan.recv"; "Weft.Chan.close";
      "Weft.Stage"; "Weft.Stage.(>>>)"; "Weft.Stage.(>>)"; "Weft.Stage.last"; "Weft.Scope"; "Weft.Scope.(let*)";
    ]
[@@ocamlformat "disable"]

let shown what programs expected =
  with_folder programs @@ fun folder ->
  let examples = Examples.read ~known:there_is folder in
  List.iter
    (fun (name, expected) ->
      Alcotest.(check bool) (what ^ ": " ^ name) expected (Examples.shows examples name))
    expected

let program text = [ ("a/one.ml", text) ]

let examples_show_functions () =
  shown "by its whole name"
    [ ("a/one.ml", "let () = Weft.Chan.send c 1"); ("a/b/two.ml", "let x = Weft.par f g"); ("a/c.txt", "Weft.run") ]
    [ ("Weft.Chan.send", true); ("Weft.par", true); ("Weft.Chan.recv", false); ("Weft.run", false) ];
  shown "OCaml's is not Weft's"
    (program "let () = Array.iter f (Weft.Array.map g a); mem x; (* Weft.Array.find *) print \"Weft.Array.sort\"")
    [
      ("Weft.Array.iter", false); ("Weft.Array.map", true); ("Weft.Array.mem", false); ("Weft.Array.find", false);
      ("Weft.Array.sort", false);
    ];
  shown "a.(i) is OCaml's, but after open"
    [ ("a/one.ml", "let () = f a.(0)"); ("a/two.ml", "open Weft let () = f (Array.map g a)") ]
    [ ("Weft.Array.get", false); ("Weft.Array.map", true) ];
  shown "a module by another name"
    (program "module C = Weft.Chan let () = C.send c 1 module C = struct let recv x = x end let y = C.recv 1")
    [ ("Weft.Chan.send", true); ("Weft.Chan.recv", false) ];
  shown "within the brackets only"
    (program "let () = Weft.Stage.(f (x >>> last)); y >> z; Weft.(Array.iter f a); Array.map f a")
    [
      ("Weft.Stage.(>>>)", true); ("Weft.Stage.last", true); ("Weft.Stage.(>>)", false); ("Weft.Array.iter", true);
      ("Weft.Array.map", false);
    ];
  shown "opened for an expression, in a module"
    (program
       "let f () = let open Weft in par g h let g () = run f module M = struct open Weft let () = Array.iter f a end \
        let () = Array.map f a")
    [ ("Weft.par", true); ("Weft.run", false); ("Weft.Array.iter", true); ("Weft.Array.map", false) ];
  shown "a name that the program binds is its own"
    (program "open Weft let run x = x let () = run 1; Weft.par f g")
    [ ("Weft.run", false); ("Weft.par", true) ];
  shown "a parameter of a functor, a local module"
    (program "open Weft module F (Array : S) = struct let f = Array.iter end let f () = let module C = Chan in C.send c")
    [ ("Weft.Array.iter", false); ("Weft.Chan.send", true) ];
  shown "binding operators"
    (program "open Weft.Scope let f x = let* y = x in y")
    [ ("Weft.Scope.(let*)", true) ]
[@@ocamlformat "disable"]

let what_is_no_program_is_told () =
  with_folder (program "let let") @@ fun folder ->
  match Examples.read ~known:there_is folder with
  | _ -> Alcotest.fail "read"
  | exception Sys_error line -> contain "one.ml: line 1: not OCaml" line

let tests =
  [
    test "examples show functions" examples_show_functions;
    test "what is no program is told" what_is_no_program_is_told;
    test "every kind of name is found" every_kind_is_found;
    test "what another library declares is found" what_another_library_declares_is_found;
    test "only names of these libraries are claimed" only_names_of_these_libraries_are_claimed;
    test "functions without a comment are told" functions_without_a_comment_are_told;
    test "errors of odoc that matter are told" errors_of_odoc_that_matter_are_told;
    test "odoc's pages get links" odoc's_pages_get_links;
  ]
