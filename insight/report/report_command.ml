open Weft_files
open Cmdliner

let error = Foreign_text.complain "report"
let exit_wrong = 2

let exits =
  Cmd.Exit.info Cmd.Exit.ok ~doc:"when the report was made."
  :: Cmd.Exit.info exit_wrong
       ~doc:
         "when the trace cannot be read (it is missing, cut short, or no trace), a file cannot be written, \
          and on a wrong command line."
  :: Cmd.Exit.info Cmd.Exit.some_error ~doc:"when standard output cannot be written."
  :: [ Cmd.Exit.info Cmd.Exit.internal_error ~doc:"on an unexpected error (a bug)." ]

let print text =
  match Printf.printf "%s%!" text with
  | () -> Cmd.Exit.ok
  | exception Sys_error reason ->
      close_out_noerr stdout;
      error ("cannot write to standard output: " ^ reason);
      Cmd.Exit.some_error

let ( let* ) = Result.bind

(* Where the finding of that number is, if it is anywhere. *)
let place_of show (analysis : Analysis.t) =
  Option.bind show @@ fun n ->
  Option.bind (List.nth_opt analysis.diagnoses (n - 1)) (fun (d : Finding.t) -> d.place)

let outputs json html ~show =
  let write_json analysis channel =
    output_string channel (Yojson.Safe.pretty_to_string ~std:true (Report_json.of_analysis analysis));
    output_char channel '\n'
  in
  let place (option, path, write) =
    match path with
    | None -> Ok None
    | Some path -> Result.map (fun place -> Some (place, write)) (Whole_file.prepare ~option path)
  in
  let* json = place ("--json", json, write_json) in
  let* html =
    place
      ("--html", html, fun analysis channel -> Timeline.write ?show:(place_of show analysis) channel analysis)
  in
  Ok (List.filter_map Fun.id [ json; html ])

let rec write_all analysis = function
  | [] -> Ok ()
  | (place, write) :: rest ->
      let* () = Whole_file.write_by place (write analysis) in
      write_all analysis rest

(* Nearly everything that is read is kept, so a large minor heap and few major collections halve the
   time. *)
let keep_much () = Gc.set { (Gc.get ()) with minor_heap_size = 4 * 1024 * 1024; space_overhead = 400 }

(* Before anything is written. *)
let can_show show ~html (analysis : Analysis.t) =
  match show with
  | None -> Ok ()
  | Some _ when html = None -> Error "option '--show': it needs '--html'"
  | Some n when n > List.length analysis.diagnoses ->
      Error (Printf.sprintf "option '--show': there is no finding %d" n)
  | Some n when place_of show analysis = None ->
      Error (Printf.sprintf "option '--show': finding %d is of no moment" n)
  | Some _ -> Ok ()

(* The line names the file that the user knows. *)
let of_file file ~instead_of why =
  let prefix = Input.shown instead_of ^ ": " in
  if String.starts_with ~prefix why then
    let n = String.length prefix in
    Input.shown file ^ ": " ^ String.sub why n (String.length why - n)
  else why

let load file =
  if not (Weft_insight_trace.Rings_run.is_rings file) then Trace.load file
  else
    Own_folder.within "weft-report-" @@ fun dir ->
    let into = Filename.concat dir "trace.json" in
    let* () = Weft_insight_trace.Rings_run.convert ~who:"report" file ~into in
    Result.map_error (of_file file ~instead_of:into) (Trace.load into)

(* The text is left out if standard output is used for something else. *)
let report file json html show =
  let* outputs = outputs json html ~show in
  let places = List.map fst outputs in
  let* () = Whole_file.distinct ~input:file places in
  keep_much ();
  let* trace = load file in
  let analysis = Analysis.of_trace ~file:(Input.shown file) trace in
  let* () = can_show show ~html analysis in
  let* () = write_all analysis outputs in
  Ok (if List.exists Whole_file.is_stdout places then "" else Report_text.of_analysis analysis)

let run file json html show =
  match report file json html show with
  | Ok text -> print text
  | Error message ->
      error message;
      exit_wrong

let file =
  let doc =
    "The trace: JSON, as $(b,weft trace -o) $(docv) writes it, or of another program in Chrome's format. \
     $(b,-) is standard input; what gzip has compressed is decompressed. Or what $(b,Weft.Trace.dump_last) \
     has written, or the $(i,PID).events of a program that was killed."
  in
  Arg.(required & pos 0 (some string) None & info [] ~docv:"FILE" ~doc)

let output name doc =
  let doc = doc ^ " to $(docv), whole or not at all. With $(b,-) to standard output, in place of the text." in
  Arg.(value & opt (some string) None & info [ name ] ~docv:"FILE" ~doc)

let cmd =
  let doc = "say what took the time in a traced program" in
  let man =
    [
      `S Manpage.s_description;
      `P
        "Reads a trace and says for each worker how much of the time it ran, searched for work, slept, or \
         collected garbage; how long things took (means, percentiles, histograms, the slowest); who waited \
         for which lock; how large batches were. And above all what that means: where workers were idle, and \
         why.";
      `P
        "$(b,--html) makes a page with an interactive timeline that needs nothing but a browser: zoom with \
         the wheel, pan by dragging, search with /. Press ? in it for all keys.";
      `S Manpage.s_examples;
      `Pre "weft trace -o sort.json -- ./sort.exe\nweft report sort.json --html sort.html";
    ]
  in
  let json = output "json" "Also write all figures, and the diagnoses with a kind each, as JSON" in
  let html = output "html" "Also write the interactive timeline" in
  let show =
    let doc = "With $(b,--html): the page opens where finding number $(docv) is." in
    let parse text =
      match int_of_string_opt text with
      | Some n when n > 0 -> Ok n
      | _ -> Error (Printf.sprintf "'%s' is not the number of a finding" text)
    in
    let number = Arg.conv' (parse, Format.pp_print_int) in
    Arg.(value & opt (some number) None & info [ "show" ] ~docv:"N" ~doc)
  in
  Cmd.v (Cmd.info "report" ~doc ~man ~exits) Term.(const run $ file $ json $ html $ show)
