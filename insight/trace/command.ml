open Cmdliner

let output ~otherwise =
  let doc = "Write the trace to $(docv), whole or not at all. " ^ otherwise in
  Arg.(value & opt (some string) None & info [ "o"; "output" ] ~docv:"FILE" ~doc)

let format =
  let doc =
    "$(b,json) is Chrome's trace format, which Perfetto and $(b,weft report) read; $(b,fuchsia) is smaller, \
     for Perfetto. By default $(b,fuchsia) if the name of the file ends in .fxt."
  in
  Arg.(value & opt (some (enum Writer.formats)) None & info [ "format" ] ~docv:"FORMAT" ~doc)

let seconds ~names ~doc =
  let parse text =
    match float_of_string_opt text with
    | Some s when s > 0. && s < 1e9 -> Ok s
    | _ -> Error (Printf.sprintf "'%s' is not a number of seconds above 0" text)
  in
  let positive = Arg.conv' (parse, Format.pp_print_float) in
  Arg.(value & opt (some positive) None & info names ~docv:"SECONDS" ~doc)

let last =
  seconds ~names:[ "last" ]
    ~doc:
      "Keep the events of the last $(docv) only. Older ones are thrown away, so a program can be traced for \
       days, until what you wait for has happened."

let ring =
  let parse text =
    match int_of_string_opt text with
    | Some n when n >= Program.least_ring && n <= Program.greatest_ring -> Ok n
    | _ ->
        Error
          (Printf.sprintf "'%s' is not a number from %d to %d" text Program.least_ring Program.greatest_ring)
  in
  let doc =
    Printf.sprintf
      "Give each domain a ring of 2 to the power of $(docv) words, from %d to %d. Default: what \
       OCAMLRUNPARAM says, or else %d, which is 2 MiB. Larger ones are for programs that write events faster \
       than they are read."
      Program.least_ring Program.greatest_ring Program.usual_ring
  in
  Arg.(value & opt (some (conv' (parse, Format.pp_print_int))) None & info [ "ring" ] ~docv:"N" ~doc)

let quiet =
  let doc = "Do not say what was written; only what went wrong." in
  Arg.(value & flag & info [ "q"; "quiet" ] ~doc)

let wrong doc = Cmd.Exit.info Trace_run.exit_wrong ~doc

(* --- trace --- *)

let run_trace output format last ring quiet rings words =
  match (rings, words) with
  | None, [] -> `Error (true, "required argument PROGRAM is missing")
  | None, program :: arguments ->
      `Ok (Trace_run.run { output; format; last; ring; quiet; program; arguments })
  | Some _, _ when ring <> None -> `Error (true, "option '--ring': the rings of '--rings' are made already")
  | Some rings, [] -> `Ok (Rings_run.run { output; format; last; quiet; rings; program = None })
  | Some rings, [ program ] ->
      `Ok (Rings_run.run { output; format; last; quiet; rings; program = Some program })
  | Some _, _ -> `Error (true, "option '--rings': PROGRAM is the executable file that wrote them, no more")

let trace =
  let doc = "run a program and write down what its workers, fibers and collections did when" in
  let man =
    [
      `S Manpage.s_description;
      `P
        "Runs $(i,PROGRAM), which need not be built for it, and writes a file that $(b,weft report) explains \
         and ui.perfetto.dev shows. Any program of OCaml 5 will do. For one that uses Weft, the file has \
         jobs, steals, waits, locks, loops, batches and the program's own regions; for others, only the \
         collector.";
      `P
        "The file is complete however the program ends: by a crash, by a signal, by Control-C (which goes to \
         the program; a second one kills it). Signals sent to $(b,weft) are passed on to the program.";
      `P
        "If $(i,PROGRAM) is a script that starts another program, the trace is that of the first one it \
         starts that writes events.";
      `P
        "With $(b,--rings), nothing is run: the events lie in a file already. $(i,PROGRAM), if given, is \
         then the executable file that wrote them, from which names of lines are taken.";
      `S Manpage.s_examples;
      `Pre
        "  weft trace -- ./my_program --size 1000\n\
        \  weft trace -o run.json --last 10 -- ./server\n\
        \  weft trace -o slow.json --rings slow.events";
    ]
  in
  let exits =
    Cmd.Exit.info 0 ~max:255
      ~doc:
        "the program's own exit code; 128 and the number of the signal if one killed it. Also if its trace \
         could not be written or it wrote no events, unless it was 0: then 2. With $(b,--rings), 0 if the \
         trace was written."
    :: [
         wrong
           "if the program cannot be run, the file of $(b,--rings) not be read, or the trace not be made; on \
            a wrong command line; or see above.";
       ]
  in
  let program =
    let doc = "The program and its arguments, after $(b,--)." in
    Arg.(value & pos_all string [] & info [] ~docv:"PROGRAM" ~doc)
  in
  let rings =
    let doc =
      "Make a trace of what is in $(docv): what $(b,Weft.Trace.dump_last) has written, or the file \
       $(i,PID).events that a program with WEFT_TRACE=ring has left when it was killed. $(b,weft report) \
       reads both as they are, too."
    in
    Arg.(value & opt (some string) None & info [ "rings" ] ~docv:"FILE" ~doc)
  in
  Cmd.v (Cmd.info "trace" ~doc ~man ~exits)
    Term.(
      ret
      @@ (const run_trace
         $ output
             ~otherwise:
               "By default it is named after the program, or the $(i,FILE) of $(b,--rings). Standard output \
                is the program's, so $(b,-) is refused, but with $(b,--rings)."
         $ format $ last $ ring $ quiet $ rings $ program))

(* --- attach --- *)

let run_attach output format last seconds quiet pid =
  Attach_run.run { output; format; last; seconds; quiet; pid }

let attach =
  let doc = "write the trace of a program that runs already" in
  let man =
    [
      `S Manpage.s_description;
      `P
        "Writes what $(b,weft trace) does, from now on until the program ends, $(i,SECONDS) are over, or \
         Control-C comes. The program itself goes on.";
      `P
        "The program must write events: it does if it was started with OCAML_RUNTIME_EVENTS_START=1 or \
         WEFT_TRACE=ring in the environment, or has called Weft.Trace.start. For programs whose jobs last \
         ten microseconds that costs less than a hundredth of the time.";
    ]
  in
  let exits =
    [
      Cmd.Exit.info 0 ~doc:"if the trace was written.";
      wrong
        "if there is no such process, if it writes no events, if the file cannot be written; and on a wrong \
         command line.";
    ]
  in
  let pid =
    let parse text =
      match int_of_string_opt text with
      | Some n when n > 0 -> Ok n
      | _ -> Error (Printf.sprintf "'%s' is not the number of a process" text)
    in
    Arg.(
      required
      & pos 0 (some (conv' (parse, Format.pp_print_int))) None
      & info [] ~docv:"PID" ~doc:"The process.")
  in
  let how_long = seconds ~names:[ "seconds" ] ~doc:"End after $(docv)." in
  Cmd.v (Cmd.info "attach" ~doc ~man ~exits)
    Term.(
      const run_attach
      $ output ~otherwise:"By default it is named after the process; $(b,-) is standard output."
      $ format $ last $ how_long $ quiet $ pid)
