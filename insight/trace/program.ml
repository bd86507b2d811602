let usual_ring = 18
let least_ring = 10
let greatest_ring = 20

(* --- signals --- *)

let signals =
  Sys.
    [
      (sighup, 1, "SIGHUP");
      (sigint, 2, "SIGINT");
      (sigquit, 3, "SIGQUIT");
      (sigill, 4, "SIGILL");
      (sigtrap, 5, "SIGTRAP");
      (sigabrt, 6, "SIGABRT");
      (sigbus, 7, "SIGBUS");
      (sigfpe, 8, "SIGFPE");
      (sigkill, 9, "SIGKILL");
      (sigusr1, 10, "SIGUSR1");
      (sigsegv, 11, "SIGSEGV");
      (sigusr2, 12, "SIGUSR2");
      (sigpipe, 13, "SIGPIPE");
      (sigalrm, 14, "SIGALRM");
      (sigterm, 15, "SIGTERM");
      (sigxcpu, 24, "SIGXCPU");
      (sigxfsz, 25, "SIGXFSZ");
      (sigvtalrm, 26, "SIGVTALRM");
      (sigprof, 27, "SIGPROF");
      (sigpoll, 29, "SIGIO");
      (sigsys, 31, "SIGSYS");
    ]

(* Signals that OCaml does not know have the system's number. *)
let number_of_signal signal =
  match List.find_opt (fun (s, _, _) -> s = signal) signals with Some (_, n, _) -> n | None -> abs signal

let name_of_signal number =
  match List.find_opt (fun (_, n, _) -> n = number) signals with
  | Some (_, _, name) -> name
  | None -> Printf.sprintf "signal %d" number

(* --- the environment --- *)

let names_of_run_parameter parameter =
  String.length parameter > 1 && parameter.[0] = 'e' && parameter.[1] = '='

let run_parameters ~ring =
  let given = Option.value (Sys.getenv_opt "OCAMLRUNPARAM") ~default:"" in
  let parameters = List.filter (( <> ) "") (String.split_on_char ',' given) in
  let others = List.filter (fun p -> not (names_of_run_parameter p)) parameters in
  match ring with
  | None when List.compare_lengths others parameters <> 0 -> given
  | _ -> String.concat "," (others @ [ Printf.sprintf "e=%d" (Option.value ring ~default:usual_ring) ])

let environment ~dir ~ring =
  let ours =
    [
      ("OCAML_RUNTIME_EVENTS_START", "1");
      ("OCAML_RUNTIME_EVENTS_DIR", dir);
      ("OCAML_RUNTIME_EVENTS_PRESERVE", "1");
      ("OCAMLRUNPARAM", run_parameters ~ring);
    ]
  in
  let is_ours entry = List.exists (fun (name, _) -> String.starts_with ~prefix:(name ^ "=") entry) ours in
  let others = List.filter (fun entry -> not (is_ours entry)) (Array.to_list (Unix.environment ())) in
  Array.of_list (others @ List.map (fun (name, value) -> name ^ "=" ^ value) ours)

(* --- the process --- *)

type ended = Exited of int | Killed of int

let exit_code = function Exited code -> code | Killed signal -> 128 + signal

type t = { pid : int; cpu_before : int; mutable ended : (ended * int) option }

(* The processor time of all child processes that have been waited for. *)
let cpu_of_children () =
  let t = Unix.times () in
  Float.to_int (1e9 *. (t.tms_cutime +. t.tms_cstime))

let start ?(stdin = Unix.stdin) ?(stdout = Unix.stdout) ?(stderr = Unix.stderr) ~dir ~ring program arguments =
  if program = "" then Error "the name of the program is empty"
  else
    let argv = Array.of_list (program :: arguments) in
    let cpu_before = cpu_of_children () in
    match Unix.create_process_env program argv (environment ~dir ~ring) stdin stdout stderr with
    | pid -> Ok { pid; cpu_before; ended = None }
    | exception Unix.Unix_error (why, _, _) ->
        Error (Printf.sprintf "cannot run %s: %s" program (Unix.error_message why))

let pid p = p.pid

let poll p =
  let has_ended how = p.ended <- Some (how, max 0 (cpu_of_children () - p.cpu_before)) in
  (if p.ended = None then
     match Unix.waitpid [ WNOHANG ] p.pid with
     | 0, _ -> ()
     | _, WEXITED code -> has_ended (Exited code)
     | _, WSIGNALED signal -> has_ended (Killed (number_of_signal signal))
     | _, WSTOPPED _ -> ()
     | exception Unix.Unix_error (EINTR, _, _) -> ());
  Option.map fst p.ended

let cpu p = Option.map snd p.ended
let send p signal = if p.ended = None then try Unix.kill p.pid signal with Unix.Unix_error _ -> ()
