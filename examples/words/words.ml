(* words DIR: counts and ranks the words of all text files below DIR, in parallel. The parallel code is in
   count.ml; this file finds the files, times the counts and prints. *)

open Word_count
open Console

type options = {
  directory : string option;
  domains : int option;
  top : int;
  min_length : int;
  rounds : int option;
  verbose : bool;
}

(* The exit codes; [--help] explains them. *)
let all_read = 0
let some_skipped = 1
let cannot_do = 2
let counts_differ = 3
let complain format = Command_line.complain "words" format

(** {1 Input} *)

let files_below ?only dir =
  match Unix.stat dir with
  | exception Unix.Unix_error (error, _, _) ->
      Error
        (Printf.sprintf "%s: %s; give a directory to read" (Printable.name dir) (Unix.error_message error))
  | { st_kind = S_DIR; _ } -> (
      match Tree.below ?only dir with
      | { files = [||]; skipped = [] } ->
          Error (Printf.sprintf "%s: no files below this directory; give another one" (Printable.name dir))
      | tree -> Ok (dir, tree))
  | _ -> Error (Printf.sprintf "%s: not a directory; give a directory to read" (Printable.name dir))

let find_files = function
  | Some dir -> files_below dir
  | None -> (
      match Ocaml_library.directory () with
      | Some dir -> files_below ~only:Ocaml_library.is_source dir
      | None -> Error "no OCaml compiler found, whose library would be read; give a directory: words DIR")

let report_skipped ~verbose skipped =
  let number = List.length skipped in
  let shown = if verbose then number else min number 10 in
  if shown < number then
    complain "%s skipped; these are the first %d, --verbose names all:" (Printable.counted number "file")
      shown;
  List.iteri (fun i file -> if i < shown then complain "skipped %s" (Skipped.to_string file)) skipped

(** {1 Timing} *)

(* Medians, in seconds. *)
type times = { sequential : float; one_domain : float; all_domains : float }

let domains_name n = Printable.counted n "domain"

(* Counts [rounds] times; [Error] names a way whose count is not [expected]. *)
let compare_ways ~on_bytes ~rounds ~domains ~min_length ~expected files =
  let sequential =
    Measure.way "the second sequential count" (fun () ->
        Measure.timed (fun () -> Count.sequentially ~on_bytes ~min_length files))
  in
  let parallel domains =
    (* The clock starts inside the pool: starting its domains is not measured. *)
    Measure.way
      ("the count at " ^ domains_name domains)
      (fun () ->
        Weft.run ~domains (fun () -> Measure.timed (fun () -> Count.in_parallel ~on_bytes ~min_length files)))
  in
  let one = parallel 1 in
  let all = if domains = 1 then one else parallel domains in
  let ways = if domains = 1 then [ sequential; one ] else [ sequential; one; all ] in
  Measure.interleaved ~rounds ~equal:Count.equal ~expected ways
  |> Result.map (fun () ->
         Measure.{ sequential = median sequential; one_domain = median one; all_domains = median all })

(** {1 Output} *)

let print_ranking ~top words =
  let print_word rank (word, count) =
    Printf.printf "%4d  %12s  %s\n" (rank + 1) (Printable.number count) (Printable.name word)
  in
  List.iteri print_word (Tally.top words top)

let print_totals ({ files; bytes; words; _ } : Count.t) =
  Printf.printf "\n%s, %s, %s, %s of them different\n" (Printable.counted files "file")
    (Printable.counted bytes "byte")
    (Printable.counted (Tally.total words) "word")
    (Printable.number (Tally.distinct words))

let print_times ~rounds ~domains { sequential; one_domain; all_domains } =
  let line name seconds = Printf.printf "%-12s %10.2f ms\n" name (seconds *. 1000.) in
  print_newline ();
  line "sequential" sequential;
  line (domains_name 1) one_domain;
  if domains > 1 then line (domains_name domains) all_domains;
  Printf.printf "%-12s %10.2f   (%s against 1 domain; against sequential: %.2f)\n\n" "speed-up"
    (one_domain /. all_domains) (domains_name domains) (sequential /. all_domains);
  Printf.printf "All counts are equal. Each time is the median of %s%s.\n" (Printable.counted rounds "run")
    (if sequential < 0.2 then "; runs this short are hard to time" else "")

let print_report ~dir ~top ~rounds ~domains ~times (count : Count.t) =
  Printf.printf "The words of %s\n\n" (Printable.name dir);
  print_ranking ~top count.words;
  print_totals count;
  if count.files > 0 then print_times ~rounds ~domains times

(** {1 The program} *)

