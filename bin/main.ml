open Cmdliner

let command =
  let doc = "begin a project, look at the machine, measure parallel programs, move from domainslib" in
  let exits = Weft_doctor.Doctor_command.exits in
  let info = Cmd.info "weft" ~version:Weft_doctor.Build_facts.version ~doc ~exits in
  Cmd.group info
    [
      Weft_doctor.Doctor_command.cmd;
      Weft_new.New_command.cmd;
      Weft_bench.Bench_command.for_arguments Sys.argv;
      Weft_migrate.Migrate_command.cmd;
      Weft_report.Report_command.cmd;
      Weft_live.Live_command.cmd;
      Weft_insight_trace.Command.trace;
      Weft_insight_trace.Command.attach;
      Weft_bench.Plot_command.cmd;
      Weft_bench.Compare_command.cmd;
      Weft_bench.Convert_command.cmd;
      Weft_insight_scale.Command.scale;
      Weft_insight_explore.Explore_command.cmd;
    ]

(* Makes one line of Cmdliner's message, synopsis and hint. The line has the message and the hint, as two
   sentences. *)
let one_line message =
  let lines = List.map String.trim (String.split_on_char '\n' message) in
  let kept line = line <> "" && not (String.starts_with ~prefix:"Usage:" line) in
  let join text line =
    let ended = text = "" || List.mem text.[String.length text - 1] [ '.'; '?'; ':'; ',' ] in
    let is_hint = String.starts_with ~prefix:"Try '" line in
    if text = "" then line else text ^ (if is_hint && not ended then ". " else " ") ^ line
  in
  List.fold_left join "" (List.filter kept lines)

(* If the message cannot be written, only the exit code reports the failure. Closing a channel drops its
   unwritten text; otherwise the flush at exit would fail again, with a backtrace. *)
let complain message = try prerr_endline message with Sys_error _ -> close_out_noerr stderr

let printed text code =
  match
    print_string text;
    flush stdout
  with
  | () -> code
  | exception Sys_error reason ->
      close_out_noerr stdout;
      complain ("weft: cannot write to standard output: " ^ reason);
      max code Cmd.Exit.some_error

(* A formatter that collects what Cmdliner prints, and a function that returns the text so far. *)
let kept_output () =
  let buffer = Buffer.create 256 in
  let formatter = Format.formatter_of_buffer buffer in
  let contents () =
    Format.pp_print_flush formatter ();
    Buffer.contents buffer
  in
  (formatter, contents)

let run () =
  let help, help_text = kept_output () and err, message = kept_output () in
  (* The synopsis must not be broken into lines, because [one_line] would take the second line for the
     message. *)
  Format.pp_set_geometry err ~max_indent:99_999 ~margin:100_000;
  match Cmd.eval_value ~help ~err command with
  | Ok (`Ok code) -> printed "" code
  | Ok (`Help | `Version) -> printed (help_text ()) Cmd.Exit.ok
  | Error (`Parse | `Term) ->
      complain (Weft_files.Foreign_text.line (one_line (message ())));
      Weft_bench.Output.exit_usage
  | Error `Exn ->
      complain (message ());
      Cmd.Exit.internal_error

let () =
  (* If the reader of standard output ends, SIGPIPE ends this program quietly, even if the starter of this
     program ignores that signal. *)
  if Sys.unix then Sys.set_signal Sys.sigpipe Signal_default;
  Weft_bench_elastic.Child.main Sys.argv;
  exit (run ())
