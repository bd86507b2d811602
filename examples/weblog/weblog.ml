(* weblog [FILE]: a web server's log in a few numbers. The readers and parsers are in pipeline.ml; this
   file opens the log and prints. *)

open Web_log
open Console

(* The exit codes; [--help] explains them. *)
let all_read = 0
let cannot_do = 2
let complain format = Command_line.complain "weblog" format

(** {1 Output} *)

let print_summary ~top summary =
  let line name n = Printf.printf "%-10s %15s\n" name (Printable.number n) in
  line "requests" (Summary.requests summary);
  for c = 1 to 5 do
    line (Printf.sprintf "  %dxx" c) (Summary.by_class summary c)
  done;
  line "bytes" (Summary.bytes summary);
  line "bad lines" (Summary.bad_lines summary);
  let print_path i (path, n) =
    if i = 0 then print_newline ();
    Printf.printf "%4d  %12s  %s\n" (i + 1) (Printable.number n) (Printable.name path)
  in
  List.iteri print_path (Summary.top summary top)

let print_lines n =
  for i = 0 to n - 1 do
    print_string (Generate.line i ^ "\n")
  done

let print f =
  match Command_line.print f with
  | Ok () -> all_read
  | Error message ->
      complain "cannot write the result: %s" message;
      cannot_do

(** {1 The program} *)

let with_input file f =
  match file with
  | None -> f Unix.stdin
  | Some file ->
      let input = Unix.openfile file [ O_RDONLY; O_CLOEXEC ] 0 in
      Fun.protect ~finally:(fun () -> Unix.close input) (fun () -> f input)

let summarize file ~parsers ~top ~domains =
  let summarize input =
    Weft.run ?domains (fun () -> Pipeline.summarize ~parsers ~read:(Unix.read input) ())
  in
  match with_input file summarize with
  | summary -> print (fun () -> print_summary ~top summary)
  | exception Unix.Unix_error (error, _, _) ->
      let name = Option.fold file ~none:"standard input" ~some:Printable.name in
      complain "%s: %s" name (Unix.error_message error);
      cannot_do

let run file generate parsers top domains =
  match (file, generate) with
  | None, Some n -> Ok (print (fun () -> print_lines n))
  | Some _, Some _ -> Error "--generate reads no FILE"
  | _, None -> Ok (summarize file ~parsers ~top ~domains)

(** {1 The command line} *)

open Cmdliner

let file =
  let doc = "The log to read; without it, standard input." in
  Arg.(value & pos 0 (some string) None & info [] ~docv:"FILE" ~doc)

let generate =
  let doc = "Print $(docv) lines of a log to try the program on, the same every time." in
  Arg.(value & opt (some (Command_line.at_least 0)) None & info [ "generate" ] ~docv:"N" ~doc)

let parsers =
  let doc = "Let $(docv) fibers read lines, 1 to 1000. It makes no difference to the result." in
  Arg.(value & opt (Command_line.between 1 1000) 4 & info [ "parsers" ] ~docv:"N" ~doc)

let top =
  Arg.(
    value
    & opt (Command_line.at_least 0) 10
    & info [ "top" ] ~docv:"N" ~doc:"Print the $(docv) most frequent paths.")

let command =
  let man =
    [
      `S Manpage.s_description;
      `P
        "Reads a log in the combined log format of Apache and nginx (or in the common one), and prints how \
         many requests there were, by the class of their status, how many bytes were sent, how many lines \
         could not be read, and the most frequent paths, without their queries.";
      `P
        (Printf.sprintf
           "The log may be larger than the memory: the program holds a few blocks of it at a time, and a \
            table of the different paths. A line of %s or more is not read."
           (Printable.counted Blocks.limit "byte"));
    ]
  and exits =
    Cmd.Exit.
      [
        info all_read ~doc:"if the log was read, bad lines or not.";
        info cannot_do ~doc:"if $(i,FILE) cannot be read or the result cannot be written.";
        info Cmd.Exit.cli_error ~doc:"if the command line is wrong.";
        info Cmd.Exit.internal_error ~doc:"on an unexpected error, which is a bug.";
      ]
  in
  Cmd.v
    (Cmd.info "weblog" ~doc:"what a web server's log says, in a few numbers" ~man ~exits)
    Term.(term_result' ~usage:true (const run $ file $ generate $ parsers $ top $ Command_line.domains))

let () = exit (Cmd.eval' command)
