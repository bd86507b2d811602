type block =
  | File of { name : string; text : string }
  | Sample of { language : string; text : string }
  | Commands of string
  | Prose of { first : int; lines : string list }

type section = { title : string; blocks : block list }

let named_file = Str.regexp ".*`\\([A-Za-z_./-]+\\)`:$"
let heading = Str.regexp "#+ \\(.*\\)$"
let starts prefix line = String.starts_with ~prefix line
let is_blank line = String.trim line = ""
let is_command line = starts "    " line
let text lines = String.concat "\n" lines ^ "\n"

let rec split_at stop taken = function
  | (_, line) :: _ as rest when stop line -> (List.rev taken, rest)
  | (_, line) :: rest -> split_at stop (line :: taken) rest
  | [] -> (List.rev taken, [])

(* [above]: the last line that is not blank. *)
let rec blocks path above = function
  | [] -> []
  | (_, line) :: rest when is_blank line || starts "<!--" line -> blocks path above rest
  | (n, line) :: rest when starts "```" line -> (
      match split_at (starts "```") [] rest with
      | _, [] -> Printf.ksprintf failwith "%s, line %d: the fence is not closed" path n
      | lines, _ :: rest ->
          let block =
            if Str.string_match named_file above 0 then
              File { name = Str.matched_group 1 above; text = text lines }
            else Sample { language = String.sub line 3 (String.length line - 3); text = text lines }
          in
          block :: blocks path "" rest)
  | (_, line) :: _ as rest when is_command line && not (starts "- " above || starts "  " above) ->
      let lines, rest = split_at (fun line -> not (is_command line)) [] rest in
      Commands (text (List.map (fun l -> String.sub l 4 (String.length l - 4)) lines)) :: blocks path "" rest
  | (first, _) :: _ as rest ->
      let lines, rest =
        split_at (fun line -> is_blank line || starts "```" line || starts "<!--" line) [] rest
      in
      Prose { first; lines } :: blocks path (List.nth lines (List.length lines - 1)) rest

let rec sections path title taken fenced = function
  | (_, line) :: rest when (not fenced) && Str.string_match heading line 0 ->
      let next = Str.matched_group 1 line in
      { title; blocks = blocks path "" (List.rev taken) } :: sections path next [] false rest
  | ((_, line) as l) :: rest ->
      sections path title (l :: taken) (if starts "```" line then not fenced else fenced) rest
  | [] -> [ { title; blocks = blocks path "" (List.rev taken) } ]

let read path =
  In_channel.with_open_bin path In_channel.input_lines
  |> List.mapi (fun i line -> (i + 1, line))
  |> sections path "" [] false

let section page title =
  match List.find_opt (fun s -> s.title = title) page with
  | Some s -> s
  | None -> Printf.ksprintf failwith "no section %S" title

let files s = List.filter_map (function File f -> Some (f.name, f.text) | _ -> None) s.blocks

let texts s =
  List.filter_map (function Sample { language = "text"; text } -> Some text | _ -> None) s.blocks

let commands s = List.filter_map (function Commands c -> Some c | _ -> None) s.blocks

let code_spans s =
  let spans lines =
    String.split_on_char '`' (String.concat " " lines)
    |> List.filteri (fun i _ -> i land 1 = 1)
    |> List.map (fun span -> String.concat " " (List.filter (( <> ) "") (String.split_on_char ' ' span)))
  in
  List.concat_map (function Prose p -> spans p.lines | _ -> []) s.blocks
