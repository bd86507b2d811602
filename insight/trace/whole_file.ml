type t = { path : string; temporary : string option; channel : out_channel }

let path t = t.path
let error path reason = Error (Printf.sprintf "cannot write %s: %s" path reason)
let remove path = try Unix.unlink path with Unix.Unix_error _ -> ()

(* Through a symbolic link: it stays, its target is replaced. *)
let target path = try Unix.realpath path with Unix.Unix_error _ -> path

let opened path flags =
  match Unix.openfile path (O_WRONLY :: O_CLOEXEC :: flags) 0o666 with
  | fd -> Ok (Unix.out_channel_of_descr fd)
  | exception Unix.Unix_error (why, _, _) -> Error (Unix.error_message why)

let create given =
  let path = target given in
  let directly () =
    match opened path [] with
    | Ok channel -> Ok { path = given; temporary = None; channel }
    | Error why -> error given why
  and beside () =
    let temporary = Printf.sprintf "%s.%d.tmp" path (Unix.getpid ()) in
    match opened temporary [ O_CREAT; O_EXCL ] with
    | Ok channel -> Ok { path; temporary = Some temporary; channel }
    | Error why -> error given why
  in
  if String.equal given "" then error "''" "the name is empty"
  else
    match (Unix.stat path).st_kind with
    | S_DIR -> error given "it is a folder"
    | S_REG -> beside ()
    | _ -> directly ()
    | exception Unix.Unix_error (ENOENT, _, _) -> beside ()
    | exception Unix.Unix_error (why, _, _) -> error given (Unix.error_message why)

let write t buffer =
  Buffer.output_buffer t.channel buffer;
  Buffer.clear buffer

let abandon t =
  close_out_noerr t.channel;
  Option.iter remove t.temporary

let commit t =
  match
    close_out t.channel;
    Option.iter (fun temporary -> Sys.rename temporary t.path) t.temporary
  with
  | () -> Ok ()
  | exception Sys_error why ->
      abandon t;
      error t.path why
