let temporary path = Printf.sprintf "%s.%d.weft-migrate" path (Unix.getpid ())
let remove path = try Unix.unlink path with Unix.Unix_error _ -> ()

let rec write_all fd text at =
  if at < String.length text then
    write_all fd text (at + Unix.write_substring fd text at (String.length text - at))

let read path = In_channel.with_open_bin path In_channel.input_all

let write path ~before text =
  match
    Unix.access path [ R_OK; W_OK ];
    let found = Unix.lstat path in
    if found.st_kind <> S_REG then failwith "it is no regular file any more";
    if not (String.equal (read path) before) then failwith "it was changed meanwhile";
    let beside = temporary path in
    let fd = Unix.openfile beside [ O_WRONLY; O_CREAT; O_EXCL; O_CLOEXEC ] 0o600 in
    match
      Fun.protect
        ~finally:(fun () -> Unix.close fd)
        (fun () ->
          write_all fd text 0;
          (try Unix.fchown fd found.st_uid found.st_gid with Unix.Unix_error _ -> ());
          (* After the owner: changing that clears some of the bits. *)
          Unix.fchmod fd (found.st_perm land 0o7777);
          Unix.fsync fd);
      Unix.rename beside path
    with
    | () -> ()
    | exception e ->
        remove beside;
        raise e
  with
  | () -> Ok ()
  | exception Unix.Unix_error (error, _, _) -> Error (Unix.error_message error)
  | exception (Failure reason | Sys_error reason) -> Error reason
