type target =
  | Stdout
  | Direct of { path : string; takes_everything : bool }
      (** a device or a pipe: to rename something over it would destroy it *)
  | Replace of string

type t = { option : string; given : string; target : target }

let line ~option path reason =
  let option = if option = "" then "" else Printf.sprintf "option '%s': " option in
  Printf.sprintf "%scannot write %s: %s" option (Input.shown path) reason

(* The temporary files that are there. *)
let unfinished = ref []
let forget path = unfinished := List.filter (fun other -> other <> path) !unfinished

let remove path =
  (try Unix.unlink path with Unix.Unix_error _ -> ());
  forget path

let remove_unfinished () = List.iter remove !unfinished
let most_leftovers = 1000

(* Beside [path], under a name that nothing has. The first may be there: of a run with this number that was killed, or in another
   container, whose numbers are its own. It is not ours to remove. *)
let open_temporary path mode =
  let rec from i =
    let again = if i = 0 then "" else Printf.sprintf ".%d" i in
    let temporary = Printf.sprintf "%s.%d%s.tmp" path (Unix.getpid ()) again in
    (* Made before: no signal is handled between the call and the assignment. *)
    let with_it = temporary :: !unfinished in
    match Unix.openfile temporary [ O_WRONLY; O_CREAT; O_EXCL; O_CLOEXEC ] mode with
    | fd ->
        unfinished := with_it;
        (temporary, fd)
    | exception Unix.Unix_error (EEXIST, _, _) when i < most_leftovers -> from (i + 1)
  in
  from 0

(* As if the file that is there were written into: its mode, and its owner and group as far as we may give files away. *)
let open_like path =
  match Unix.lstat path with
  | exception Unix.Unix_error _ -> open_temporary path 0o666
  | { st_kind; _ } when st_kind <> S_REG -> open_temporary path 0o666
  | { st_perm; st_uid; st_gid; _ } ->
      let ((_, fd) as opened) = open_temporary path 0o600 in
      let attempt f = try f () with Unix.Unix_error _ -> () in
      let own = Unix.fstat fd in
      if own.st_uid <> st_uid then attempt (fun () -> Unix.fchown fd st_uid (-1));
      if own.st_gid <> st_gid then attempt (fun () -> Unix.fchown fd (-1) st_gid);
      attempt (fun () -> Unix.fchmod fd (st_perm land 0o777));
      opened

let most_links = 40

(* Whether [path], or a link on the way to it, was put there by somebody else, in a folder such as /tmp where anybody may make
   files: what we write would go where they want it, or belong to them. It is what Linux itself refuses where
   fs.protected_symlinks, protected_regular and protected_fifos are set; but [rename] passes them by. *)
let rec of_others ~links path =
  let is_of_others =
    match (Unix.lstat path, Unix.stat (Filename.dirname path)) with
    | file, folder ->
        folder.st_perm land 0o1002 = 0o1002 && file.st_uid <> Unix.geteuid () && file.st_uid <> folder.st_uid
    | exception Unix.Unix_error _ -> false
  in
  is_of_others
  ||
  match Unix.readlink path with
  | next when links < most_links ->
      of_others ~links:(links + 1)
        (if Filename.is_relative next then Filename.concat (Filename.dirname path) next else next)
  | _ | (exception Unix.Unix_error _) -> false

let belongs_to_others path = of_others ~links:0 path

(* [realpath] fails for links to what is not there yet: those are read one by one. *)
let rec followed ?(links = 0) path =
  match Unix.realpath path with
  | path -> path
  | exception Unix.Unix_error _ -> (
      match Unix.readlink path with
      | next when links < most_links ->
          let next =
            if Filename.is_relative next then Filename.concat (Filename.dirname path) next else next
          in
          followed ~links:(links + 1) next
      | _ -> path
      | exception Unix.Unix_error _ -> path)

(* What is not there yet may be named in several ways, too. *)
let absolute path =
  let path = followed path in
  match Unix.realpath (Filename.dirname path) with
  | folder -> Filename.concat folder (Filename.basename path)
  | exception Unix.Unix_error _ -> path

let ( let* ) = Result.bind

