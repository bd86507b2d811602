open Cmdliner

let every =
  let parse text =
    match float_of_string_opt text with
    | Some s when s >= 0.05 && s <= 3600. -> Ok s
    | _ -> Error (Printf.sprintf "'%s' is not a number of seconds from 0.05 to 3600" text)
  in
  let doc = "Look every $(docv). Default: 0.25 on a terminal, else 1." in
  Arg.(value & opt (some (conv' (parse, Format.pp_print_float))) None & info [ "every" ] ~docv:"SECONDS" ~doc)

let run every = function
  | [] -> invalid_arg "Weft: internal error: no program"
  | program :: arguments ->
      let subject =
        match int_of_string_opt program with
        | Some pid when arguments = [] && String.for_all (fun c -> c >= '0' && c <= '9') program ->
            Live_run.Process pid
        | _ -> Program (program, arguments)
      in
      Live_run.run { every; subject }

let cmd =
  let doc = "watch the workers of a program" in
  let man =
    [
      `S Manpage.s_description;
      `P
        "Runs $(i,PROGRAM), which need not be built for it, and shows a bar for each worker (running, \
         collecting garbage, searching for work, parked), rates of forks, jobs, steals, parks and \
         suspensions, the heap, and where fibers wait longest, several times a second. At the end it says \
         what the samples were together, and where the longest waits were.";
      `P
        "A single number is that of a process that runs already, and goes on afterwards: $(b,q) or Control-C \
         ends the view. It must write events: it does if it was started with OCAML_RUNTIME_EVENTS_START=1 or \
         WEFT_TRACE=ring in the environment, or has called Weft.Trace.start. Of what was before, only what \
         still goes on is shown, as far as the rings tell.";
      `P
        "$(b,q) ends the view, and the program goes on as if it had been started without it; the summary at \
         the end is of the time until then. Control-C goes to the program. What the program writes to the \
         terminal is kept in a file, of which the view shows the last lines; when the view ends, all of it \
         is printed. What it writes elsewhere (a redirected standard output, say) goes there directly. The \
         view reads the keys: a program whose standard input is the terminal finds no input there.";
      `P
        "If the program writes events faster than they are read, some are lost. Of waits that began before \
         that, nothing is said, since their ends may be among them.";
      `P "Without a terminal there is no view but a line on standard error every second.";
      `S Manpage.s_environment;
      `P "$(b,NO_COLOR): if it is set, the view has no colours.";
      `S Manpage.s_examples;
      `Pre "  weft live -- ./my_program --size 1000\n  weft live 4711";
    ]
  in
  let exits =
    Cmd.Exit.info 0 ~max:255
      ~doc:"the program's own exit code; 128 and the number of the signal if one killed it."
    :: [
         Cmd.Exit.info Live_run.exit_wrong
           ~doc:
             "if the program cannot be run, or ended with 0 and wrote no events (it is no program of OCaml \
              5), or the process's events cannot be read.";
       ]
  in
  let program =
    let doc = "The program and its arguments, after $(b,--); or the number of a process." in
    Arg.(non_empty & pos_all string [] & info [] ~docv:"PROGRAM|PID" ~doc)
  in
  Cmd.v (Cmd.info "live" ~doc ~man ~exits) Term.(const run $ every $ program)
