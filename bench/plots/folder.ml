let list_name = "weft-plot.list"
let in_ = Filename.concat
let exists path = match Unix.lstat path with _ -> true | exception Unix.Unix_error _ -> false
let cannot_write folder reason = Error (Printf.sprintf "cannot write to %s: %s" folder reason)

let rec remove path =
  match (Unix.lstat path).st_kind with
  | S_DIR ->
      Array.iter (fun name -> remove (in_ path name)) (Sys.readdir path);
      Unix.rmdir path
  | _ -> Unix.unlink path

let remove_quietly path = try remove path with Unix.Unix_error _ | Sys_error _ -> ()

(* {1 The list} *)

let is_plain name = name <> "" && name <> "." && name <> ".." && Filename.basename name = name
let comment = "# Files that weft plot has made here. It replaces and removes these, and no others."

(* The files listed as ours; [None] if there is no list, or if that file is not ours. *)
let ours folder =
  match In_channel.with_open_bin (in_ folder list_name) In_channel.input_all with
  | exception Sys_error _ -> None
  | text -> (
      match String.split_on_char '\n' text with
      | first :: names when String.equal first comment -> Some (List.filter is_plain names)
      | _ -> None)

let write_list path names =
  Out_channel.with_open_bin path (fun channel ->
      List.iter (fun name -> output_string channel (name ^ "\n")) (comment :: names))

(* {1 Moving} *)

let unique names = List.sort_uniq String.compare names

(* The list always names all files of ours: the new ones before they are moved in, the old ones until they
   are removed. *)
let move_into folder place names =
  let before = Option.value (ours folder) ~default:[] in
  let list names =
    let file = in_ place list_name in
    write_list file names;
    Unix.rename file (in_ folder list_name)
  in
  list (unique (names @ before));
  List.iter (fun name -> Unix.rename (in_ place name) (in_ folder name)) names;
  let stale = List.filter (fun name -> not (List.mem name names)) before in
  List.iter (fun name -> try Unix.unlink (in_ folder name) with Unix.Unix_error _ -> ()) stale;
  list (unique names)

let become folder place names =
  let is_wanted name = List.mem name names in
  Array.iter (fun name -> if not (is_wanted name) then remove (in_ place name)) (Sys.readdir place);
  write_list (in_ place list_name) (unique names);
  Unix.rename place folder

(* {1 Filling} *)

type state = New | There

(* The system follows a link whose name ends in a slash. *)
let without_slash folder =
  match Filename.basename folder with
  | "." | ".." | "/" -> folder
  | name -> in_ (Filename.dirname folder) name

let state folder =
  if String.equal folder "" then Error "cannot write to '': the name is empty"
  else if Weft_files.Whole_file.belongs_to_others (without_slash folder) then
    cannot_write folder
      "it belongs to somebody else, in a folder where anybody may make files: choose another"
  else
    match (Unix.stat folder).st_kind with
    | S_DIR -> Ok There
    | _ -> cannot_write folder "it is no folder"
    | exception Unix.Unix_error (ENOENT, _, _) when not (exists folder) -> Ok New
    | exception Unix.Unix_error (error, _, _) -> cannot_write folder (Unix.error_message error)

let not_ours folder names =
  let ours = match ours folder with Some names -> list_name :: names | None -> [] in
  let is_strange name = exists (in_ folder name) && not (List.mem name ours) in
  match List.find_opt is_strange (list_name :: names) with
  | None -> Ok ()
  | Some name ->
      Error
        (Printf.sprintf
           "%s is there already, and weft plot has not made it: remove it, or choose another folder"
           (in_ folder name))

let build_and_move folder state names build =
  let place =
    match state with
    | New -> Printf.sprintf "%s.%d.tmp" (without_slash folder) (Unix.getpid ())
    | There -> in_ folder (Printf.sprintf ".weft-plot.%d.tmp" (Unix.getpid ()))
  in
  match Unix.mkdir place 0o777 with
  | exception Unix.Unix_error (error, _, _) -> cannot_write folder (Unix.error_message error)
  | () -> (
      Fun.protect ~finally:(fun () -> remove_quietly place) @@ fun () ->
      match build place with
      | Error _ as error -> error
      | Ok () -> (
          try
            Ok
              (match state with
              | New -> become (without_slash folder) place names
              | There -> move_into folder place names)
          with
          | Unix.Unix_error (error, _, _) -> cannot_write folder (Unix.error_message error)
          | Sys_error reason -> cannot_write folder reason))

let fill folder ~names build =
  if not (List.for_all is_plain names) then invalid_arg "Folder.fill: not the name of a file";
  Result.bind (state folder) (fun state ->
      Result.bind
        (if state = There then not_ours folder names else Ok ())
        (fun () -> build_and_move folder state names build))
