open Weft_bench_plots
open Weft_bench_elastic
open Cmdliner

let command = "plot"

let summary folder ({ figures; targets } : Plotting.outcome) =
  Printf.sprintf "%s: %d figure%s; of %s\n"
    (Filename.concat folder Plotting.report_name)
    figures
    (if figures = 1 then "" else "s")
    (Targets.tally targets)

let plot files folder formats =
  match Processes.guarded (fun () -> Plotting.plot ~files ~formats ~folder) with
  | Ok (Ok outcome) -> Output.print ~command (summary folder outcome)
  | Ok (Error message) ->
      Output.error ~command message;
      Output.exit_bad_file
  | Error signal -> Processes.die_of signal

let files_arg =
  let doc =
    "What $(b,weft bench) or $(b,weft bench elastic) has written with $(b,--json). $(b,-) is standard input; \
     what gzip has compressed is decompressed."
  in
  Arg.(non_empty & pos_all string [] & info [] ~docv:"FILE" ~doc)

let folder_arg =
  let doc =
    "The folder to write to. It is made if it is not there. Other files in it are left alone; those of the \
     last time are replaced."
  in
  Arg.(required & opt (some string) None & info [ "o"; "output" ] ~docv:"DIR" ~doc)

let formats_arg =
  let format = Arg.enum (List.map (fun format -> (Script.suffix format, format)) Script.formats) in
  let doc =
    "Formats of the figures beside the report: $(b,svg), $(b,png), $(b,pdf), or several with commas between."
  in
  Arg.(value & opt (Arguments.distinct format) [ Script.Svg ] & info [ "format" ] ~docv:"FORMAT,..." ~doc)

let man =
  [
    `S Manpage.s_description;
    `P
      "Draws what $(b,weft bench) has measured, and writes $(b,report.html): one page, to be opened in a \
       browser, with all figures, the tables, the machine, the commands that measure each figure again, and \
       what has become of each of Weft's targets. The page needs no other file. Every figure is also a file \
       of its own.";
    `P
      "Figures: how many times faster than the sequential program; time by number of domains, by cutoff or \
       chunk, by size; time of a fork and of an operation; how late things were, and sizes of batches, as \
       histograms. What is drawn depends on what was measured.";
    `P
      "Times of different files are never compared with each other. In figures by domains, the ideal is the \
       time of the sequential program shared by the domains, as far as there are processors; a second line \
       is Amdahl's law, of which the serial part is fitted (least squares of the relative errors) to the \
       medians of the first method of Weft's on no more domains than processors.";
    `P "It needs gnuplot, version 5.0 or later (Debian: $(b,apt-get install gnuplot-nox)).";
    `S Manpage.s_examples;
    `Pre "  weft bench fib --domains 1,2,4,8 --json fib.json && weft plot fib.json -o fib-figures";
    `Pre "  weft plot results.json elastic.json -o report --format svg,png,pdf";
  ]

let exits =
  Cmd.Exit.info Output.exit_bad_file
    ~doc:
      "if a file cannot be read or is something else, the folder cannot be written, or there is no gnuplot \
       (then nothing has been written); on a wrong command line."
  :: Cmd.Exit.info Cmd.Exit.ok ~doc:"on success, whatever has become of the targets."
  :: Output.usual_exits

let cmd =
  Cmd.v
    (Cmd.info command ~doc:"draw what was measured, and write a report" ~man ~exits)
    Term.(const plot $ files_arg $ folder_arg $ formats_arg)
