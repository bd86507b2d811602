(* Pages in a browser, with odoc's style below ours: at every width there is exactly one list of pages, and
   one of contents. *)

open Weft_site
open Made_up

let output = "api/a.html"

let document =
  let headings =
    List.map (fun id -> { Article.level = 2; id; title = String.capitalize_ascii id }) [ "one"; "two" ]
  in
  Frame.page ~output ~title:"T" ~heading:"T" ~headings "<p>Text.</p>"

let odoc's contents =
  let html =
    "<html><head><meta name=\"viewport\" content=\"width=device-width\"/><link rel=\"stylesheet\" \
     href=\"odoc.support/odoc.css\"/></head><body class=\"odoc\"><nav class=\"odoc-nav\">Up</nav><header \
     class=\"odoc-preamble\"><h1>Module</h1></header>" ^ contents
    ^ "<div class=\"odoc-content\"><p>Text.</p></div></body></html>"
  in
  fst (Reference.page ~output ~api:(fun _ -> None) ~claims:(fun _ -> false) html)

let with_contents =
  odoc's
    "<div class=\"odoc-tocs\"><nav class=\"odoc-toc odoc-local-toc\"><ul><li><a \
     href=\"#one\">One</a></li><li><a href=\"#two\">Two</a></li></ul></nav></div>"

(* How many links to that address are visible, once everything is unfolded; none if one is narrower than a
   word. *)
let seen browser address =
  let js =
    Printf.sprintf
      "[...document.querySelectorAll('nav a')].filter(a => a.getAttribute('href') === '%s' && \
       a.getBoundingClientRect().width > 20 && a.getBoundingClientRect().left < innerWidth && \
       a.getBoundingClientRect().top < 1500).length"
      address
  in
  match Chromium.eval browser js with `Int n -> n | other -> Alcotest.fail (Yojson.Safe.to_string other)

let unfold = "document.querySelectorAll('details').forEach(d => { d.open = true }), 0"

let check browser name page ~contents =
  with_folder [ (output, page); ("site.css", Frame.style) ] @@ fun folder ->
  let support = Filename.concat folder "api/odoc.support" in
  if Sys.command (Printf.sprintf "odoc support-files -o %s" (Filename.quote support)) <> 0 then
    Alcotest.fail "odoc support-files fails";
  List.iter
    (fun (width, folded) ->
      Chromium.size browser width 1500;
      Chromium.open_page browser ("file://" ^ Filename.concat folder output);
      let count what address expected =
        Alcotest.(check int)
          (Printf.sprintf "%s, %d pixels: %s" name width what)
          expected (seen browser address)
      in
      count "pages before it is unfolded" "../tutorial.html" (if folded then 0 else 1);
      ignore (Chromium.eval browser unfold : Yojson.Safe.t);
      count "pages" "../tutorial.html" 1;
      count "contents" "#two" contents)
    [ (390, true); (800, true); (1280, false); (1900, false) ]

let tests =
  match Chromium.find () with
  | Some program when Sys.command "command -v odoc >/dev/null" = 0 ->
      let case name page ~contents =
        Testing.Watchdog.case name (fun () ->
            let browser = Chromium.start program in
            Fun.protect ~finally:(fun () -> Chromium.stop browser) @@ fun () ->
            check browser name page ~contents)
      in
      [
        case "a document" document ~contents:1;
        case "an interface" with_contents ~contents:1;
        case "an interface without contents" (odoc's "") ~contents:0;
      ]
  | _ -> [ Testing.Watchdog.case "skipped: no chromium or no odoc here" ignore ]
