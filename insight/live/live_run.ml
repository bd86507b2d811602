module Program = Weft_insight_trace.Program
module Rings = Weft_insight_trace.Rings
module Timer_thread = Weft_platform.Timer_thread

type options = { every : float option; program : string; arguments : string list }

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

let pass_on asked ~keyboard program =
  let signals = List.rev asked.signals in
  asked.signals <- [];
  List.iter (fun signal -> if not (keyboard && of_keyboard signal) then Program.send program signal) signals

(* {1 The rings} *)

type state = {
  options : options;
  program : Program.t;
  dir : string;
  meter : Meter.t;
  asked : asked;
  spool : Spool.t option;
  mutable source : Source.t option;
  mutable failed : string option;
  mutable left : bool;  (** the user has left the view, but the program still runs *)
  mutable view : View.t;
}

let read s =
  (match (s.source, s.failed) with
  | None, None ->
      Option.iter
        (fun pid ->
          match Source.open_ ~dir:s.dir ~pid s.meter with
          | Ok source -> s.source <- Some source
          | Error why -> s.failed <- Some why)
        (Rings.find ~dir:s.dir ~own:(Program.pid s.program))
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
  if s.source <> None then s.view <- View.add s.view sample;
  sample

(* Shows the view until the program has ended or the user presses [q]. *)
let rec watch s terminal ~every ~next =
  pass_on s.asked ~keyboard:true s.program;
  let ended = Program.poll s.program in
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
  pass_on s.asked ~keyboard:true s.program;
  let ended = Program.poll s.program in
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
  pass_on s.asked ~keyboard:false s.program;
  let ended = Program.poll s.program in
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

let conclude s ended =
  let code = Program.exit_code ended in
  (match ended with
  | Program.Killed signal ->
      complain (Printf.sprintf "%s was killed by %s" s.options.program (Program.name_of_signal signal))
  | Exited _ -> ());
  match (s.source, s.failed) with
  | Some source, _ ->
      Source.close source;
      code
  | None, Some why ->
      complain (Printf.sprintf "the rings of %s cannot be read: %s" s.options.program why);
      if code = 0 then exit_wrong else code
  | None, None when s.left -> code
  | None, None ->
      complain
        (Printf.sprintf "%s wrote no events: it is no program of OCaml 5, or ended before it began to"
           s.options.program);
      if code = 0 then exit_wrong else code

let start (options : options) dir screen =
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
       options.program options.arguments)

let run (options : options) =
  match Filename.temp_dir "weft-live-" "" with
  | exception Sys_error why ->
      complain ("cannot make a folder for the rings: " ^ why);
      exit_wrong
  | dir -> (
      Fun.protect ~finally:(fun () -> Weft_files.Own_folder.remove dir) @@ fun () ->
      let screen = choose_screen () in
      let asked = handle_signals () in
      let started = Timer_thread.now () in
      match start options dir screen with
      | Error why ->
          complain why;
          exit_wrong
      | Ok (program, spool) ->
          let command = String.concat " " (Filename.basename options.program :: options.arguments) in
          let s =
            {
              options;
              program;
              dir;
              meter = Meter.create ~started;
              asked;
              spool;
              source = None;
              failed = None;
              left = false;
              view = View.create ~command ~pid:(Program.pid program);
            }
          in
          let ended =
            match screen with
            | Screen fd -> on_screen s fd ~every:(Option.value ~default:0.25 options.every)
            | Lines -> in_lines s ~every:(Option.value ~default:1. options.every) ~next:0.
          in
          conclude s ended)
