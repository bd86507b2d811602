type options = {
  output : string option;
  format : Writer.format option;
  last : float option;
  ring : int option;
  quiet : bool;
  program : string;
  arguments : string list;
}

module Whole_file = Weft_files.Whole_file

let exit_wrong = 2
let complain = Weft_files.Foreign_text.complain
let say ~quiet who message = if not quiet then complain who message

(* --- what there is to say at the end --- *)

let format_of format output =
  match (format, output) with
  | Some format, _ -> format
  | None, Some path when Filename.check_suffix path (Writer.extension Fuchsia) -> Writer.Fuchsia
  | None, _ -> Json

let opened ?input ~output path =
  let ( let* ) = Result.bind in
  let* place = Whole_file.prepare ?option:(Option.map (fun _ -> "-o") output) path in
  let* () = Whole_file.distinct ?input [ place ] in
  Whole_file.start place

let output_of options format =
  match options.output with
  | Some path -> path
  | None -> Filename.remove_extension (Filename.basename options.program) ^ ".trace" ^ Writer.extension format

let counted n what = Printf.sprintf "%d %s%s" n what (if n = 1 then "" else "s")

let tell_result ~quiet who path (r : Session.result) =
  say ~quiet who
    (Printf.sprintf "%s: %s of %s in %.3f s"
       (if path = "-" then "standard output" else path)
       (counted r.events "event") (counted r.domains "domain") r.seconds);
  if r.lost.events > 0 then
    complain who
      (Printf.sprintf
         "some %s were lost (%s of the rings): the program wrote them faster than they were read; larger \
          rings may help (option '--ring')"
         (counted r.lost.events "event") (counted r.lost.words "word"));
  Option.iter (fun why -> complain who ("the rings are damaged, and were read up to there: " ^ why)) r.damaged;
  if r.other_version then
    complain who
      "the program is built with another version of Weft: what its scheduler did is not in the trace"
  else if not r.of_weft then
    complain who
      "there are events of OCaml's runtime only: no pool of Weft was used (or the program is not Weft's)"

(* --- signals --- *)

type asked = { mutable by : int list; mutable interrupts : int }

(* If this process is in the foreground, the terminal sends Control-C to the program too, and passing it on
   would send it twice. Linux tells the process's group and the foreground group in the fifth and eighth
   field; the name in parentheses comes before them. *)
let is_in_foreground () =
  match In_channel.with_open_bin "/proc/self/stat" In_channel.input_all with
  | exception Sys_error _ -> false
  | text -> (
      match String.rindex_opt text ')' with
      | None -> false
      | Some i -> (
          match String.split_on_char ' ' (String.sub text (i + 2) (String.length text - i - 2)) with
          | _ :: _ :: group :: _ :: _ :: foreground :: _ -> String.equal group foreground
          | _ -> false))

(* Signals are passed on to the program; this process ends when the program has ended. A second Control-C
   kills it. *)
let handle_signals () =
  let asked = { by = []; interrupts = 0 } in
  let handler signal =
    if signal = Sys.sigint then asked.interrupts <- asked.interrupts + 1;
    asked.by <- signal :: asked.by
  in
  List.iter
    (fun signal -> Sys.set_signal signal (Signal_handle handler))
    Sys.[ sigint; sigterm; sighup; sigquit ];
  asked

let pass_on asked program =
  match asked.by with
  | [] -> ()
  | signals ->
      asked.by <- [];
      let from_terminal signal = (signal = Sys.sigint || signal = Sys.sigquit) && is_in_foreground () in
      if asked.interrupts > 1 then Program.send program Sys.sigkill
      else List.iter (fun s -> if not (from_terminal s) then Program.send program s) (List.rev signals)

(* --- the folder of the rings --- *)

let others_than pid dir =
  match Sys.readdir dir with
  | exception Sys_error _ -> 0
  | names ->
      let own = string_of_int pid ^ ".events" in
      Array.fold_left
        (fun n name -> if Filename.check_suffix name ".events" && name <> own then n + 1 else n)
        0 names

(* --- following --- *)

let seconds_between = 0.005

type follow = { mutable session : Session.t option; mutable failed : string option; mutable followed : int }

(* The file that the name of a program stands for. *)
let executable name =
  if String.contains name '/' then Some name
  else
    let folders = String.split_on_char ':' (Option.value (Sys.getenv_opt "PATH") ~default:"") in
    List.find_opt Sys.file_exists (List.map (fun folder -> Filename.concat folder name) folders)

