type ended = Exited of int | Killed of int

let signals =
  Sys.
    [
      (sighup, "SIGHUP");
      (sigint, "SIGINT");
      (sigquit, "SIGQUIT");
      (sigill, "SIGILL");
      (sigabrt, "SIGABRT");
      (sigbus, "SIGBUS");
      (sigfpe, "SIGFPE");
      (sigkill, "SIGKILL");
      (sigsegv, "SIGSEGV");
      (sigpipe, "SIGPIPE");
      (sigterm, "SIGTERM");
      (sigxcpu, "SIGXCPU");
    ]

let how = function
  | Exited code -> Printf.sprintf "exited with code %d" code
  | Killed signal -> (
      match List.assoc_opt signal signals with
      | Some name -> "was killed by " ^ name
      | None -> Printf.sprintf "was killed by signal %d" signal)

let environment variables =
  let names = List.map fst variables in
  let is_ours entry =
    String.starts_with ~prefix:"WEFT_PROFILE" entry
    || List.exists (fun name -> String.starts_with ~prefix:(name ^ "=") entry) names
  in
  let others = List.filter (fun entry -> not (is_ours entry)) (Array.to_list (Unix.environment ())) in
  Array.of_list (others @ List.map (fun (name, value) -> name ^ "=" ^ value) variables)

let rec wait pid =
  match Unix.waitpid [] pid with
  | _, WEXITED code -> Exited code
  | _, (WSIGNALED signal | WSTOPPED signal) -> Killed signal
  | exception Unix.Unix_error (EINTR, _, _) -> wait pid

(* A handler, since the program would inherit an ignored signal. *)
let while_program_has_the_terminal f =
  let before = List.map (fun s -> (s, Sys.signal s (Signal_handle ignore))) [ Sys.sigint; Sys.sigquit ] in
  Fun.protect f ~finally:(fun () -> List.iter (fun (s, behaviour) -> Sys.set_signal s behaviour) before)

let with_output ~quiet f =
  if not quiet then f Unix.stdout
  else
    let nowhere = Unix.openfile "/dev/null" [ O_WRONLY; O_CLOEXEC ] 0 in
    Fun.protect (fun () -> f nowhere) ~finally:(fun () -> Unix.close nowhere)

let run ~quiet ~variables command =
  let program = List.hd command in
  if program = "" then Error "the name of the program is empty"
  else begin
    flush_all ();
    while_program_has_the_terminal @@ fun () ->
    match
      with_output ~quiet @@ fun output ->
      Unix.create_process_env program (Array.of_list command) (environment variables) Unix.stdin output
        Unix.stderr
    with
    | pid -> Ok (wait pid)
    | exception Unix.Unix_error (why, _, _) ->
        Error (Printf.sprintf "cannot run %s: %s" program (Unix.error_message why))
  end

let no_profile command ended =
  Error
    (Printf.sprintf
       "%s %s and wrote no profile: it never used a pool of Weft, or its Weft is too old to be profiled"
       (List.hd command) (how ended))

let unfinished command ended =
  Error
    (Printf.sprintf "%s %s before its profile was written (it is written when the program exits by itself)"
       (List.hd command) (how ended))

let result command ended file =
  if not (Sys.file_exists file) then no_profile command ended
  else
    match Recorded.read file with
    | Error _ as error -> error
    | Ok Unfinished -> unfinished command ended
    | Ok file -> Ok file

let profile ~burden file command =
  let variables = [ ("WEFT_PROFILE", file); ("WEFT_PROFILE_BURDEN", string_of_int burden) ] in
  Result.bind (run ~quiet:false ~variables command) @@ fun ended ->
  match result command ended file with
  | Ok (Recorded.Profile p) -> Ok (p, ended)
  | Ok (Times _ | Unfinished) -> no_profile command ended
  | Error _ as error -> error

let elapsed ~name ~domains command =
  let began = Weft_platform.Timer_thread.now () in
  Result.bind (run ~quiet:true ~variables:[ ("WEFT_DOMAINS", string_of_int domains) ] command) @@ function
  | Exited 0 -> Ok (float_of_int (Weft_platform.Timer_thread.now () - began) *. 1e-9)
  | ended -> Error (Printf.sprintf "%s %s" name (how ended))

let with_temporary f =
  match Filename.temp_dir "weft-scale-" "" with
  | exception Sys_error why -> Error ("cannot make a temporary file for the profile: " ^ why)
  | folder ->
      Fun.protect
        (fun () -> f (Filename.concat folder "profile"))
        ~finally:(fun () -> Weft_files.Own_folder.remove folder)

let time ~domains command =
  with_temporary @@ fun file ->
  let variables =
    [ ("WEFT_PROFILE", file); ("WEFT_PROFILE_TIMES", "1"); ("WEFT_DOMAINS", string_of_int domains) ]
  in
  Result.bind (run ~quiet:true ~variables command) @@ fun ended ->
  match (ended, result command ended file) with
  | _, (Error _ as error) -> error
  | Exited 0, Ok (Recorded.Times ns) -> Ok (float_of_int ns *. 1e-9)
  | _, Ok (Times _) -> Error (Printf.sprintf "%s %s" (List.hd command) (how ended))
  | _, Ok (Profile _ | Unfinished) -> no_profile command ended