let count_and_report { top; min_length; verbose; domains; rounds; _ } ~dir ({ files; skipped } : Tree.t) =
  let domains = match domains with Some n -> n | None -> Weft.Pool.default_domains () in
  let total = Tree.bytes files in
  let progress = Progress.on_terminal stderr in
  (* The first pass gives the answer, and brings the files into the system's cache for the timed passes. *)
  let count, seconds =
    Progress.during progress ~label:"counting" ~total (fun on_bytes ->
        Measure.timed (fun () -> Count.sequentially ~on_bytes ~min_length files))
  in
  let skipped = List.sort Skipped.compare (skipped @ count.skipped) in
  report_skipped ~verbose skipped;
  let rounds = match rounds with Some n -> n | None -> Measure.rounds_for seconds in
  let times =
    Progress.during progress ~label:"timing"
      ~total:(3 * rounds * total)
      (fun on_bytes -> compare_ways ~on_bytes ~rounds ~domains ~min_length ~expected:count files)
  in
  match times with
  | Error way ->
      complain "%s differs from the first count; unless a file has changed meanwhile, this is a bug" way;
      counts_differ
  | Ok times -> (
      match Command_line.print (fun () -> print_report ~dir ~top ~rounds ~domains ~times count) with
      | Ok () -> if skipped = [] then all_read else some_skipped
      | Error message ->
          complain "cannot write the result: %s" message;
          cannot_do)

let run options =
  match find_files options.directory with
  | Ok (dir, tree) -> count_and_report options ~dir tree
  | Error line ->
      complain "%s" line;
      cannot_do

(** {1 The command line} *)

open Cmdliner

let options =
  let directory =
    let doc =
      "The directory to read. Without it, the program reads the sources ($(b,*.ml), $(b,*.mli), $(b,*.h)) of \
       the OCaml library: those below the directory that $(b,ocamlfind ocamlc -where) or $(b,ocamlc -where) \
       prints."
    in
    Arg.(value & pos 0 (some string) None & info [] ~docv:"DIR" ~doc)
  and domains =
    let doc =
      "Compare one domain with $(docv) domains, 1 to 128. By default, with as many as the machine offers."
    in
    Arg.(value & opt (some (Command_line.between 1 128)) None & info [ "domains" ] ~docv:"N" ~doc)
  and top =
    Arg.(
      value
      & opt (Command_line.at_least 0) 20
      & info [ "top" ] ~docv:"N" ~doc:"Print the $(docv) most frequent words.")
  and min_length =
    let doc = "Leave out words of fewer than $(docv) bytes." in
    Arg.(value & opt (Command_line.at_least 1) 1 & info [ "min-length" ] ~docv:"N" ~doc)
  and rounds =
    let doc =
      "Time $(docv) runs of every kind. By default 7, but fewer if that would take long, and more if a run \
       is shorter than about 0.03 seconds."
    in
    Arg.(value & opt (some (Command_line.at_least 1)) None & info [ "rounds" ] ~docv:"N" ~doc)
  and verbose =
    let doc = "Name all files that are skipped, not the first ten only." in
    Arg.(value & flag & info [ "v"; "verbose" ] ~doc)
  in
  let gather directory domains top min_length rounds verbose =
    { directory; domains; top; min_length; rounds; verbose }
  in
  Term.(const gather $ directory $ domains $ top $ min_length $ rounds $ verbose)

let command =
  let man =
    [
      `S Manpage.s_description;
      `P
        "Counts the words of all text files in $(i,DIR) and the directories below it, and prints the most \
         frequent ones. It counts in a plain loop, in parallel with one domain and in parallel with all, \
         checks that the three counts are equal, and prints how long each took.";
      `P
        "A word is a longest run of ASCII letters, digits, underscores and bytes from 128 up (the letters of \
         UTF-8 outside ASCII) that does not begin with a digit. Small and capital ASCII letters are taken as \
         the same. Equally frequent words are in the order of their bytes.";
      `P
        "Symbolic links to files count as the files, those to directories are not followed. Skipped, and \
         named on standard error, are: binary files (with a NUL byte in the first 8 KiB), files and \
         directories that cannot be read, links to nothing, pipes, sockets and devices. A file is held in \
         memory while its words are counted.";
    ]
  and exits =
    Cmd.Exit.
      [
        info all_read ~doc:"if all files were read.";
        info some_skipped ~doc:"if some files were binary or could not be read; the rest was counted.";
        info cannot_do
          ~doc:
            "if there is nothing to count ($(i,DIR) is missing, no directory or without files), or the \
             result could not be written.";
        info counts_differ ~doc:"if the counts were not equal.";
        info Cmd.Exit.cli_error ~doc:"if the command line is wrong.";
        info Cmd.Exit.internal_error ~doc:"on an unexpected error, which is a bug.";
      ]
  in
  Cmd.v
    (Cmd.info "words" ~doc:"count and rank the words of text files, in parallel" ~man ~exits)
    Term.(const run $ options)

let () = exit (Cmd.eval' command)
