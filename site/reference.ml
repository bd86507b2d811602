(* Modules that are declared in a library below, and that programs know by another name. Odoc shows them where they are declared. *)
let shown_as =
  [
    ("Weft_sync.Fiber_mutex", "Weft.Mutex");
    ("Weft_sync.Fiber_condition", "Weft.Condition");
    ("Weft_sync.Fiber_semaphore", "Weft.Semaphore");
    ("Weft_sync.Rwlock", "Weft.Rwlock");
    ("Weft_profile.Profile", "Weft.Profile");
    ("Weft_sync.Poisoning_mutex", "Weft.Poisoning_mutex");
    ("Weft_sync.Chan", "Weft.Chan");
    ("Weft_sync.Broadcast", "Weft.Broadcast");
    ("Weft_sync.Barrier", "Weft.Barrier");
    ("Weft_sync.Latch", "Weft.Latch");
    ("Weft_sync.Ivar", "Weft.Ivar");
    ("Weft_sync.Mvar", "Weft.Mvar");
    ("Weft_sync.Once", "Weft.Once");
  ]

let renamed text =
  List.fold_left
    (fun text (inner, outer) ->
      if String.equal text inner then outer
      else if String.starts_with ~prefix:(inner ^ ".") text then
        outer ^ String.sub text (String.length inner) (String.length text - String.length inner)
      else text)
    text shown_as

let has_class name attributes =
  match Html.attribute "class" attributes with
  | Some names -> List.mem name (String.split_on_char ' ' names)
  | None -> false

(* The contents as odoc lists them, if it does. *)
let rec contents = function
  | Html.Open { name = "nav"; attributes; _ } :: rest when has_class "odoc-local-toc" attributes ->
      Some (Html.print (fst (Article.until "nav" [] rest)))
  | _ :: rest -> contents rest
  | [] -> None

let page ~output ~api ~claims html =
  let tokens = Html.tokens html in
  let contents = contents tokens in
  let folds = Html.Text (Frame.folds ~output ~contents:(Option.value contents ~default:"")) in
  let pages = Html.Text (Frame.pages_at_the_side ~output) in
  let problems = ref [] in
  let code text rest =
    let shown =
      [
        Html.Open { name = "code"; attributes = []; closed = false };
        Html.Text (renamed text);
        Html.Close "code";
      ]
    in
    let name = Article.first_word (Html.unescape text) in
    match api name with
    | Some address when claims name ->
        (Html.Open { name = "a"; attributes = [ ("href", Html.escape address) ]; closed = false } :: shown)
        @ (Html.Close "a" :: rest)
    | _ ->
        if claims name then problems := name :: !problems;
        shown @ rest
  in
  let rec go ~linked before = function
    | (Html.Open { name = "nav"; attributes; _ } as nav) :: rest when has_class "odoc-nav" attributes ->
        let way = Html.Text (Frame.home ~output ^ " &#x00BB; ") :: nav :: before in
        let inside, rest = Article.until "nav" [] rest in
        go ~linked (Html.Close "nav" :: folds :: List.rev_append (go ~linked [] inside) way) rest
    | (Html.Open { name = "nav"; attributes; _ } as nav) :: rest when has_class "odoc-local-toc" attributes ->
        let inside, rest = Article.until "nav" [] rest in
        go ~linked (pages :: Html.Close "nav" :: List.rev_append (go ~linked [] inside) (nav :: before)) rest
    | (Html.Open { name = "div"; attributes; _ } as content) :: rest
      when contents = None && has_class "odoc-content" attributes ->
        let side =
          [
            Html.Close "div";
            pages;
            Html.Open { name = "div"; attributes = [ ("class", "odoc-tocs") ]; closed = false };
          ]
        in
        go ~linked ((content :: side) @ before) rest
    | (Html.Close "head" as close) :: rest ->
        let style = Files.relative ~from:output "site.css" in
        let link =
          Html.Open { name = "link"; attributes = [ ("rel", "stylesheet"); ("href", style) ]; closed = true }
        in
        go ~linked (close :: link :: before) rest
    | Html.Open { name = "code"; attributes = []; _ } :: Html.Text text :: Html.Close "code" :: rest
      when not linked ->
        go ~linked (List.rev_append (code text []) before) rest
    | (Html.Open { name = "a" | "pre"; _ } as token) :: rest -> go ~linked:true (token :: before) rest
    | (Html.Close ("a" | "pre") as token) :: rest -> go ~linked:false (token :: before) rest
    | Html.Text text :: rest -> go ~linked (Html.Text (renamed text) :: before) rest
    | token :: rest -> go ~linked (token :: before) rest
    | [] -> List.rev before
  in
  let tokens = go ~linked:false [] tokens in
  ("<!DOCTYPE html>\n" ^ Html.print tokens, List.sort_uniq String.compare !problems)
