open Cmdliner

exception Cannot of string

let cannot format = Printf.ksprintf (fun why -> raise (Cannot why)) format
let cannot_do = 2

let perform ~name work domains =
  let complain why =
    Command_line.complain name "%s" why;
    cannot_do
  in
  match Weft.run ?domains work with
  | exception (Cannot why | Sys_error why) -> complain why
  | print -> (
      let code = ref 0 in
      match Command_line.print (fun () -> code := print ()) with
      | Ok () -> !code
      | Error why -> complain ("cannot write the result: " ^ why))

let run_with_code ~name ~doc ~description ~exits work =
  let perform = perform ~name in
  let man = `S Manpage.s_description :: List.map (fun paragraph -> `P paragraph) description in
  let exits =
    exits
    @ Cmd.Exit.
        [
          info cannot_do ~doc:"if it cannot be done, or the result could not be written.";
          info Cmd.Exit.cli_error ~doc:"if the command line is wrong.";
          info Cmd.Exit.internal_error ~doc:"on an unexpected error, which is a bug.";
        ]
  in
  let command = Cmd.v (Cmd.info name ~doc ~man ~exits) Term.(const perform $ work $ Command_line.domains) in
  exit (Cmd.eval' command)

let run ~name ~doc ~description work =
  let with_code work () =
    let print = work () in
    fun () ->
      print ();
      0
  in
  let exits = [ Cmd.Exit.info 0 ~doc:"if all went well." ] in
  run_with_code ~name ~doc ~description ~exits Term.(const with_code $ work)
