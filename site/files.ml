let read path = In_channel.with_open_bin path In_channel.input_all

let rec make_folder path =
  if not (Sys.file_exists path) then begin
    make_folder (Filename.dirname path);
    try Unix.mkdir path 0o777 with Unix.Unix_error (Unix.EEXIST, _, _) -> ()
  end

let write path content =
  make_folder (Filename.dirname path);
  Out_channel.with_open_bin path (fun channel -> Out_channel.output_string channel content)

let entries folder =
  let names = Sys.readdir folder in
  Array.sort String.compare names;
  List.map (Filename.concat folder) (Array.to_list names)

let rec copy from to_ =
  if Sys.is_directory from then begin
    make_folder to_;
    List.iter (fun path -> copy path (Filename.concat to_ (Filename.basename path))) (entries from)
  end
  else write to_ (read from)

let rec remove path =
  match (Unix.lstat path).st_kind with
  | Unix.S_DIR ->
      List.iter remove (entries path);
      Unix.rmdir path
  | _ -> Unix.unlink path
  | exception Unix.Unix_error (Unix.ENOENT, _, _) -> ()

let rec below folder =
  List.concat_map (fun path -> if Sys.is_directory path then below path else [ path ]) (entries folder)

let parts path = List.filter (fun part -> part <> "" && part <> ".") (String.split_on_char '/' path)

let normal path =
  let step above part =
    match (part, above) with
    | "..", (_ :: _ as above) when List.hd above <> ".." -> List.tl above
    | part, above -> part :: above
  in
  String.concat "/" (List.rev (List.fold_left step [] (parts path)))

let relative ~from path =
  let rec go from path =
    match (from, path) with
    | f :: from, p :: (_ :: _ as path) when f = p -> go from path
    | from, path -> List.map (fun _ -> "..") from @ path
  in
  let folder = match List.rev (parts from) with [] -> [] | _ :: above -> List.rev above in
  String.concat "/" (go folder (parts path))

let output_of command =
  match Unix.open_process_args_in (List.hd command) (Array.of_list command) with
  | exception Unix.Unix_error (e, _, _) -> Error (Unix.error_message e)
  | channel -> (
      let output = In_channel.input_all channel in
      match Unix.close_process_in channel with
      | Unix.WEXITED 0 -> Ok output
      | Unix.WEXITED 127 -> Error "not found"
      | Unix.WEXITED n -> Error (Printf.sprintf "ended with exit code %d" n)
      | Unix.WSIGNALED _ | Unix.WSTOPPED _ -> Error "was killed")
