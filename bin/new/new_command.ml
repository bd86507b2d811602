open Cmdliner

let exit_refused = 1

let exits =
  [
    Cmd.Exit.info Cmd.Exit.ok ~doc:"when the project is there.";
    Cmd.Exit.info exit_refused
      ~doc:
        "when there is a folder or file of that name already, or the folder cannot be made: one line on \
         standard error says why, and nothing has been changed.";
    Cmd.Exit.info 2 ~doc:"on a wrong command line, and a name that no project may have.";
    Cmd.Exit.info Cmd.Exit.some_error ~doc:"if standard output cannot be written; the project is there.";
    Cmd.Exit.info Cmd.Exit.internal_error ~doc:"on an unexpected error (a bug).";
  ]

let next name =
  Printf.sprintf
    {|%s has a loop, a scope, a test and a benchmark. Type next:

    cd %s
    dune exec --release ./bin/main.exe     # build it and run it
    dune test --release                    # test it; dune writes %s.opam, too
    dune exec --release ./bench/main.exe   # measure the speed-up
|}
    name name name

(* [main.ml] flushes standard output and reports a failure. *)
let make name =
  match Project.make name with
  | Ok () ->
      print_string (next name);
      Cmd.Exit.ok
  | Error reason ->
      Weft_files.Foreign_text.complain "new" reason;
      exit_refused

let named =
  let doc =
    "The name of the folder, of its package and of its program: letters of ASCII, digits, $(b,-) and $(b,_), \
     with a letter at the beginning. Not $(b,dune), $(b,ocaml), $(b,odoc) or $(b,weft): the package depends \
     on these."
  in
  Arg.(
    required
    & pos 0 (some (conv' ~docv:"NAME" (Project.check_name, Format.pp_print_string))) None
    & info [] ~docv:"NAME" ~doc)

let man =
  [
    `S Manpage.s_description;
    `P
      "Makes the folder $(i,NAME) here: a project of dune whose program has a parallel loop and a scope with \
       tasks, with a test, and a benchmark that times a sequential program and the parallel one and prints \
       the speed-up. Then prints what to type next.";
    `P
      "The project finds Weft as dune finds any library: through opam, or in the folders of $(b,OCAMLPATH). \
       The folder is there whole or not at all.";
    `S Manpage.s_examples;
    `Pre "  weft new hello";
  ]

let cmd = Cmd.v (Cmd.info "new" ~doc:"make a project that uses Weft" ~man ~exits) Term.(const make $ named)
