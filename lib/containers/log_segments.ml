open Log_system

let make_directory system path =
  match Unix.mkdir path 0o755 with
  | () -> sync_directory system (Filename.dirname path)
  | exception Unix.Unix_error (EEXIST, _, _) -> ()

let file path (segment : Log_format.segment) = Filename.concat path (Log_format.file_name segment.base)

let create system path segment =
  let name = file path segment in
  let fd = open_file system name [ O_RDWR; O_CREAT; O_TRUNC ] in
  match
    let header = Bytes.create Log_format.segment_header in
    Log_format.set_segment header segment;
    write_fully system fd ~at:0 header 0 Log_format.segment_header;
    sync system fd;
    sync_directory system path
  with
  | () -> fd
  | exception e ->
      close_quietly system fd;
      (try unlink system name with Unix.Unix_error _ -> ());
      raise e

type loaded = { segments : Log_format.segment array; synced : int; incomplete : (string * int) option }

let bases path =
  Sys.readdir path |> Array.to_list |> List.filter_map Log_format.base_of_file_name |> List.sort Int.compare

(* The header of the segment, or what is wrong with it, and the size of the file. *)
let inspect system name base =
  let fd = open_file system name [ O_RDONLY ] in
  Fun.protect ~finally:(fun () -> close_quietly system fd) @@ fun () ->
  let header = Bytes.create Log_format.segment_header in
  let had = read_fully system fd ~at:0 header 0 Log_format.segment_header in
  let segment =
    match Log_format.get_segment (Bytes.sub header 0 had) with
    | Ok s when s.base <> base -> Error (Printf.sprintf "this is the segment of position %d" s.base)
    | segment -> segment
  in
  (segment, system.size fd)

let check_ends path (before : Log_format.segment) ~size ~base =
  let stop = before.base + size - Log_format.segment_header in
  if stop < base then
    Log_error.damaged (file path before) size
      (Printf.sprintf "the segment is too short, or one is missing: the next one is that of position %d" base)
  else if stop > base then
    Log_error.damaged (file path before)
      (Log_format.offset ~base:before.base base)
      "the segment goes on where another one begins"

let check_same_log path (before : Log_format.segment) (segment : Log_format.segment) =
  if segment.id <> before.id then
    Log_error.damaged (file path segment) 16 "this segment is of another log than the one before it"

let load system path =
  let all loaded ~synced incomplete =
    { segments = Array.of_list (List.rev_map fst loaded); synced; incomplete }
  in
  let rec go loaded ~synced = function
    | [] -> all loaded ~synced None
    | base :: later -> (
        let before = match loaded with [] -> None | last :: _ -> Some last in
        Option.iter (fun (before, size) -> check_ends path before ~size ~base) before;
        let name = Filename.concat path (Log_format.file_name base) in
        match inspect system name base with
        | Ok segment, size ->
            Option.iter (fun (before, _) -> check_same_log path before segment) before;
            go ((segment, size) :: loaded) ~synced:base later
        | Error _, size when later = [] && size <= Log_format.segment_header && (base = 0 || before <> None)
          ->
            (* No record is written to a segment whose header is not on the disk. *)
            all loaded ~synced:base (Some (name, size))
        | Error reason, _ -> Log_error.damaged name 0 reason)
  in
  go [] ~synced:0 (bases path)

let remove system path name =
  unlink system name;
  sync_directory system path
