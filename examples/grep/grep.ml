(* grep: the lines that match a pattern, in all text files below some folders. Files go through a pipeline:
   they are searched in parallel, and reported in the order of their names. The lines of a file are
   searched in parallel too, so that one huge file does not keep all others waiting. *)

open Console
open Word_count

type options = { fixed : bool; ignore_case : bool; invert : bool; names_only : bool; numbers : bool }

(* The exit codes; [--help] explains them. *)
let some_line = 0
let no_line = 1
let some_unreadable = 2

(** {1 Searching} *)

let matcher { fixed; ignore_case; invert; _ } pattern =
  let compile =
    match (fixed, ignore_case) with
    | false, false -> Str.regexp
    | false, true -> Str.regexp_case_fold
    | true, false -> Str.regexp_string
    | true, true -> Str.regexp_string_case_fold
  in
  match compile pattern with
  | exception Failure why ->
      Main.cannot "%S is not a regular expression: %s; --fixed takes it as it is" pattern why
  | regexp ->
      fun line ->
        (* Only the answer of Str is used: its groups are global, and other tasks search too. *)
        let found = match Str.search_forward regexp line 0 with _ -> true | exception Not_found -> false in
        found <> invert

let lines text =
  match List.rev (String.split_on_char '\n' text) with
  | "" :: lines -> List.rev lines (* the text after the last line end is no line *)
  | lines -> List.rev lines

let search is_match text =
  Weft.Array.of_list (lines text)
  |> Weft.Array.mapi (fun i line -> (i + 1, line))
  |> Weft.Array.filter (fun (_, line) -> is_match line)

(** {1 Files} *)

(* The files of [path], which is a file or a folder, and those that cannot be read. *)
let files path =
  let skip reason = [ Error { Skipped.path; reason } ] in
  match Unix.stat path with
  | { st_kind = S_REG; st_size = size; _ } -> [ Ok { Tree.path; size } ]
  | { st_kind = S_DIR; _ } ->
      let { Tree.files; skipped } = Tree.below path in
      let is_unreadable { Skipped.reason; _ } =
        match reason with Unreadable _ -> true | Not_regular | Binary -> false
      in
      let errors = List.map Result.error (List.filter is_unreadable skipped) in
      errors @ List.map Result.ok (Array.to_list files)
  | _ -> skip Not_regular
  | exception Unix.Unix_error (error, _, _) -> skip (Unreadable (Unix.error_message error))

let search_file is_match file =
  Result.bind file (fun ({ Tree.path; _ } as file) ->
      match Tree.read file with
      | Ok text -> Ok (path, search is_match text)
      | Error reason -> Error { Skipped.path; reason })

(** {1 The program} *)

let print options path found =
  let name = Printable.name path in
  if options.names_only then print_endline name
  else
    Array.iter
      (fun (number, line) ->
        if options.numbers then Printf.printf "%s:%d:%s\n" name number line
        else Printf.printf "%s:%s\n" name line)
      found

let work options pattern paths () =
  let is_match = matcher options pattern in
  let code = ref no_line in
  let report = function
    | Ok (_, [||]) | Error { Skipped.reason = Binary; _ } -> ()
    | Ok (path, found) ->
        if !code = no_line then code := some_line;
        print options path found
    | Error unreadable ->
        code := some_unreadable;
        Command_line.complain "grep" "%s" (Skipped.to_string unreadable)
  in
  let all = Seq.flat_map (fun path -> List.to_seq (files path)) (List.to_seq paths) in
  let search_all () =
    Weft.pipeline (Seq.to_dispenser all) Weft.Stage.(parallel (search_file is_match) >>> in_order report)
  in
  (* Lines are written as they are found. *)
  match Command_line.print search_all with
  | Ok () -> fun () -> !code
  | Error why -> Main.cannot "cannot write the result: %s" why

open Cmdliner

let term =
  let pattern =
    let doc =
      "What to look for: a regular expression of OCaml's library Str, with $(b,. * + ? ^ \\$), $(b,[a-z]), \
       $(b,\\\\|) for a choice and $(b,\\\\\\() $(b,\\\\\\)) around a group."
    in
    Arg.(required & pos 0 (some string) None & info [] ~docv:"PATTERN" ~doc)
  and paths =
    let doc = "A file, or a folder, of which all files are searched." in
    Arg.(value & pos_right 0 string [ "." ] & info [] ~docv:"PATH" ~doc)
  and flag names doc = Arg.(value & flag & info names ~doc) in
  let gather fixed ignore_case invert names_only numbers =
    { fixed; ignore_case; invert; names_only; numbers }
  in
  let options =
    Term.(
      const gather
      $ flag [ "F"; "fixed" ] "The pattern is the text itself, not a regular expression."
      $ flag [ "i"; "ignore-case" ] "Capital and small letters of ASCII are the same."
      $ flag [ "v"; "invert" ] "Look for the lines that do not match."
      $ flag [ "l"; "names" ] "Print the names of the files alone."
      $ flag [ "n"; "numbers" ] "Print the numbers of lines, too, from 1.")
  in
  Term.(const work $ options $ pattern $ paths)

let () =
  Main.run_with_code ~name:"grep" ~doc:"the lines that match a pattern"
    ~description:
      [
        "Prints all lines of the text files below the paths that match the pattern, each after the name of \
         its file. Files come in the order of the paths and, in a folder, of their names.";
        "Binary files (with a NUL byte in the first 8 KiB), pipes, sockets and devices in folders are passed \
         over; of links, those to files are followed. A file that cannot be read is named on standard error, \
         and the search goes on.";
      ]
    ~exits:
      [
        Cmd.Exit.info some_line ~doc:"if a line matched.";
        Cmd.Exit.info no_line ~doc:"if no line matched.";
        Cmd.Exit.info some_unreadable ~doc:"if a file could not be read, whether or not a line matched.";
      ]
    term
