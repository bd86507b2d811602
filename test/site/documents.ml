(* Documents become pages. *)

open Weft_site
open Made_up

let article ?(link = Fun.id) ?(image = Fun.id) html =
  let api = function "Weft.par" -> Some "api/Weft/index.html#val-par" | _ -> None in
  Article.of_html ~link ~image ~api ~claims:(String.starts_with ~prefix:"Weft.") html

let text = Alcotest.(check string)
let test name f = Testing.Watchdog.case name f

let the_first_heading_is_the_title () =
  let a = article "<h1>Forks &amp; <code>joins</code></h1>\n<p>Text.</p>" in
  text "title" "Forks & joins" a.title;
  text "shown" "Forks &amp; <code>joins</code>" a.heading;
  if contains "Forks" a.body then Alcotest.fail "the title is in the body too"

let headings_can_be_linked_to () =
  let a = article "<h1>T</h1><h2>1. Domains, and when not to</h2><h3>Why?</h3><h2>Why?</h2>" in
  Alcotest.(check (list (pair int string)))
    "as hosts of documents call them"
    [ (2, "1-domains-and-when-not-to"); (3, "why"); (2, "why-1") ]
    (List.map (fun (h : Article.heading) -> (h.level, h.id)) a.headings);
  contain "<h3 id=\"why\">" a.body

let names_lead_to_interfaces () =
  let a = article "<p><code>Weft.par f g</code>, <code>Weft.pair</code>, <code>x</code></p>" in
  contain "<a href=\"api/Weft/index.html#val-par\"><code>Weft.par f g</code></a>" a.body;
  Alcotest.(check (list string)) "no such function" [ "Weft.pair" ] a.problems

let samples_and_links_are_left_alone () =
  let a =
    article
      "<pre><code class=\"language-ocaml\">Weft.pair</code></pre><p><a \
       href=\"x\"><code>Weft.pair</code></a></p>"
  in
  Alcotest.(check (list string)) "no problem" [] a.problems;
  contain "<pre><code class=\"language-ocaml\">Weft.pair</code></pre>" a.body;
  (* The language of a sample is not guessed either. *)
  let a = article "<pre><code>weft doctor --json</code></pre>" in
  contain "<pre><code class=\"nohighlight\">weft doctor --json</code></pre>" a.body

let links_and_pictures_are_moved () =
  let a =
    article
      ~link:(fun path -> "L:" ^ path)
      ~image:(fun path -> "I:" ^ path)
      "<a href=\"a.md#b\">1</a><a href=\"#c\">2</a><a href=\"https://x.org/y.md\">3</a><img src=\"d.svg\" />"
  in
  List.iter
    (fun part -> contain part a.body)
    [ "href=\"L:a.md#b\""; "href=\"#c\""; "href=\"https://x.org/y.md\""; "src=\"I:d.svg\"" ]

let tables_may_be_wider_than_the_page () =
  contain "<div class=\"wide\"><table><tr><td>x</td></tr></table></div>"
    (article "<table><tr><td>x</td></tr></table>").body

let contents_are_left_to_the_page () =
  let contents =
    "<ol><li><a href=\"#a\">A</a></li>\n<li><p><a href=\"#b\">B <code>b</code></a></p></li></ol>"
  in
  let a =
    article ("<h1>T</h1><p>Before.</p>" ^ contents ^ "<p>After.</p><h2>A</h2><h2>B b</h2>" ^ contents)
  in
  contain "<p>Before.</p><p>After.</p>" a.body;
  (* A list further below is no table of contents, nor is one that contains more than links. *)
  if not (String.ends_with ~suffix:contents a.body) then Alcotest.fail "a list in the text is gone";
  List.iter
    (fun list -> contain list (article list).body)
    [
      "<ul><li><a href=\"#a\">A</a>: why</li><li><a href=\"#b\">B</a></li></ul>";
      "<ul><li><a href=\"a.md\">A</a></li><li><a href=\"#b\">B</a></li></ul>";
      "<ul><li><a href=\"#a\">A</a></li></ul>";
      "<ul></ul>";
    ]

let html_is_printed_as_it_was () =
  List.iter
    (fun html -> text html html (Html.print (Html.tokens html)))
    [
      "";
      "plain";
      "a < b";
      "<p class=\"x\">1 &lt; 2<br/></p>";
      "<script>if (a < b) { c(\"</p>\"); }</script>x";
      "1 <";
    ];
  List.iter
    (fun html -> ignore (Html.tokens html : Html.token list))
    [ "<unfinished"; "<a b"; "<a b=\"c"; "</a"; "<!--"; "<script>"; "<" ];
  Alcotest.(check int) "a script is one text" 3 (List.length (Html.tokens "<script>a<b>c</script>"));
  text "comments go" "ab" (Html.print (Html.tokens "a<!-- <p> -->b"))

let entities_come_back () =
  text "there and back" "<a b=\"c\"> & 'd'" (Html.unescape (Html.escape "<a b=\"c\"> & 'd'"));
  text "what is no entity stays" "a & b; &nbsp; &#9999;" (Html.unescape "a & b; &nbsp; &#9999;")

let addresses_are_relative () =
  List.iter
    (fun (from, path, expected) -> text (from ^ " to " ^ path) expected (Files.relative ~from path))
    [
      ("a.html", "b.html", "b.html");
      ("a/b.html", "c/d.html", "../c/d.html");
      ("a/b/c.html", "a/d.html", "../d.html");
      ("api/index.html", "api/weft/index.html", "weft/index.html");
    ];
  text "dots" "a/c" (Files.normal "a/./b/../c");
  text "above" "../c" (Files.normal "a/../../c")

let tests =
  [
    test "the first heading is the title" the_first_heading_is_the_title;
    test "headings can be linked to" headings_can_be_linked_to;
    test "names lead to interfaces" names_lead_to_interfaces;
    test "samples and links are left alone" samples_and_links_are_left_alone;
    test "links and pictures are moved" links_and_pictures_are_moved;
    test "tables may be wider than the page" tables_may_be_wider_than_the_page;
    test "contents are left to the page" contents_are_left_to_the_page;
    test "HTML is printed as it was" html_is_printed_as_it_was;
    test "entities come back" entities_come_back;
    test "addresses are relative" addresses_are_relative;
  ]
