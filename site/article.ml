type heading = { level : int; id : string; title : string }
type t = { title : string; heading : string; body : string; headings : heading list; problems : string list }

let level = function "h1" -> Some 1 | "h2" -> Some 2 | "h3" -> Some 3 | "h4" -> Some 4 | _ -> None

(* The tokens up to the closing tag, and those behind it. *)
let rec until name inside = function
  | Html.Close n :: rest when n = name -> (List.rev inside, rest)
  | token :: rest -> until name (token :: inside) rest
  | [] -> (List.rev inside, [])

(* Whether a list is the contents of its page: only links to places in it. *)
let rec is_contents links = function
  | [] -> links >= 2
  | Html.Text text :: rest when String.trim text = "" -> is_contents links rest
  | (Html.Open { name = "li" | "p"; _ } | Html.Close ("li" | "p")) :: rest -> is_contents links rest
  | Html.Open { name = "a"; attributes; _ } :: rest -> (
      match Html.attribute "href" attributes with
      | Some address when String.starts_with ~prefix:"#" address ->
          is_contents (links + 1) (snd (until "a" [] rest))
      | _ -> false)
  | _ -> false

let tag ?(closed = false) name attributes = Html.Open { name; attributes; closed }

let first_word code =
  let stop = function ' ' | '\n' | '(' | ')' | ',' | ';' | ':' -> true | _ -> false in
  let rec go i = if i < String.length code && not (stop code.[i]) then go (i + 1) else i in
  String.sub code 0 (go 0)

(* A sample whose language is not said is coloured as none: the script on the pages would guess one. *)
let of_no_language = function
  | Html.Open { name = "code"; attributes = []; closed } -> tag ~closed "code" [ ("class", "nohighlight") ]
  | token -> token

let with_attribute key change attributes =
  List.map (fun (k, v) -> if k = key then (k, change v) else (k, v)) attributes

let has_scheme address =
  match String.index_opt address ':' with
  | Some i -> not (String.contains (String.sub address 0 i) '/')
  | None -> false

let changed ~link address =
  let address = Html.unescape address in
  Html.escape (if has_scheme address || String.starts_with ~prefix:"#" address then address else link address)

let of_html ~link ~image ~api ~claims html =
  let slug = Markdown.slugs () in
  let title = ref None and headings = ref [] and problems = ref [] in
  let code inside =
    let name = first_word (Html.text inside) in
    let shown = (tag "code" [] :: inside) @ [ Html.Close "code" ] in
    match api name with
    | Some address when claims name ->
        (tag "a" [ ("href", Html.escape address) ] :: shown) @ [ Html.Close "a" ]
    | _ ->
        if claims name then problems := name :: !problems;
        shown
  in
  (* [linked]: inside a link, or where code is a sample. *)
  let rec go ~linked = function
    | [] -> []
    | Html.Open { name = "pre"; _ } :: rest ->
        let inside, rest = until "pre" [] rest in
        (tag "pre" [] :: List.map of_no_language inside) @ (Html.Close "pre" :: go ~linked rest)
    | Html.Open { name = "code"; _ } :: rest when not linked ->
        let inside, rest = until "code" [] rest in
        code inside @ go ~linked rest
    | Html.Open { name = "a"; attributes; closed } :: rest ->
        let inside, rest = until "a" [] rest in
        (tag ~closed "a" (with_attribute "href" (changed ~link) attributes) :: go ~linked:true inside)
        @ (Html.Close "a" :: go ~linked rest)
    | Html.Open { name = "img"; attributes; closed } :: rest ->
        tag ~closed "img" (with_attribute "src" (changed ~link:image) attributes) :: go ~linked rest
    | Html.Open { name = "table"; _ } :: rest ->
        let inside, rest = until "table" [] rest in
        (tag "div" [ ("class", "wide") ] :: tag "table" [] :: go ~linked inside)
        @ (Html.Close "table" :: Html.Close "div" :: go ~linked rest)
    (* Contents at the head of a document, for those who read it as a file: pages have them beside the text. *)
    | Html.Open { name = ("ul" | "ol") as name; _ } :: rest
      when !headings = [] && is_contents 0 (fst (until name [] rest)) ->
        go ~linked (snd (until name [] rest))
    | (Html.Open { name; _ } as token) :: rest -> (
        match level name with
        | None -> token :: go ~linked rest
        | Some level -> heading ~linked ~level name rest)
    | token :: rest -> token :: go ~linked rest
  and heading ~linked ~level name rest =
    let inside, rest = until name [] rest in
    let plain = Html.text inside in
    let id = slug plain in
    let shown = Html.print (go ~linked:true inside) in
    if level = 1 && !title = None then begin
      title := Some (plain, shown);
      go ~linked rest
    end
    else begin
      headings := { level; id; title = shown } :: !headings;
      [
        tag name [ ("id", id) ];
        tag "a" [ ("href", "#" ^ id); ("class", "anchor") ];
        Html.Close "a";
        Html.Text shown;
        Html.Close name;
      ]
      @ go ~linked rest
    end
  in
  let body = Html.print (go ~linked:false (Html.tokens html)) in
  let title, heading = Option.value !title ~default:("", "") in
  { title; heading; body; headings = List.rev !headings; problems = List.sort_uniq String.compare !problems }
