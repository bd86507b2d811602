(* site [--root DIR] [--doc DIR] [-o DIR]: makes the pages; exit code 1 if something in them is wrong, 2 if there are none. *)

open Cmdliner

let make root doc out =
  let doc = Option.value doc ~default:(Filename.concat root "_build/default/_doc") in
  match Weft_site.Build.all ~root ~doc ~out with
  | Ok [] -> 0
  | Ok problems ->
      List.iter prerr_endline problems;
      Printf.eprintf "site: %d things are wrong in the pages (in %s all the same)\n" (List.length problems)
        out;
      1
  | Error reason ->
      Printf.eprintf "site: no pages: %s\n" reason;
      2

let folder name default doc = Arg.(value & opt string default & info [ name ] ~docv:"DIR" ~doc)

let command =
  let root = folder "root" "." "The sources of Weft." in
  let doc =
    Arg.(
      value
      & opt (some string) None
      & info [ "doc" ] ~docv:"DIR" ~doc:"What dune build @doc has made; default: in the sources.")
  in
  let out =
    Arg.(
      value & opt string "_site"
      & info [ "o"; "output" ] ~docv:"DIR" ~doc:"The folder to make, or to make anew.")
  in
  Cmd.v (Cmd.info "site" ~doc:"Weft's documentation as pages") Term.(const make $ root $ doc $ out)

let () = exit (Cmd.eval' ~term_err:2 command)
