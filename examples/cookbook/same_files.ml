(* The regular files below a folder, in the order of their names; links are not followed. *)
let rec files path =
  match (Unix.lstat path).st_kind with
  | S_DIR ->
      let names = Sys.readdir path in
      Array.sort compare names;
      List.concat_map (fun name -> files (Filename.concat path name)) (Array.to_list names)
  | S_REG -> [ path ]
  | _ -> []

(* One that cannot be read is left out. *)
let digest path = match Digest.file path with d -> Some (d, path) | exception Sys_error _ -> None

(* Most of the work is to read and to digest the files: one iteration for each. To list them is little work, done by one task. *)
let same folder =
  let digests = Weft.Array.map digest (Array.of_list (files folder)) in
  Array.to_list digests |> List.filter_map Fun.id |> Array.of_list |> Weft.Array.group_by ~key:fst
  |> Array.to_list
  |> List.filter_map (fun (_, group) -> if Array.length group > 1 then Some (Array.map snd group) else None)

let in_a_folder f =
  let folder = Filename.temp_dir "same" "" in
  let file name text =
    Out_channel.with_open_bin (Filename.concat folder name) (fun out -> output_string out text)
  in
  Fun.protect
    ~finally:(fun () ->
      Array.iter (fun name -> Sys.remove (Filename.concat folder name)) (Sys.readdir folder);
      Sys.rmdir folder)
    (fun () ->
      List.iter2 file [ "a"; "b"; "c"; "d"; "e" ] [ "oak"; "elm"; "oak"; "ash"; "elm" ];
      f folder)

let print group = print_endline (String.concat " " (List.map Filename.basename (Array.to_list group)))

let () =
  if Array.length Sys.argv > 1 then
    List.iter (fun group -> print_endline (String.concat "\n  " (Array.to_list group))) (same Sys.argv.(1))
  else List.iter print (in_a_folder same)
