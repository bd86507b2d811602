open Cmdliner

let exit_incomplete = 1
let exit_unusable = 2

let exits =
  [
    Cmd.Exit.info Cmd.Exit.ok ~doc:"when the whole project was looked at, and what was asked for was written.";
    Cmd.Exit.info exit_incomplete
      ~doc:"when some file could not be read, understood or written: each in one line on standard error.";
    Cmd.Exit.info exit_unusable
      ~doc:
        "when there is no such folder or no dune project in it, standard output cannot be written, and on a \
         wrong command line.";
    Cmd.Exit.info Cmd.Exit.internal_error ~doc:"on an unexpected error (a bug).";
  ]

let complain = Weft_files.Foreign_text.complain "migrate"

let print text code =
  match Printf.printf "%s%!" text with
  | () -> code
  | exception Sys_error reason ->
      close_out_noerr stdout;
      complain ("cannot write to standard output: " ^ reason);
      exit_unusable

let migrate folder ~write ~json =
  match Migration.find folder with
  | Error reason ->
      complain (Printf.sprintf "cannot look at %s: %s" (if folder = "" then "''" else folder) reason);
      exit_unusable
  | Ok found ->
      let t = if write then Migration.write found else found in
      let trouble = Report.trouble t in
      List.iter complain trouble;
      let report = if json then Report.json else Report.text in
      print (report ~written:write t) (if trouble = [] then Cmd.Exit.ok else exit_incomplete)

let man =
  [
    `S Manpage.s_description;
    `P
      "Shows what a project that uses the library domainslib would change to use $(b,weft-domainslib) \
       instead, which has the same module on Weft's scheduler: the names in the $(b,libraries) of $(b,dune) \
       files, and the packages in $(b,dune-project) and $(b,opam) files, as a unified diff. Nothing is \
       changed without $(b,--write).";
    `P
      "Then come notes, each kind once, with the files and lines where it applies: what must be done by hand \
       (calls of the interface of domainslib 0.3 and 0.4; the word domainslib in makefiles, in $(b,dune) \
       files written in OCaml, and in $(b,opam.locked) files), and what each call would be with Weft's own \
       functions, for those who want to go further. They come from the words of the OCaml files, without a \
       compiler: names are followed within a file. $(b,#require) in scripts and in $(b,.ocamlinit) is \
       changed.";
    `P
      "Left out are $(b,_build) and other folders that dune does not enter, folders that are vendored, \
       copies of domainslib, symbolic links, and $(b,opam) files that dune generates. Layout and comments \
       stay. Each file is replaced whole or not at all, with its permissions, and only if it is still what \
       was looked at.";
    `S Manpage.s_examples;
    `Pre "  weft migrate .";
    `Pre "  weft migrate . > migration.patch";
    `Pre "  weft migrate --write ~/src/raytracer";
    `Pre "  weft migrate --json . | jq '.notes[] | select(.needed)'";
  ]

let term =
  let open Term.Syntax in
  let+ folder =
    Arg.(
      required
      & pos 0 (some string) None
      & info [] ~docv:"DIR" ~doc:"The folder of the project, with its $(b,dune-project).")
  and+ write = Arg.(value & flag & info [ "write" ] ~doc:"Change the files.")
  and+ json = Arg.(value & flag & info [ "json" ] ~doc:"Print one JSON object instead of the text.") in
  migrate folder ~write ~json

let cmd = Cmd.v (Cmd.info "migrate" ~doc:"move a project from domainslib to weft-domainslib" ~man ~exits) term
