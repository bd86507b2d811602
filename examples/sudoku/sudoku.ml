(* sudoku: solves a puzzle by trying. Each branch of the search is a search itself, and all may run in
   parallel; the first solution ends them. One [Weft.parallel_find] does all of this, in puzzle.ml. *)

open Console
open Sudoku_puzzle

(* The exit codes; [--help] explains them. *)
let solved = 0
let unsolvable = 1

let work file () =
  let name, text = Command_line.read file in
  match Puzzle.of_string text with
  | Error why -> Main.cannot "%s: %s" name why
  | Ok puzzle -> (
      match Puzzle.solve puzzle with
      | Some solution ->
          fun () ->
            print_string (Puzzle.to_string solution);
            solved
      | None ->
          fun () ->
            Command_line.complain "sudoku" "%s: the puzzle has no solution" name;
            unsolvable)

open Cmdliner

let term =
  let file =
    let doc = "The file with the puzzle. Without it, the puzzle is read from standard input." in
    Arg.(value & pos 0 (some string) None & info [] ~docv:"FILE" ~doc)
  in
  Term.(const work $ file)

let () =
  Main.run_with_code ~name:"sudoku" ~doc:"solve a sudoku"
    ~description:
      [
        "Reads 81 cells, row after row: the digits 1 to 9, and $(b,.) or $(b,0) for an empty one. Spaces, \
         line ends and frames of $(b,|), $(b,-) and $(b,+) do not count.";
        "If there are several solutions, one of them is printed, not always the same one.";
      ]
    ~exits:
      [
        Cmd.Exit.info solved ~doc:"if the puzzle was solved.";
        Cmd.Exit.info unsolvable ~doc:"if it has no solution.";
      ]
    term
