open Weft_bench_harness
open Cmdliner

let error message = Printf.eprintf "weft bench: %s\n%!" message
let exit_wrong = 1
let exit_unwritable = 2
let exit_usage = 2

let exits =
  Cmd.Exit.info exit_wrong ~doc:"when a benchmark computed a wrong result or ended with an exception."
  :: Cmd.Exit.info exit_usage ~doc:"on a wrong command line, and when the JSON file cannot be written."
  :: Cmd.Exit.info Cmd.Exit.ok ~doc:"when all results were right."
  :: Cmd.Exit.info Cmd.Exit.some_error ~doc:"when standard output cannot be written."
  :: Cmd.Exit.info Interrupts.exit_code
       ~doc:"when interrupted; what had been measured is printed and written."
  :: [ Cmd.Exit.info Cmd.Exit.internal_error ~doc:"on an unexpected error (a bug)." ]

let warn_of_profile () =
  if String.equal Build_facts.profile "dev" then
    error "built in the dev profile, without inlining across modules; build with --release for real figures"

(* Closing the channel drops what could not be written, lest the flush at exit fail again. *)
let print text =
  match Printf.printf "%s%!" text with
  | () -> Cmd.Exit.ok
  | exception Sys_error reason ->
      close_out_noerr stdout;
      error ("cannot write to standard output: " ^ reason);
      Cmd.Exit.some_error

let report ~json ~text place =
  let written =
    match Option.map (fun place -> Json_file.write place json) place with
    | None | Some (Ok ()) -> Cmd.Exit.ok
    | Some (Error message) ->
        error message;
        exit_unwritable
  in
  let printed =
    match place with Some place when Json_file.is_stdout place -> Cmd.Exit.ok | _ -> print text
  in
  if written = Cmd.Exit.ok then printed else written

let json_arg =
  let doc =
    "Also write machine, compiler and all figures to $(docv), whole or not at all. With $(b,-) they go to \
     standard output in place of the table."
  in
  Arg.(value & opt (some string) None & info [ "json" ] ~docv:"FILE" ~doc)

let to_place json f =
  match Option.map Json_file.prepare json with
  | None -> `Ok (f None)
  | Some (Ok place) -> `Ok (f (Some place))
  | Some (Error message) ->
      error message;
      `Ok exit_unwritable
