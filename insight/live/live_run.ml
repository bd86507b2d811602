module Program = Weft_insight_trace.Program
module Rings = Weft_insight_trace.Rings
module Process = Weft_insight_trace.Process
module Timer_thread = Weft_platform.Timer_thread

type subject = Program of string * string list | Process of int
type options = { every : float option; subject : subject }

let exit_wrong = 2
let complain = Weft_files.Foreign_text.complain "live"

(* {1 The screen} *)

(* If the view uses the screen, output of the program that would go to the screen goes to a file instead. *)
type screen = Screen of Unix.file_descr  (** standard output or error: a terminal *) | Lines

let choose_screen () =
  if Unix.isatty Unix.stdout then Screen Unix.stdout
  else if Unix.isatty Unix.stderr then Screen Unix.stderr
  else Lines

(* {1 Signals} *)

type asked = { mutable signals : int list; mutable resized : bool }

(* The system's number of SIGWINCH, for which OCaml has no name. *)
let sigwinch = 28

(* The terminal sends Control-C to the program too, since it is in the same process group. A SIGINT from
   elsewhere is passed on. *)
let handle_signals () =
  let asked = { signals = []; resized = false } in
  let note signal = asked.signals <- signal :: asked.signals in
  List.iter
    (fun signal -> Sys.set_signal signal (Signal_handle note))
    Sys.[ sigterm; sighup; sigquit; sigint ];
  Sys.set_signal sigwinch (Signal_handle (fun _ -> asked.resized <- true));
  asked

let of_keyboard signal = signal = Sys.sigint || signal = Sys.sigquit

(* {1 The rings} *)

(* What is watched. *)
type watched = {
  command : string;
  pid : int;
  poll : unit -> Program.ended option;
  send : int -> unit;
  rings : unit -> (string * int) option;  (** as {!Source.open_} takes them, once they are there *)
  is_ours : bool;  (** it was started for this; else it was there before, and goes on afterwards *)
}

type state = {
  watched : watched;
  meter : Meter.t;
  asked : asked;
  spool : Spool.t option;
  mutable source : Source.t option;
  mutable failed : string option;
  mutable left : bool;  (** the user has left the view, but the program still runs *)
  mutable view : View.t;
  mutable summary : Summary.t;
}

(* A process that was there before does not get the signals: they end the watching. *)
let pass_on s ~keyboard =
  let signals = List.rev s.asked.signals in
  s.asked.signals <- [];
  if s.watched.is_ours then
    List.iter (fun signal -> if not (keyboard && of_keyboard signal) then s.watched.send signal) signals
  else if signals <> [] then s.left <- true

let ended s =
  match s.watched.poll () with
  | None when s.left && not s.watched.is_ours -> Some (Program.Exited 0)
  | ended -> ended

let opened s source =
  s.source <- Some source;
  if not s.watched.is_ours then begin
    Source.skip source;
    ignore (Meter.sample s.meter ~now:(Timer_thread.now ()) : Sample.t)
  end

let read s =
  (match (s.source, s.failed) with
  | None, None ->
      Option.iter
        (fun (dir, pid) ->
          match Source.open_ ~dir ~pid s.meter with
          | Ok source -> opened s source
          | Error why -> s.failed <- Some why)
        (s.watched.rings ())
  | _ -> ());
  Option.iter Source.poll s.source

(* Seconds between two reads of the rings. *)
let between_reads = 0.02

(* {1 The view} *)

let draw s terminal =
  if s.asked.resized then (
    s.asked.resized <- false;
    Terminal.resized terminal);
  let width, height = Terminal.size terminal in
  let colours = Sys.getenv_opt "NO_COLOR" = None in
  let output = match s.spool with Some spool -> Spool.last_lines spool | None -> [] in
  Terminal.show terminal (View.frame s.view ~colours ~width ~height ~output)

let sample s =
  let sample = Meter.sample s.meter ~now:(Timer_thread.now ()) in
  if s.source <> None then begin
    s.view <- View.add s.view sample;
    s.summary <- Summary.add s.summary sample
  end;
  sample

(* Shows the view until the program has ended or the user presses [q]. *)
let rec watch s terminal ~every ~next =
  pass_on s ~keyboard:true;
  let ended = ended s in
  read s;
  let now = Unix.gettimeofday () in
  let next =
    if now < next && not s.asked.resized then next
    else (
      ignore (sample s : Sample.t);
      draw s terminal;
      now +. every)
  in
  match ended with
  | Some _ -> ()
  | None -> (
      match Terminal.key terminal ~wait:between_reads with
      | Some ('q' | 'Q') -> s.left <- true
      | _ -> watch s terminal ~every ~next)

(* The program goes on without a view: passes on what it writes. *)
let rec follow s fd =
  pass_on s ~keyboard:true;
  let ended = ended s in
  Option.iter (fun spool -> Spool.pass_on spool fd) s.spool;
  match ended with
  | Some ended -> ended
  | None ->
      (try Unix.sleepf 0.05 with Unix.Unix_error (EINTR, _, _) -> ());
      follow s fd

let on_screen s fd ~every =
  match Terminal.take fd with
  | Error why ->
      complain ("no terminal to show anything on: " ^ why);
      s.left <- true;
      follow s fd
  | Ok terminal ->
      Fun.protect
        ~finally:(fun () -> Terminal.give_back terminal)
        (fun () -> watch s terminal ~every ~next:0.);
      follow s fd

let rec in_lines s ~every ~next =
  pass_on s ~keyboard:false;
  let ended = ended s in
  read s;
  let now = Unix.gettimeofday () in
  let due = now >= next && s.source <> None in
  if due || (ended <> None && s.source <> None) then complain (View.line (sample s));
  match ended with
  | Some ended -> ended
  | None ->
      (try Unix.sleepf between_reads with Unix.Unix_error (EINTR, _, _) -> ());
      in_lines s ~every ~next:(if due then now +. every else next)

(* {1 The whole} *)

(* Of a program whose view was left, nothing is known since then. *)
let summarize s =
  if not s.left then ignore (sample s : Sample.t);
  List.iter complain (Summary.lines s.summary ~waits:(Meter.waits s.meter))

let conclude s ended =
  let code = Program.exit_code ended in
  (match ended with
  | Program.Killed signal ->
      complain (Printf.sprintf "%s was killed by %s" s.watched.command (Program.name_of_signal signal))
  | Exited _ -> ());
  match (s.source, s.failed) with
  | Some source, _ ->
      summarize s;
      Source.close source;
      code
  | None, Some why ->
      complain (Printf.sprintf "the rings of %s cannot be read: %s" s.watched.command why);
      if code = 0 then exit_wrong else code
  | None, None when s.left -> code
  | None, None ->
      complain
        (Printf.sprintf "%s wrote no events: it is no program of OCaml 5, or ended before it began to"
           s.watched.command);
      if code = 0 then exit_wrong else code

let start dir screen program arguments =
  let spool = match screen with Screen _ -> Some (Spool.create ~dir) | Lines -> None in
  let to_screen fd = match spool with Some spool when Unix.isatty fd -> Spool.writer spool | _ -> fd in
  (* The view reads the keys, so the program gets no terminal as standard input. *)
  let stdin =
    match screen with
    | Screen _ when Unix.isatty Unix.stdin -> Unix.openfile "/dev/null" [ O_RDONLY; O_CLOEXEC ] 0
    | _ -> Unix.stdin
  in
  Result.map
    (fun program -> (program, spool))
    (Program.start ~stdin ~stdout:(to_screen Unix.stdout) ~stderr:(to_screen Unix.stderr) ~dir ~ring:None
       program arguments)

let show options ~asked ~screen ~spool watched =
  let s =
    {
      watched;
      meter = Meter.create ~started:(Timer_thread.now ());
      asked;
      spool;
      source = None;
      failed = None;
      left = false;
      view = View.create ~command:watched.command ~pid:watched.pid;
      summary = Summary.empty;
    }
  in
  let ended =
    match screen with
    | Screen fd -> on_screen s fd ~every:(Option.value ~default:0.25 options.every)
    | Lines -> in_lines s ~every:(Option.value ~default:1. options.every) ~next:0.
  in
  conclude s ended

let failed why =
  complain why;
  exit_wrong

let run_program options program arguments =
  match Filename.temp_dir "weft-live-" "" with
  | exception Sys_error why -> failed ("cannot make a folder for the rings: " ^ why)
  | dir -> (
      Fun.protect ~finally:(fun () -> Weft_files.Own_folder.remove dir) @@ fun () ->
      let screen = choose_screen () in
      let asked = handle_signals () in
      match start dir screen program arguments with
      | Error why -> failed why
      | Ok (started, spool) ->
          let pid = Program.pid started in
          show options ~asked ~screen ~spool
            {
              command = String.concat " " (Filename.basename program :: arguments);
              pid;
              poll = (fun () -> Program.poll started);
              send = Program.send started;
              rings = (fun () -> Option.map (fun pid -> (dir, pid)) (Rings.find ~dir ~own:pid));
              is_ours = true;
            })

let run_process options pid =
  match Process.find_rings pid with
  | Error why -> failed why
  | Ok rings ->
      let program, arguments = Process.command_of pid in
      show options ~asked:(handle_signals ()) ~screen:(choose_screen ()) ~spool:None
        {
          command = String.concat " " (Filename.basename program :: arguments);
          pid;
          poll = (fun () -> if Process.is_dead pid then Some (Program.Exited 0) else None);
          send = ignore;
          rings = (fun () -> Some rings);
          is_ours = false;
        }

let run options =
  match options.subject with
  | Program (program, arguments) -> run_program options program arguments
  | Process pid -> run_process options pid
