type t =
  | Stdout
  | Direct of string  (** a device or a pipe: to rename something over it would destroy it *)
  | Replace of string

let one_line path reason = Error (Printf.sprintf "option '--json': cannot write %s: %s" path reason)
let temporary path = Printf.sprintf "%s.%d.tmp" path (Unix.getpid ())
let remove path = try Unix.unlink path with Unix.Unix_error _ -> ()

(* Through a symbolic link: it stays, its target is replaced. *)
let target path = try Unix.realpath path with Unix.Unix_error _ -> path

let try_temporary path =
  let temporary = temporary path in
  match Unix.openfile temporary [ O_WRONLY; O_CREAT; O_EXCL; O_CLOEXEC ] 0o666 with
  | exception Unix.Unix_error (error, _, _) -> one_line path (Unix.error_message error)
  | fd ->
      Unix.close fd;
      remove temporary;
      Ok (Replace path)

let prepare path =
  if String.equal path "-" then Ok Stdout
  else if String.equal path "" then one_line "''" "the name is empty"
  else
    let path = target path in
    match (Unix.stat path).st_kind with
    | S_DIR -> one_line path "it is a folder"
    | S_REG -> try_temporary path
    | _ -> (
        match Unix.access path [ W_OK ] with
        | () -> Ok (Direct path)
        | exception Unix.Unix_error (error, _, _) -> one_line path (Unix.error_message error))
    | exception Unix.Unix_error (ENOENT, _, _) -> try_temporary path
    | exception Unix.Unix_error (error, _, _) -> one_line path (Unix.error_message error)

let is_stdout = function Stdout -> true | Direct _ | Replace _ -> false

let print channel json =
  Out_channel.output_string channel (Yojson.Safe.pretty_to_string ~std:true json);
  Out_channel.output_char channel '\n';
  Out_channel.flush channel

let write place json =
  match place with
  | Stdout -> (
      try Ok (print Out_channel.stdout json)
      with Sys_error reason ->
        (* Drops what could not be written, lest the flush at exit fail again. *)
        Out_channel.close_noerr Out_channel.stdout;
        one_line "-" reason)
  | Direct path -> (
      try Ok (Out_channel.with_open_bin path (fun channel -> print channel json))
      with Sys_error reason -> one_line path reason)
  | Replace path -> (
      let temporary = temporary path in
      try
        Out_channel.with_open_gen [ Open_wronly; Open_creat; Open_excl; Open_binary ] 0o666 temporary
          (fun channel -> print channel json);
        Sys.rename temporary path;
        Ok ()
      with Sys_error reason ->
        remove temporary;
        one_line path reason)
