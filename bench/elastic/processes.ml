exception Interrupted of int

(* {1 Signals}

   A handler only records the signal: it must not raise between the start of a process and the recording of
   its pid. *)

let caught = ref None
let check () = match !caught with Some signal -> raise (Interrupted signal) | None -> ()
let ending = Sys.[ sigint; sigterm; sighup; sigquit ]

(* Signals that the starter of this program made it ignore stay ignored. *)
let note signal =
  match Sys.signal signal (Signal_handle (fun signal -> caught := Some signal)) with
  | Signal_ignore ->
      Sys.set_signal signal Signal_ignore;
      None
  | before -> Some (signal, before)

let rec uninterrupted f = try f () with Unix.Unix_error (EINTR, _, _) -> uninterrupted f

(* {1 Processes} *)

type t = { pid : int; output : Unix.file_descr }

let alive : t list ref = ref []

let start ?(input = "/dev/null") ?(messages = Unix.stderr) program arguments =
  let output, target = Unix.pipe ~cloexec:true () in
  let input = Unix.openfile input [ O_RDONLY; O_CLOEXEC ] 0 in
  let close () = List.iter Unix.close [ target; input ] in
  match Unix.create_process program (Array.of_list (program :: arguments)) input target messages with
  | pid ->
      let process = { pid; output } in
      alive := process :: !alive;
      close ();
      process
  | exception e ->
      close ();
      Unix.close output;
      raise e

let wait process =
  let _, status = uninterrupted (fun () -> Unix.waitpid [] process.pid) in
  alive := List.filter (fun other -> other.pid <> process.pid) !alive;
  Unix.close process.output;
  status

let stop process =
  (try Unix.kill process.pid Sys.sigkill with Unix.Unix_error _ -> ());
  ignore (wait process : Unix.process_status)

let guarded f =
  caught := None;
  let before = List.filter_map note ending in
  let finally () =
    List.iter stop !alive;
    List.iter (fun (signal, behaviour) -> Sys.set_signal signal behaviour) before
  in
  match Fun.protect ~finally f with
  | result -> Option.fold !caught ~none:(Ok result) ~some:Result.error
  | exception Interrupted signal -> Error signal

let die_of signal =
  Sys.set_signal signal Signal_default;
  Unix.kill (Unix.getpid ()) signal;
  (* The signal may not have arrived yet. *)
  Unix.sleepf 1.;
  exit 2

(* {1 What they print} *)

(* Signals are checked at least this often, in seconds. *)
let glance = 0.1
let now = Weft_bench_suites.Clock.now

(* Reads output into [text] until [enough text] or the output ends; false if neither happens before
   [deadline]. *)
let rec read ~deadline ~enough process text =
  check ();
  let left = deadline -. now () in
  if enough text then true
  else if left <= 0. then false
  else
    match Unix.select [ process.output ] [] [] (Float.min left glance) with
    | exception Unix.Unix_error (EINTR, _, _) -> read ~deadline ~enough process text
    | [], _, _ -> read ~deadline ~enough process text
    | _ -> (
        let block = Bytes.create 4096 in
        match uninterrupted (fun () -> Unix.read process.output block 0 (Bytes.length block)) with
        | 0 -> true
        | n ->
            Buffer.add_subbytes text block 0 n;
            read ~deadline ~enough process text)

type output = Exited of string | Failed of string | Over_limit

let signal_name signal =
  let known =
    Sys.
      [
        (sigsegv, "SIGSEGV");
        (sigabrt, "SIGABRT");
        (sigkill, "SIGKILL");
        (sigalrm, "SIGALRM");
        (sigterm, "SIGTERM");
      ]
  in
  match List.assoc_opt signal known with
  | Some name -> "ended by " ^ name
  | None -> Printf.sprintf "ended by a signal (OCaml's number %d)" signal

let failed = function
  | Unix.WEXITED code -> Printf.sprintf "exit code %d" code
  | WSIGNALED signal | WSTOPPED signal -> signal_name signal

let run ?input ?messages ~limit program arguments =
  let process = start ?input ?messages program arguments in
  let text = Buffer.create 1024 in
  match read ~deadline:(now () +. limit) ~enough:(fun _ -> false) process text with
  | exception e ->
      stop process;
      raise e
  | false ->
      stop process;
      Over_limit
  | true -> (
      (* The process has closed its output, so it is about to end. *)
      let status = wait process in
      (* Control-C at the terminal interrupts both processes. *)
      check ();
      match status with WEXITED 0 -> Exited (Buffer.contents text) | status -> Failed (failed status))

let beside ~limit program arguments f =
  let process = start program arguments in
  Fun.protect ~finally:(fun () -> stop process) @@ fun () ->
  let text = Buffer.create 64 in
  let a_line text = String.contains (Buffer.contents text) '\n' in
  if read ~deadline:(now () +. limit) ~enough:a_line process text && a_line text then f ()
  else (
    check ();
    failwith "the process that is to run beside did not start")
