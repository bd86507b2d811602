open Weft_bench_harness
open Weft_files
open Weft_bench_results
open Cmdliner

let error ?(command = "bench") message = Weft_files.Foreign_text.complain command message
let exit_wrong = 1
let exit_bad_file = 2
let exit_usage = 2

let usual_exits =
  [
    Cmd.Exit.info Cmd.Exit.some_error ~doc:"when standard output cannot be written.";
    Cmd.Exit.info Cmd.Exit.internal_error ~doc:"on an unexpected error (a bug).";
  ]

let exits =
  Cmd.Exit.info exit_wrong ~doc:"when a benchmark computed a wrong result or ended with an exception."
  :: Cmd.Exit.info exit_bad_file ~doc:"on a wrong command line, and when a file cannot be written."
  :: Cmd.Exit.info Cmd.Exit.ok ~doc:"when all results were right."
  :: Cmd.Exit.info Interrupts.exit_code
       ~doc:"when interrupted; what had been measured is printed and written."
  :: usual_exits

let warn_of_profile () =
  if String.equal Build_facts.profile "dev" then
    error "built in the dev profile, without inlining across modules; build with --release for real figures"

(* Closing the channel drops what could not be written, so that the flush at exit does not fail again. *)
let print ?command text =
  match Printf.printf "%s%!" text with
  | () -> Cmd.Exit.ok
  | exception Sys_error reason ->
      close_out_noerr stdout;
      error ?command ("cannot write to standard output: " ^ reason);
      Cmd.Exit.some_error

(* {1 Files} *)

type 'a form = { option : string; path : string option; show : 'a -> string }
type 'a places = (Whole_file.t * ('a -> string)) list

let rec prepare = function
  | [] -> Ok []
  | { path = None; _ } :: forms -> prepare forms
  | { path = Some path; option; show } :: forms ->
      Result.bind (Whole_file.prepare ~option path) (fun place ->
          Result.map (fun places -> (place, show) :: places) (prepare forms))

let distinct places = Result.map (fun () -> places) (Whole_file.distinct (List.map fst places))

let to_places ?command forms f =
  match Result.bind (prepare forms) distinct with
  | Ok places -> `Ok (f places)
  | Error message ->
      error ?command message;
      `Ok exit_bad_file

let report ?command value ~text places =
  let write code (place, show) =
    match Whole_file.write place (show value) with
    | Ok () -> code
    | Error message ->
        error ?command message;
        exit_bad_file
  in
  let written = List.fold_left write Cmd.Exit.ok places in
  let is_taken = List.exists (fun (place, _) -> Whole_file.is_stdout place) places in
  let printed = if is_taken then Cmd.Exit.ok else print ?command text in
  if written = Cmd.Exit.ok then printed else written

let file_arg ~option ~doc =
  let name = String.sub option 2 (String.length option - 2) in
  Arg.(value & opt (some string) None & info [ name ] ~docv:"FILE" ~doc)

let form option ~doc show = Term.(const (fun path -> { option; path; show }) $ file_arg ~option ~doc)
let json_text json = Yojson.Safe.pretty_to_string ~std:true json ^ "\n"

let json_form =
  form "--json"
    (fun results -> json_text (Results.to_json results))
    ~doc:
      "Also write machine, compiler and all figures to $(docv), whole or not at all. With $(b,-) they go to \
       standard output in place of the table."

let csv_form =
  form "--csv" Csv.of_results
    ~doc:"Also write the rows to $(docv) as comma-separated values, a line for each."

let google_form =
  form "--google-json"
    (fun results -> json_text (Google.of_results results))
    ~doc:
      "Also write the rows to $(docv) in the JSON format of Google Benchmark, for the programs that read it."

let results_arg =
  Term.(const (fun json csv google -> [ json; csv; google ]) $ json_form $ csv_form $ google_form)