(* Rights alone do not tell: file systems may be read-only or full. *)
let try_temporary path =
  match open_temporary path 0o600 with
  | exception Unix.Unix_error (error, _, _) -> Error (Unix.error_message error)
  | temporary, fd ->
      Unix.close fd;
      remove temporary;
      Ok (Replace (absolute path))

let find given =
  if String.equal given "-" then Ok Stdout
  else if String.equal given "" then Error "the name is empty"
  else if belongs_to_others given then
    Error "it belongs to somebody else, in a folder where anybody may make files: choose another name"
  else
    let path = followed given in
    match (Unix.stat path).st_kind with
    | S_DIR -> Error "it is a folder"
    | S_REG -> try_temporary path
    | kind -> (
        match Unix.access path [ W_OK ] with
        | () -> Ok (Direct { path; takes_everything = kind = S_CHR || kind = S_BLK })
        | exception Unix.Unix_error (error, _, _) -> Error (Unix.error_message error))
    | exception Unix.Unix_error (ENOENT, _, _) -> try_temporary path
    | exception Unix.Unix_error (error, _, _) -> Error (Unix.error_message error)

let prepare ?(option = "") given =
  match find given with
  | Ok target -> Ok { option; given; target }
  | Error reason -> Error (line ~option given reason)

let is_stdout place = match place.target with Stdout -> true | Direct _ | Replace _ -> false

let same a b =
  match (a.target, b.target) with
  | Stdout, Stdout -> true
  | Replace a, Replace b -> String.equal a b
  | Direct a, Direct b -> String.equal a.path b.path && not a.takes_everything
  | _ -> false

let replaces place path =
  path <> "-"
  &&
  match place.target with
  | Replace target -> String.equal target (absolute path)
  | Direct target -> String.equal target.path (absolute path) && not target.takes_everything
  | Stdout -> false

let option place = place.option

let rec distinct ?input = function
  | [] -> Ok ()
  | place :: rest ->
      let* () =
        match input with
        | Some path when replaces place path ->
            Error (line ~option:place.option place.given "it is the file that is read")
        | _ -> Ok ()
      in
      let* () =
        match List.find_opt (same place) rest with
        | Some other ->
            Error
              (Printf.sprintf "options '%s' and '%s': both name %s" place.option other.option
                 (if is_stdout place then "standard output" else "the same file"))
        | None -> Ok ()
      in
      distinct ?input rest

(* {1 Bit by bit} *)

type writing = { place : t; temporary : string option; channel : out_channel }

let channel w = w.channel
let failed w reason = line ~option:w.place.option w.place.given reason

let start place =
  let writing (temporary, fd) = { place; temporary; channel = Unix.out_channel_of_descr fd } in
  match
    match place.target with
    | Stdout -> { place; temporary = None; channel = stdout }
    | Direct { path; _ } -> writing (None, Unix.openfile path [ O_WRONLY; O_CLOEXEC ] 0o666)
    | Replace path ->
        let temporary, fd = open_like path in
        writing (Some temporary, fd)
  with
  | writing -> Ok writing
  | exception Unix.Unix_error (error, _, _) ->
      Error (line ~option:place.option place.given (Unix.error_message error))

(* Standard output stays open; but what could not be written there is dropped, lest the flush at exit fail again. *)
let abandon w =
  match w.place.target with
  | Stdout -> ( try flush stdout with Sys_error _ -> close_out_noerr stdout)
  | Direct _ | Replace _ ->
      close_out_noerr w.channel;
      Option.iter remove w.temporary

let commit w =
  match
    match (w.place.target, w.temporary) with
    | Replace path, Some temporary ->
        close_out w.channel;
        Sys.rename temporary path;
        forget temporary
    | Stdout, _ -> flush w.channel
    | _ -> close_out w.channel
  with
  | () -> Ok ()
  | exception Sys_error reason ->
      abandon w;
      Error (failed w reason)

(* {1 All at once} *)

let write_by place f =
  let* w = start place in
  match f w.channel with
  | () -> commit w
  | exception Sys_error reason ->
      abandon w;
      Error (failed w reason)
  | exception exn ->
      let backtrace = Printexc.get_raw_backtrace () in
      abandon w;
      Printexc.raise_with_backtrace exn backtrace

let write place text = write_by place (fun channel -> output_string channel text)
