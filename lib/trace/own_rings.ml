open Weft_platform

let folder_now () =
  let here = try Sys.getcwd () with Sys_error _ -> "" in
  match Sys.getenv_opt "OCAML_RUNTIME_EVENTS_DIR" with
  | None -> here
  | Some "" -> "/" (* as OCaml takes it *)
  | Some named when Filename.is_relative named -> Filename.concat here named
  | Some named -> named

let folder = ref ""
let made () = folder := folder_now ()

(* In a child that [Unix.fork] has made, the runtime makes the file anew, in the folder of that moment. *)
let path_of pid =
  let name = Printf.sprintf "%d.events" pid in
  let path = Filename.concat !folder name in
  if Sys.file_exists path then path
  else
    let here = Filename.concat (folder_now ()) name in
    if Sys.file_exists here then here else path

let are_one path other =
  match (Unix.stat path, Unix.stat other) with
  | a, b -> a.st_dev = b.st_dev && a.st_ino = b.st_ino
  | exception Unix.Unix_error _ -> false

let dump path =
  let pid = Unix.getpid () and at = int_of_float (1e6 *. Unix.gettimeofday ()) in
  let rings = path_of pid in
  (* The runtime goes on writing into the file that it has made, not into another of its name. *)
  if are_one path rings then raise (Sys_error (path ^ ": this is the file of the rings"));
  Replaced_file.write ~mode:0o600 path (fun out ->
      Wire.write_note (Dumped { pid; at; program = Sys.executable_name });
      Ring_file.copy rings out)