let try_open f name program dir =
  match f.session with
  | Some session when not (Session.has_rings session) ->
      Option.iter
        (fun pid ->
          let program = if pid = Program.pid program then executable name else None in
          match Session.open_rings session ?program ~dir ~pid with
          | Ok () -> f.followed <- pid
          | Error why -> f.failed <- Some why)
        (Rings.find ~dir ~own:(Program.pid program))
  | _ -> ()

let give_up f why =
  Option.iter Session.abandon f.session;
  f.session <- None;
  f.failed <- Some why

let rec follow f name program dir asked =
  pass_on asked program;
  let ended = Program.poll program in
  try_open f name program dir;
  let more =
    match f.session with
    | None -> false
    | Some session -> (
        try Session.advance session
        with Sys_error why ->
          give_up f (Session.cannot_write session why ^ "; the program goes on without a trace");
          complain "trace" (Option.get f.failed);
          false)
  in
  match ended with
  | Some outcome -> outcome
  | None ->
      if not more then Unix.sleepf seconds_between;
      follow f name program dir asked

(* --- the whole --- *)

let or_wrong code = if code = 0 then exit_wrong else code

let no_events options : Program.ended -> string =
  let how = "so there is no trace" in
  function
  | Exited code ->
      Printf.sprintf
        "%s wrote no events (exit code %d): it is no program of OCaml 5, or cannot write its rings; %s"
        options.program code how
  | Killed signal ->
      Printf.sprintf "%s was killed by %s before it wrote any event; %s" options.program
        (Program.name_of_signal signal) how

let conclude ?cpu options path session (ended : Program.ended) =
  let outcome : Event.outcome = match ended with Exited n -> Exited n | Killed n -> Killed n in
  match
    Session.finish ?cpu session ~program:options.program ~arguments:options.arguments ~by:`Trace ~outcome
  with
  | Error why ->
      complain "trace" why;
      or_wrong (Program.exit_code ended)
  | Ok result ->
      (match ended with
      | Killed signal ->
          complain "trace"
            (Printf.sprintf "%s was killed by %s" options.program (Program.name_of_signal signal))
      | Exited _ -> ());
      tell_result ~quiet:options.quiet "trace" path result;
      Program.exit_code ended

let with_program options path session dir program asked =
  let f = { session = Some session; failed = None; followed = Program.pid program } in
  let ended = follow f options.program program dir asked in
  try_open f options.program program dir;
  match f.session with
  | None -> or_wrong (Program.exit_code ended)
  | Some session when not (Session.has_rings session) ->
      Session.abandon session;
      complain "trace"
        (match f.failed with
        | Some why -> Printf.sprintf "the rings of %s cannot be read: %s" options.program why
        | None -> no_events options ended);
      or_wrong (Program.exit_code ended)
  | Some session ->
      let cpu = if f.followed = Program.pid program then Program.cpu program else None in
      let code = conclude ?cpu options path session ended in
      let others = others_than f.followed dir in
      if others > 0 then
        say ~quiet:options.quiet "trace"
          (Printf.sprintf "not in the trace: the events of %s that the program started"
             (if others = 1 then "another process" else Printf.sprintf "%d other processes" others));
      code

let run options =
  let format = format_of options.format options.output in
  let path = output_of options format in
  let failed why =
    complain "trace" why;
    exit_wrong
  in
  match
    if path = "-" then Error "option '-o': standard output is the program's: name a file, or a pipe"
    else opened ~output:options.output path
  with
  | Error why -> failed why
  | Ok file -> (
      match Filename.temp_dir "weft-trace-" "" with
      | exception Sys_error why ->
          Whole_file.abandon file;
          failed ("cannot make a folder for the rings: " ^ why)
      | dir -> (
          Fun.protect ~finally:(fun () -> Weft_files.Own_folder.remove dir) @@ fun () ->
          let asked = handle_signals () in
          let began = Weft_platform.Timer_thread.now () in
          match Program.start ~dir ~ring:options.ring options.program options.arguments with
          | Error why ->
              Whole_file.abandon file;
              failed why
          | Ok program -> (
              match Session.create ~file ~format ?last:options.last ~began ~pid:(Program.pid program) () with
              | session -> with_program options path session dir program asked
              | exception Sys_error why ->
                  Program.send program Sys.sigkill;
                  Whole_file.abandon file;
                  failed ("cannot make a temporary file: " ^ why))))
