let error option path reason = Error (Printf.sprintf "option '%s': cannot write %s: %s" option path reason)
let target path = try Unix.realpath path with Unix.Unix_error _ -> path

type place = Stdout | Direct of string | Replace of string

let place option path =
  if path = "-" then Ok Stdout
  else if path = "" then error option "''" "the name is empty"
  else
    let path = target path in
    match (Unix.stat path).st_kind with
    | S_DIR -> error option path "it is a folder"
    | S_REG -> Ok (Replace path)
    | _ -> Ok (Direct path)
    | exception Unix.Unix_error (ENOENT, _, _) -> Ok (Replace path)
    | exception Unix.Unix_error (reason, _, _) -> error option path (Unix.error_message reason)

let check ~option path =
  match place option path with
  | Error _ as error -> error
  | Ok (Stdout | Direct _) -> Ok ()
  | Ok (Replace path) -> (
      match Unix.access (Filename.dirname path) [ W_OK; X_OK ] with
      | () -> Ok ()
      | exception Unix.Unix_error (reason, _, _) -> error option path (Unix.error_message reason))

let remove path = try Unix.unlink path with Unix.Unix_error _ -> ()

let write ~option path f =
  match place option path with
  | Error _ as error -> error
  | Ok Stdout -> (
      try
        f stdout;
        Ok (flush stdout)
      with Sys_error reason ->
        (* Drops what could not be written, lest the flush at exit fail again. *)
        close_out_noerr stdout;
        error option "-" reason)
  | Ok (Direct path) -> (
      try Ok (Out_channel.with_open_bin path f) with Sys_error reason -> error option path reason)
  | Ok (Replace path) -> (
      let temporary = Printf.sprintf "%s.%d.tmp" path (Unix.getpid ()) in
      try
        Out_channel.with_open_gen [ Open_wronly; Open_creat; Open_excl; Open_binary ] 0o666 temporary f;
        Sys.rename temporary path;
        Ok ()
      with Sys_error reason ->
        remove temporary;
        error option path reason)
