type target =
  | Stdout
  | Direct of string  (** a device or a pipe: to rename something over it would destroy it *)
  | Replace of string

type t = { option : string; target : target }

let one_line ~option path reason =
  Error (Printf.sprintf "option '%s': cannot write %s: %s" option path reason)

let temporary path = Printf.sprintf "%s.%d.tmp" path (Unix.getpid ())
let remove path = try Unix.unlink path with Unix.Unix_error _ -> ()

(* Through a symbolic link: it stays, its target is replaced. *)
let followed path = try Unix.realpath path with Unix.Unix_error _ -> path

let try_temporary ~option path =
  let temporary = temporary path in
  match Unix.openfile temporary [ O_WRONLY; O_CREAT; O_EXCL; O_CLOEXEC ] 0o666 with
  | exception Unix.Unix_error (error, _, _) -> one_line ~option path (Unix.error_message error)
  | fd ->
      Unix.close fd;
      remove temporary;
      Ok (Replace path)

let find ~option path =
  if String.equal path "-" then Ok Stdout
  else if String.equal path "" then one_line ~option "''" "the name is empty"
  else
    let path = followed path in
    match (Unix.stat path).st_kind with
    | S_DIR -> one_line ~option path "it is a folder"
    | S_REG -> try_temporary ~option path
    | _ -> (
        match Unix.access path [ W_OK ] with
        | () -> Ok (Direct path)
        | exception Unix.Unix_error (error, _, _) -> one_line ~option path (Unix.error_message error))
    | exception Unix.Unix_error (ENOENT, _, _) -> try_temporary ~option path
    | exception Unix.Unix_error (error, _, _) -> one_line ~option path (Unix.error_message error)

let prepare ~option path = Result.map (fun target -> { option; target }) (find ~option path)
let is_stdout place = match place.target with Stdout -> true | Direct _ | Replace _ -> false

(* What is not there yet may be named in several ways, too. *)
let same a b =
  let absolute path =
    match Unix.realpath (Filename.dirname path) with
    | folder -> Filename.concat folder (Filename.basename path)
    | exception Unix.Unix_error _ -> path
  in
  match (a.target, b.target) with
  | Stdout, Stdout -> true
  | Replace a, Replace b -> String.equal (absolute a) (absolute b)
  | _ -> false

let option place = place.option

let print channel text =
  Out_channel.output_string channel text;
  Out_channel.flush channel

let write { option; target } text =
  match target with
  | Stdout -> (
      try Ok (print Out_channel.stdout text)
      with Sys_error reason ->
        (* Drops what could not be written, lest the flush at exit fail again. *)
        Out_channel.close_noerr Out_channel.stdout;
        one_line ~option "-" reason)
  | Direct path -> (
      try Ok (Out_channel.with_open_bin path (fun channel -> print channel text))
      with Sys_error reason -> one_line ~option path reason)
  | Replace path -> (
      let temporary = temporary path in
      try
        Out_channel.with_open_gen [ Open_wronly; Open_creat; Open_excl; Open_binary ] 0o666 temporary
          (fun channel -> print channel text);
        Sys.rename temporary path;
        Ok ()
      with Sys_error reason ->
        remove temporary;
        one_line ~option path reason)
