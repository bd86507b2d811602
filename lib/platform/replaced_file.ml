let is_file path =
  match (Unix.lstat path).st_kind with
  | kind -> kind = S_REG
  | exception Unix.Unix_error (ENOENT, _, _) -> true

(* Beside [path], under a name that nothing has: what is there, a link or what a killed process has left, is
   not ours. *)
let rec open_new path ~mode i =
  let again = if i = 0 then "" else Printf.sprintf ".%d" i in
  let temporary = Printf.sprintf "%s.%d%s.tmp" path (Unix.getpid ()) again in
  match Unix.openfile temporary [ O_WRONLY; O_CREAT; O_EXCL; O_CLOEXEC ] mode with
  | fd -> (temporary, Unix.out_channel_of_descr fd)
  | exception Unix.Unix_error (EEXIST, _, _) when i < 1000 -> open_new path ~mode (i + 1)

let write ?(mode = 0o666) path f =
  File_errors.naming path
    (fun () ->
      if not (is_file path) then Out_channel.with_open_bin path f
      else
        let temporary, out = open_new path ~mode 0 in
        match
          Fun.protect
            (fun () ->
              f out;
              Out_channel.close out)
            ~finally:(fun () -> Out_channel.close_noerr out);
          Unix.rename temporary path
        with
        | () -> ()
        | exception exn ->
            let backtrace = Printexc.get_raw_backtrace () in
            (try Sys.remove temporary with Sys_error _ -> ());
            Printexc.raise_with_backtrace exn backtrace)
    ()
