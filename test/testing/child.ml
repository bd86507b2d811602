type ended = { status : Unix.process_status; code : int; out : string; err : string }

type t = {
  pid : int;
  command : string;
  out_path : string;
  err_path : string;
  mutable ended : Unix.process_status option;
}

type output = Taken | Closed | To of string

let pid t = t.pid
let out t = Text.read t.out_path

let with_temp_file f =
  let path = Filename.temp_file "test" "" in
  Fun.protect ~finally:(fun () -> Sys.remove path) (fun () -> f path)

(* --- those that run --- *)

let lock = Mutex.create ()
let running = ref []

let describe t =
  Printf.sprintf "child %d: %s\nits standard output: %S\nits standard error: %S\nits threads:\n%s" t.pid
    t.command (out t) (Text.read t.err_path) (Threads.describe t.pid)

let kill t signal = try Unix.kill t.pid signal with Unix.Unix_error _ -> ()

let registered =
  lazy
    (at_exit (fun () -> List.iter (fun t -> kill t Sys.sigkill) !running);
     Watchdog.add_report (fun () ->
         let children = !running in
         let text = String.concat "\n" (List.map describe children) in
         List.iter (fun t -> kill t Sys.sigabrt) children;
         text))

let has_ended t =
  Mutex.protect lock @@ fun () ->
  (if t.ended = None then
     match Unix.waitpid [ WNOHANG ] t.pid with
     | 0, _ -> ()
     | _, status ->
         t.ended <- Some status;
         running := List.filter (( != ) t) !running);
  t.ended <> None

let signal t s = if not (has_ended t) then kill t s

(* --- starting and ending --- *)

let environment ~env ~without =
  let name binding =
    match String.index_opt binding '=' with Some i -> String.sub binding 0 i | None -> binding
  in
  let is_kept binding = not (List.mem_assoc (name binding) env || without (name binding)) in
  Array.of_list
    (List.filter is_kept (Array.to_list (Unix.environment ())) @ List.map (fun (n, v) -> n ^ "=" ^ v) env)

let start ?(env = []) ?(without = Fun.const false) ?(stdin = "/dev/null") ?(stdout = Taken) program arguments
    =
  Lazy.force registered;
  let out_path = Filename.temp_file "child" ".out" and err_path = Filename.temp_file "child" ".err" in
  let written path = Unix.openfile path [ O_WRONLY; O_TRUNC; O_CLOEXEC ] 0 in
  let from = Unix.openfile stdin [ O_RDONLY; O_CLOEXEC ] 0 in
  let into = written (match stdout with To file -> file | Taken | Closed -> out_path) in
  let err = written err_path in
  let command = Filename.quote_command program arguments in
  let program, arguments =
    match stdout with
    | Closed ->
        ("/bin/sh", [ "-c"; "exec " ^ command ^ " >&-" ])
        (* only a shell can start a program with
                                                                     a closed output *)
    | Taken | To _ -> (program, arguments)
  in
  let argv = Array.of_list (program :: arguments) in
  let pid = Unix.create_process_env program argv (environment ~env ~without) from into err in
  List.iter Unix.close [ from; into; err ];
  let t = { pid; command; out_path; err_path; ended = None } in
  Mutex.protect lock (fun () -> running := t :: !running);
  t

(* The system's numbers of those signals that OCaml numbers in its own way. *)
let number_of_signal signal =
  let numbers =
    Sys.
      [
        (sigabrt, 6);
        (sigalrm, 14);
        (sigfpe, 8);
        (sighup, 1);
        (sigill, 4);
        (sigint, 2);
        (sigkill, 9);
        (sigpipe, 13);
        (sigquit, 3);
        (sigsegv, 11);
        (sigterm, 15);
        (sigusr1, 10);
        (sigusr2, 12);
        (sigbus, 7);
        (sigtrap, 5);
        (sigvtalrm, 26);
        (sigprof, 27);
        (sigxcpu, 24);
      ]
  in
  Option.value (List.assoc_opt signal numbers) ~default:signal

let failed_before t what =
  failwith
    (Printf.sprintf "%s has ended without %s; standard error: %S" t.command what (Text.read t.err_path))

let wait_for_output t part =
  Watchdog.until (Printf.sprintf "child %d has printed %S" t.pid part) (fun () ->
      let ended = has_ended t in
      Text.contains part (out t) || (ended && failed_before t (Printf.sprintf "printing %S" part)))

(* /proc/PID/status has a mask of the caught signals, in hexadecimal: signal 1 is the lowest bit. *)
let catches t signal =
  let caught line = Scanf.sscanf_opt line "SigCgt: %Lx" Fun.id in
  match
    List.find_map caught
      (Text.lines (try Text.read (Printf.sprintf "/proc/%d/status" t.pid) with Sys_error _ -> ""))
  with
  | None -> false
  | Some bits -> Int64.logand 1L (Int64.shift_right_logical bits (number_of_signal signal - 1)) = 1L

let wait_for_handler t signal =
  Watchdog.until
    (Printf.sprintf "child %d has a handler of signal %d" t.pid (number_of_signal signal))
    (fun () ->
      let ended = has_ended t in
      catches t signal || (ended && failed_before t "a handler"))

let finish t =
  Watchdog.until (Printf.sprintf "child %d has ended: %s" t.pid t.command) (fun () -> has_ended t);
  let status = Option.get t.ended in
  let code =
    match status with WEXITED code -> code | WSIGNALED s | WSTOPPED s -> 128 + number_of_signal s
  in
  let ended = { status; code; out = out t; err = Text.read t.err_path } in
  Sys.remove t.out_path;
  Sys.remove t.err_path;
  ended

let run ?env ?without ?stdin ?stdout program arguments =
  finish (start ?env ?without ?stdin ?stdout program arguments)
