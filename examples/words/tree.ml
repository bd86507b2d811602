type file = { path : string; size : int }
type t = { files : file array; skipped : Skipped.t list }

let entries dir =
  let handle = Unix.opendir dir in
  let rec rest names =
    match Unix.readdir handle with
    | "." | ".." -> rest names
    | name -> rest (name :: names)
    | exception End_of_file -> List.sort String.compare names
  in
  Fun.protect ~finally:(fun () -> Unix.closedir handle) (fun () -> rest [])

let below ?(only = fun _ -> true) dir =
  let files = ref [] and skipped = ref [] in
  let skip path reason = skipped := { Skipped.path; reason } :: !skipped in
  let rec directory dir =
    match entries dir with
    | names -> List.iter (fun name -> entry name (Filename.concat dir name)) names
    | exception Unix.Unix_error (error, _, _) -> skip dir (Unreadable (Unix.error_message error))
  and entry name path =
    match Unix.lstat path with
    | { st_kind = S_DIR; _ } -> directory path
    | _ -> if only name then leaf path
    | exception Unix.Unix_error (error, _, _) -> skip path (Unreadable (Unix.error_message error))
  and leaf path =
    match Unix.stat path with
    | { st_kind = S_REG; st_size = size; _ } -> files := { path; size } :: !files
    | { st_kind = S_DIR; _ } -> () (* a link to a directory *)
    | _ -> skip path Not_regular
    | exception Unix.Unix_error (error, _, _) -> skip path (Unreadable (Unix.error_message error))
  in
  directory dir;
  { files = Array.of_list (List.rev !files); skipped = List.rev !skipped }

(* The rule of git: a NUL byte near the beginning makes a file binary. *)
let sniffed_bytes = 8192

let is_binary input =
  let head = Bytes.create sniffed_bytes in
  let length = In_channel.input input head 0 sniffed_bytes in
  In_channel.seek input 0L;
  Bytes.exists (Char.equal '\000') (Bytes.sub head 0 length)

let read { path; _ } =
  match
    (* Non-blocking, in case a pipe has taken the file's place since it was listed: opening a pipe would
       wait. *)
    let input = Unix.in_channel_of_descr (Unix.openfile path [ O_RDONLY; O_NONBLOCK; O_CLOEXEC ] 0) in
    Fun.protect
      ~finally:(fun () -> In_channel.close_noerr input)
      (fun () -> if is_binary input then Error Skipped.Binary else Ok (In_channel.input_all input))
  with
  | result -> result
  | exception Unix.Unix_error (error, _, _) -> Error (Unreadable (Unix.error_message error))
  | exception Sys_error message -> Error (Unreadable message)
  | exception Out_of_memory -> Error (Unreadable "too large for the memory")

let bytes files = Array.fold_left (fun sum { size; _ } -> sum + size) 0 files
