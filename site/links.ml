type problem = { page : string; address : string; reason : string }
type page = { anchors : (string, unit) Hashtbl.t; addresses : string list }

let has_scheme address =
  match String.index_opt address ':' with
  | Some colon ->
      String.for_all (function 'a' .. 'z' | 'A' .. 'Z' -> true | _ -> false) (String.sub address 0 colon)
  | None -> false

let look tokens =
  let anchors = Hashtbl.create 64 in
  let addresses =
    List.concat_map
      (function
        | Html.Open { attributes; _ } ->
            List.filter_map
              (fun (key, value) ->
                let value = Html.unescape value in
                match key with
                | "id" | "name" ->
                    Hashtbl.replace anchors value ();
                    None
                | "href" | "src" ->
                    if has_scheme value || String.starts_with ~prefix:"//" value then None else Some value
                | _ -> None)
              attributes
        | Html.Close _ | Html.Text _ | Html.Comment -> [])
      tokens
  in
  { anchors; addresses = List.sort_uniq String.compare addresses }

(* [%28] and its like. *)
let decode s =
  let b = Buffer.create (String.length s) in
  let rec go i =
    if i < String.length s then
      match
        if s.[i] = '%' && i + 2 < String.length s then int_of_string_opt ("0x" ^ String.sub s (i + 1) 2)
        else None
      with
      | Some code ->
          Buffer.add_char b (Char.chr code);
          go (i + 3)
      | None ->
          Buffer.add_char b s.[i];
          go (i + 1)
  in
  go 0;
  Buffer.contents b

(* The file that an address of a page means, and the place in it. *)
let target page address =
  let path, anchor =
    match String.index_opt address '#' with
    | Some i ->
        (String.sub address 0 i, Some (decode (String.sub address (i + 1) (String.length address - i - 1))))
    | None -> (address, None)
  in
  let path = match String.index_opt path '?' with Some i -> String.sub path 0 i | None -> path in
  let file =
    if path = "" then page else Files.normal (Filename.concat (Filename.dirname page) (decode path))
  in
  (file, anchor)

let pages folder =
  let found = Hashtbl.create 500 in
  List.iter
    (fun path ->
      if Filename.check_suffix path ".html" then
        let name =
          Files.normal (String.sub path (String.length folder) (String.length path - String.length folder))
        in
        Hashtbl.replace found name (look (Html.tokens (Files.read path))))
    (Files.below folder);
  found

let in_order found =
  List.sort
    (fun (a, _) (b, _) -> String.compare a b)
    (Hashtbl.fold (fun name page all -> (name, page) :: all) found [])

let check folder =
  let found = pages folder in
  let problem name address =
    let file, anchor = target name address in
    let path = Filename.concat folder file in
    if String.starts_with ~prefix:".." file then Some "leads out of the pages"
    else if not (Sys.file_exists path) then Some "no such file"
    else if Sys.is_directory path then Some "is a folder"
    else
      match (anchor, Hashtbl.find_opt found file) with
      | Some anchor, Some page when anchor <> "" && not (Hashtbl.mem page.anchors anchor) ->
          Some "no such place in that page"
      | _ -> None
  in
  List.concat_map
    (fun (name, page) ->
      List.filter_map
        (fun address -> Option.map (fun reason -> { page = name; address; reason }) (problem name address))
        page.addresses)
    (in_order found)

let unreachable folder ~from =
  let found = pages folder in
  let seen = Hashtbl.create 500 in
  let rec visit name =
    match Hashtbl.find_opt found name with
    | Some page when not (Hashtbl.mem seen name) ->
        Hashtbl.add seen name ();
        List.iter (fun address -> visit (fst (target name address))) page.addresses
    | _ -> ()
  in
  visit from;
  List.filter_map (fun (name, _) -> if Hashtbl.mem seen name then None else Some name) (in_order found)
