let link ~output ?(attributes = "") path name =
  Printf.sprintf "<a href=\"%s\"%s>%s</a>" (Files.relative ~from:output path) attributes name

let pages ~output =
  let item (page : Pages.t) =
    let attributes = if page.output = output then " class=\"current_unit\"" else "" in
    "<li>" ^ link ~output ~attributes page.output (Html.escape page.name) ^ "</li>"
  in
  let group (name, pages) =
    Printf.sprintf "<li><span class=\"group\">%s</span><ul>%s</ul></li>" name
      (String.concat "" (List.map item pages))
  in
  "<ul>" ^ String.concat "" (List.map group Pages.groups) ^ "</ul>"

(* Headings of the second and third level as a list in a list. *)
let contents headings =
  let entry (h : Article.heading) = Printf.sprintf "<a href=\"#%s\">%s</a>" h.id h.title in
  let rec go = function
    | [] -> ""
    | (h : Article.heading) :: rest ->
        let rec split inner = function
          | (i : Article.heading) :: rest when i.level > h.level -> split (i :: inner) rest
          | rest -> (List.rev inner, rest)
        in
        let inner, rest = split [] rest in
        let inner = if inner = [] then "" else "<ul>" ^ go inner ^ "</ul>" in
        Printf.sprintf "<li>%s%s</li>" (entry h) inner ^ go rest
  in
  match List.filter (fun (h : Article.heading) -> h.level <= 3) headings with
  | [] | [ _ ] -> ""
  | headings -> "<ul>" ^ go headings ^ "</ul>"

(* Wide pages have their lists at the side. Narrow ones have them folded, above the text: the style shows one or the other. *)
let at_the_side kind list =
  if list = "" then "" else Printf.sprintf "<nav class=\"odoc-toc odoc-%s-toc\">%s</nav>" kind list

let folded name list =
  if list = "" then "" else Printf.sprintf "<details><summary>%s</summary>%s</details>" name list

let folds ~output ~contents =
  Printf.sprintf "<div class=\"folds\">%s%s</div>"
    (folded "Pages" (pages ~output))
    (folded "On this page" contents)

let pages_at_the_side ~output = at_the_side "global" (pages ~output)

let whole ~output ~title ~way ~heading ~contents body =
  let at path = Files.relative ~from:output path in
  String.concat ""
    [
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"/>";
      Printf.sprintf "<title>%s</title>" (Html.escape title);
      "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1.0\"/>";
      Printf.sprintf "<link rel=\"stylesheet\" href=\"%s\"/>" (at "api/odoc.support/odoc.css");
      Printf.sprintf "<link rel=\"stylesheet\" href=\"%s\"/>" (at "site.css");
      Printf.sprintf "<script src=\"%s\"></script><script>hljs.initHighlightingOnLoad();</script>"
        (at "api/odoc.support/highlight.pack.js");
      "</head><body class=\"odoc\">";
      Printf.sprintf "<nav class=\"odoc-nav\">%s%s</nav>" way (folds ~output ~contents);
      Printf.sprintf "<header class=\"odoc-preamble\"><h1>%s</h1></header>" heading;
      Printf.sprintf "<div class=\"odoc-tocs\">%s%s</div>" (at_the_side "local" contents)
        (pages_at_the_side ~output);
      Printf.sprintf "<div class=\"odoc-content\">%s</div>" body;
      "</body></html>\n";
    ]

let home ~output = link ~output Pages.home.output "Weft"

let page ~output ~title ~heading ~headings body =
  let first = output = Pages.home.output in
  let way = if first then "" else home ~output ^ " &#x00BB; " ^ Html.escape title in
  let title = if first then title else title ^ " (Weft)" in
  whole ~output ~title ~way ~heading ~contents:(contents headings) body

let language path =
  match Filename.extension path with
  | ".ml" | ".mli" -> "language-ocaml"
  | ".sh" -> "language-bash"
  | ".c" | ".h" -> "language-c"
  | _ -> "nohighlight"

