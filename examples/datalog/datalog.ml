(* datalog [FILE]: answers the queries of a Datalog program. *)

open Weft_containers
open Console

let complain format = Command_line.complain "datalog" format

(* The exit codes; [--help] explains them. *)
let all_answered = 0
let cannot_do = 1

(** {1 Output} *)

let query_to_string (query : Datalog.query) =
  String.concat ", " (List.map Datalog.literal_to_string query.body) ^ "?"

let sorted answers =
  let compare_rows a b = List.compare Datalog.compare_values (Array.to_list a) (Array.to_list b) in
  List.sort compare_rows (Array.to_list (Datalog.rows answers))

let print_row variables row =
  let binding x value = Printf.sprintf "%s = %s" x (Datalog.value_to_string value) in
  print_string ("  " ^ String.concat ", " (Array.to_list (Array.map2 binding variables row)) ^ "\n")

let print_answers query (answers : Datalog.answers) =
  print_string (query_to_string query ^ "\n");
  if answers.variables = [||] then print_string (if answers.count = 0 then "  no\n" else "  yes\n")
  else if answers.count = 0 then print_string "  none\n"
  else List.iter (print_row answers.variables) (sorted answers)

(** {1 The program} *)

(* Evaluation and queries run in parallel; the output does not depend on that. *)
let answer text ~domains =
  Weft.run ?domains (fun () ->
      let program = Datalog.parse text in
      let db = Weft_batch.Datalog.create program in
      let answers = Weft_batch.Datalog.query_all db (Array.of_list program.queries) in
      List.combine program.queries (Array.to_list answers))

let run_on name text domains =
  match answer text ~domains with
  | answers -> (
      match Command_line.print (fun () -> List.iter (fun (q, a) -> print_answers q a) answers) with
      | Ok () -> all_answered
      | Error message ->
          complain "cannot write the answers: %s" message;
          cannot_do)
  | exception Datalog.Error e ->
      complain "%s: %s" name (Printable.name (Datalog.error_message e));
      cannot_do

let run file domains =
  match Command_line.read file with
  | name, text -> run_on name text domains
  | exception Sys_error message ->
      complain "%s" message;
      cannot_do

(** {1 The command line} *)

open Cmdliner

let file =
  let doc = "The program to read; without it, standard input." in
  Arg.(value & pos 0 (some string) None & info [] ~docv:"FILE" ~doc)

let command =
  let man =
    [
      `S Manpage.s_description;
      `P
        "Reads facts, rules and queries, and prints the answers to each query, in order. A query without \
         variables is answered by yes or no.";
      `Pre
        "  edge(a, b). edge(b, c).                     % facts\n\
        \  path(X, Y) :- edge(X, Y).                   % rules\n\
        \  path(X, Z) :- edge(X, Y), path(Y, Z).\n\
        \  path(a, X), X != b, not edge(a, X)?         % a query";
    ]
  and exits =
    Cmd.Exit.
      [
        info all_answered ~doc:"if all queries were answered, whether there are answers or not.";
        info cannot_do
          ~doc:
            "if $(i,FILE) cannot be read or is no Datalog program (the message has the line and the column), \
             or the answers cannot be written.";
        info Cmd.Exit.cli_error ~doc:"if the command line is wrong.";
        info Cmd.Exit.internal_error ~doc:"on an unexpected error, which is a bug.";
      ]
  in
  Cmd.v
    (Cmd.info "datalog" ~doc:"answers the queries of a Datalog program" ~man ~exits)
    Term.(const run $ file $ Command_line.domains)

let () = exit (Cmd.eval' command)
