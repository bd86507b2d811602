module Log = Weft_containers.Log_file

let test = Testing.Watchdog.case

(* In memory, if possible: most tests make thousands of files, and none looks at what a power failure
   leaves. *)
let in_directory ?(on_disk = false) f =
  let temp_dir = if on_disk then Filename.get_temp_dir_name () else Testing.Folder.in_memory in
  Testing.Folder.within ~temp_dir "log" (fun outer -> f (Filename.concat outer "log"))

let read_file path = In_channel.with_open_bin path In_channel.input_all
let write_file path text = Out_channel.with_open_bin path (fun c -> output_string c text)

type image = (string * string) list

let image path =
  Sys.readdir path |> Array.to_list
  |> List.filter (( <> ) "lock")
  |> List.sort compare
  |> List.map (fun name -> (name, read_file (Filename.concat path name)))

let restore path files =
  if Sys.file_exists path then Testing.Folder.remove path;
  Sys.mkdir path 0o755;
  List.iter (fun (name, text) -> write_file (Filename.concat path name) text) files

let set files name text = List.map (fun (n, t) -> (n, if n = name then text else t)) files
let last files = List.nth files (List.length files - 1)

let flip s i mask =
  let b = Bytes.of_string s in
  Bytes.set b i (Char.chr (Char.code s.[i] lxor mask));
  Bytes.to_string b

let contents log = List.rev (Log.fold (fun _ s all -> s :: all) log [])

(* Only a power failure would show the difference, and there are thousands of files. *)
let quick = { Weft_containers.Log_system.real with sync = ignore }

let opened ?(system = quick) ?segment_size path f =
  let log = Log.open_ ~system ?segment_size path in
  Fun.protect ~finally:(fun () -> Log.close log) (fun () -> f log)

let killed ?segment_size path f =
  opened ?segment_size path (fun log ->
      f log;
      image path)

let check_strings what = Alcotest.(check (list string)) what

let damaged path =
  match opened path (fun log -> ignore (contents log)) with
  | () -> None
  | exception Log.Damaged { file; offset; _ } -> Some (Filename.basename file, offset)