let source_page ~output ~path body =
  let name = Html.escape path in
  whole ~output ~title:(path ^ " (Weft)")
    ~way:(home ~output ^ " &#x00BB; sources")
    ~heading:("<code>" ^ name ^ "</code>")
    ~contents:"" body

let source ~output ~path text =
  source_page ~output ~path
    (Printf.sprintf "<pre><code class=\"%s\">%s</code></pre>" (language path) (Html.escape text))

let folder ~output ~path entries =
  let item (name, address) =
    Printf.sprintf "<li>%s</li>" (link ~output address ("<code>" ^ Html.escape name ^ "</code>"))
  in
  source_page ~output ~path ("<ul>" ^ String.concat "" (List.map item entries) ^ "</ul>")

let style =
  {|/* What the pages of documents need beside odoc's own style. */
.odoc-toc.odoc-local-toc:before { content: "On this page"; text-transform: none; }
.odoc-toc.odoc-global-toc:before { content: "Pages"; text-transform: none; }
body.odoc .odoc-toc.odoc-local-toc:before, body.odoc .odoc-toc.odoc-global-toc:before { color: inherit; }
.odoc-tocs .odoc-toc { width: 30ex; }
.odoc-toc.odoc-global-toc > ul > li > ul > li { margin-top: 5px; margin-bottom: 5px; }
.odoc-global-toc .group { font-weight: 600; display: block; margin-top: 0.8em; color: inherit; }
.odoc-nav .folds { display: none; flex-wrap: wrap; gap: 0.5em; margin-top: 0.8em; }
.odoc-nav .folds details { border: 1px solid #8886; border-radius: 5px; }
.odoc-nav .folds details[open] { flex-basis: 100%; }
.odoc-nav .folds summary { cursor: pointer; padding: 0.5em 1em; }
.odoc-nav .folds ul { list-style: none; margin: 0; padding: 0 0 0 1em; }
.odoc-nav .folds details > ul { padding: 0 1em 0.5em; }
.odoc-nav .folds li a { display: block; padding: 0.35em 0; }
.odoc-nav .folds .group { font-weight: 600; display: block; margin-top: 0.5em; }
.odoc-nav .folds .current_unit { font-weight: 700; }
@media (prefers-color-scheme: dark) { .odoc .hljs-comment { color: #a39a8e; } }
.odoc-global-toc .current_unit { font-weight: 700; }
.odoc-content img { max-width: 100%; height: auto; }
.odoc-content .wide { overflow-x: auto; margin: 1em 0; }
.odoc-content .wide table { border-collapse: collapse; margin: 0; }
.odoc-content .wide th, .odoc-content .wide td { padding: 0.35em 0.7em; vertical-align: top; text-align: left; border: 0; }
.odoc-content .wide tbody tr { border-top: 1px solid #8886; }
.odoc-content li > p { margin-bottom: 0.4em; }
.odoc-toc, .odoc-content p > code, .odoc-content li > code { overflow-wrap: anywhere; }
.odoc-content a > code { color: inherit; }
@media only screen and (min-width: 110ex) { body.odoc { max-width: 160ex; } }
.odoc-content pre { overflow-x: auto; font-size: 0.9em; }
.odoc-content .odoc-spec .spec { overflow-x: auto; }
.odoc-content pre code { white-space: pre; overflow-wrap: normal; }
.odoc-content { min-width: 0; }
@media only screen and (max-width: 110ex) {
  body.odoc { margin: 1em; grid-template-columns: minmax(0, 1fr); }
  .odoc-nav .folds { display: flex; }
  body.odoc .odoc-tocs .odoc-toc { display: none; }
  .odoc-content p:has(> img:only-child) { overflow-x: auto; }
  .odoc-content img[src$=".svg"] { min-width: 600px; max-width: none; }
}
|}
