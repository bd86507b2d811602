let ( let* ) = Result.bind
let concat = Filename.concat

(* Libraries whose comments must be right: the public ones, and those they are made of. *)
let packages = [ "weft"; "weft-batch"; "weft-domainslib" ]

(* Each function of these has a comment of its own. In the others, functions that are as in OCaml's modules of that name may stand in a row. *)
let must_have_comments name =
  List.mem (List.hd (String.split_on_char '.' name)) [ "Weft"; "Domainslib"; "Domainslib_04" ]

(* Programs have them; new ones take the others. *)
let older_names = [ "Weft.Pool.present"; "Weft.Pool.room" ]

let must_have_examples name =
  List.hd (String.split_on_char '.' name) = "Weft" && not (List.mem name older_names)

(* Where a link of the document [page] leads: to a page, to a source shown as a page, to a file that is not there. *)
let link ~sources ~(page : Pages.t) address =
  let path, anchor =
    match String.index_opt address '#' with
    | Some i -> (String.sub address 0 i, String.sub address i (String.length address - i))
    | None -> (address, "")
  in
  let path = Files.normal (concat (Filename.dirname page.source) path) in
  let target =
    match List.find_opt (fun (other : Pages.t) -> other.source = path) Pages.all with
    | Some other -> other.output
    | None when List.mem_assoc path Pages.interfaces -> "api/" ^ List.assoc path Pages.interfaces
    | None -> Option.value (Sources.address sources path) ~default:path
  in
  Files.relative ~from:page.output target ^ anchor

let image ~root ~out ~(page : Pages.t) address =
  let path = Files.normal (concat (Filename.dirname page.source) address) in
  let target = "images/" ^ Filename.basename path in
  if Sys.file_exists (concat root path) then Files.copy (concat root path) (concat out target);
  Files.relative ~from:page.output target

let document ~root ~out ~api ~sources (page : Pages.t) =
  let* html = Result.map_error (( ^ ) "cmark-gfm: ") (Markdown.html (concat root page.source)) in
  let find name =
    Option.map (fun address -> Files.relative ~from:page.output ("api/" ^ address)) (Api.find api name)
  in
  let article =
    Article.of_html ~link:(link ~sources ~page) ~image:(image ~root ~out ~page) ~api:find
      ~claims:(Api.claims api) html
  in
  Files.write (concat out page.output)
    (Frame.page ~output:page.output ~title:article.title ~heading:article.heading ~headings:article.headings
       article.body);
  Ok (List.map (fun name -> Printf.sprintf "%s: no interface has %s" page.source name) article.problems)

let interfaces ~doc ~api ~out =
  let from = concat doc "_html" in
  List.iter
    (fun name -> Files.copy (concat from name) (concat (concat out "api") name))
    ("odoc.support" :: packages);
  List.concat_map
    (fun path ->
      if not (Filename.check_suffix path ".html") then []
      else
        let output =
          Files.normal (String.sub path (String.length out) (String.length path - String.length out))
        in
        let find name =
          Option.map (fun address -> Files.relative ~from:output ("api/" ^ address)) (Api.find api name)
        in
        let html, wrong = Reference.page ~output ~api:find ~claims:(Api.claims api) (Files.read path) in
        Files.write path html;
        List.map (fun name -> Printf.sprintf "%s: no interface has %s" output name) wrong)
    (List.concat_map (fun name -> Files.below (concat (concat out "api") name)) packages)

let rec each f = function
  | [] -> Ok []
  | x :: rest ->
      let* found = f x in
      let* others = each f rest in
      Ok (found @ others)

let make ~root ~doc ~out =
  let api = Api.read ~root:(concat doc "_html") Pages.libraries in
  let known name = Api.find api name <> None in
  let* wrong_comments =
    each
      (fun name ->
        Result.map_error (( ^ ) "odoc: ") (Odoc_errors.all ~known (concat (concat doc "_odocls") name)))
      packages
  in
  let wrong_in_comments = interfaces ~doc ~api ~out in
  let sources = Sources.create ~root in
  let* wrong_names = each (document ~root ~out ~api ~sources) Pages.all in
  Sources.write sources ~out;
  Files.write (concat out "site.css") Frame.style;
  let dead =
    List.map
      (fun (p : Links.problem) -> Printf.sprintf "%s: %s: %s" p.page p.address p.reason)
      (Links.check out)
  in
  let lonely = Links.unreachable out ~from:Pages.home.output in
  let lonely = List.filter (fun page -> not (String.starts_with ~prefix:"api/" page)) lonely in
  let lonely = List.map (fun page -> page ^ ": no page leads here") lonely in
  let bare =
    List.map (fun name -> name ^ ": has no comment") (List.filter must_have_comments (Api.undocumented api))
  in
  let examples = Examples.read ~known (concat root "examples") in
  let unshown =
    List.filter (fun name -> must_have_examples name && not (Examples.shows examples name)) (Api.values api)
  in
  let unshown = List.map (fun name -> name ^ ": is in no example") unshown in
  Ok (wrong_comments @ wrong_in_comments @ wrong_names @ dead @ lonely @ bare @ unshown)

let may_be_replaced out =
  (not (Sys.file_exists out))
  || Sys.is_directory out
     && (Sys.readdir out = [||] || Sys.file_exists (concat out "site.css"))
     && not (Sys.file_exists (concat out ".git"))

let all ~root ~doc ~out =
  let fresh = Printf.sprintf "%s.%d" out (Unix.getpid ()) in
  match
    if may_be_replaced out then make ~root ~doc ~out:fresh
    else Error (out ^ ": is there, and does not hold pages made by this program: name another folder")
  with
  | Ok problems ->
      Files.remove out;
      Unix.rename fresh out;
      Ok problems
  | Error _ as error ->
      Files.remove fresh;
      error
  | exception Sys_error reason ->
      Files.remove fresh;
      Error reason
  | exception Unix.Unix_error (e, _, path) ->
      Files.remove fresh;
      Error (Printf.sprintf "%s: %s" path (Unix.error_message e))
