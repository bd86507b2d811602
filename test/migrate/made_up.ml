open Weft_migrate

let read = Testing.Text.read
let write path text = Out_channel.with_open_bin path (fun c -> Out_channel.output_string c text)

let rec make_folder path =
  if not (Sys.file_exists path) then begin
    make_folder (Filename.dirname path);
    Unix.mkdir path 0o755
  end

let in_project files f =
  let files =
    if List.mem_assoc "dune-project" files then files else ("dune-project", "(lang dune 3.0)\n") :: files
  in
  Testing.Folder.within "migrate" @@ fun folder ->
  List.iter
    (fun (path, text) ->
      let path = Filename.concat folder path in
      make_folder (Filename.dirname path);
      write path text)
    files;
  f folder

let find folder =
  match Migration.find folder with Ok t -> t | Error reason -> Alcotest.failf "%s: %s" folder reason

let after files path =
  let result = ref (List.assoc path files) in
  in_project files (fun folder ->
      let changed (c : Migration.changed) = if c.path = path then result := c.after in
      List.iter changed (find folder).changed);
  !result

let check_after what ~name before expected =
  Alcotest.(check string) what expected (after [ (name, before) ] name)

let lines = Testing.Text.lines
let contains text ~part = Testing.Text.contains part text
let weft_migrate arguments = Testing.Child.run "./command.exe" arguments
