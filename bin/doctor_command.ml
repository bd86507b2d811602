open Weft_files
open Cmdliner

let sample_seconds = 0.2
let exit_wrong = 2

let look_into file =
  match Program_build.read file with
  | Ok weft -> Ok { Facts.file = Input.shown file; weft }
  | Error why -> Error (Printf.sprintf "%s: %s" (Input.shown file) why)

(* [main.ml] flushes standard output and reports a failure. *)
let doctor json file =
  match Option.map look_into file with
  | Some (Error why) ->
      Foreign_text.complain "doctor" why;
      exit_wrong
  | (None | Some (Ok _)) as found ->
      let facts = Facts.gather ?program:(Option.map Result.get_ok found) ~sample_seconds () in
      print_string (if json then Report.json facts else Report.text facts);
      Cmd.Exit.ok

let json =
  let doc =
    "Print one JSON object instead: the same facts under stable names, null where a fact is unknown, not set \
     or no limit, and $(b,advice), a list of objects with $(b,id), $(b,why) and $(b,remedy); it is empty if \
     all is set up well."
  in
  Arg.(value & flag & info [ "json" ] ~doc)

let file =
  let doc =
    "A program that contains Weft: whether this Weft was built for release is said, too. If dune builds Weft \
     together with the program, that holds of the program. An installed Weft has always been built for \
     release."
  in
  Arg.(value & pos 0 (some string) None & info [] ~docv:"PROGRAM" ~doc)

let exits =
  [
    Cmd.Exit.info Cmd.Exit.ok ~doc:"on success.";
    Cmd.Exit.info Cmd.Exit.some_error ~doc:"if standard output cannot be written.";
    Cmd.Exit.info exit_wrong ~doc:"if $(i,PROGRAM) cannot be read, and on a wrong command line.";
    Cmd.Exit.info Cmd.Exit.internal_error ~doc:"on an unexpected error (a bug).";
    Cmd.Exit.info 141
      ~doc:"(as shells show the end by the signal SIGPIPE) if the reader of standard output has gone.";
  ]

let cmd =
  let doc = "say whether the machine is set up well for parallel programs, and what to mend" in
  let man =
    [
      `S Manpage.s_description;
      `P
        "The first line of $(iname) says whether this program and this machine are set up well for parallel \
         programs, or how many things there are to mend; then come the reasons, and what to do about each. \
         The rest shows what decides how fast a parallel OCaml program runs here: the processors that this \
         process may use, CPU quotas, how many workers may be at work at once, the number of domains that \
         Weft would use and why, how its workers synchronise, the minor heap, and who else uses the machine.";
      `P "It changes nothing and takes a quarter of a second. Whatever its advice, it succeeds.";
    ]
  in
  Cmd.v (Cmd.info "doctor" ~doc ~man ~exits) Term.(const doctor $ json $ file)
