(* life: Conway's game of life in the terminal. A generation is one [Weft.Array.init] over the cells of the
   one before. *)

open Console
open Game_of_life

let heading generation board = Printf.sprintf "generation %d: %d alive" generation (Board.population board)
let rows board = List.init board.Board.height (Board.row board)

(** {1 Plain text} *)

let print ~last board =
  let rec from generation board =
    print_endline (heading generation board);
    List.iter print_endline (rows board);
    if generation < last then begin
      print_newline ();
      from (generation + 1) (Board.step board)
    end
  in
  from 0 board

(** {1 Animated} *)

(* Two characters make a cell that is about as wide as high. *)
let picture board =
  let cell = function '#' -> "##" | _ -> "  " in
  List.map (fun row -> String.concat "" (List.map cell (List.of_seq (String.to_seq row)))) (rows board)

let animate ?last ~delay board =
  let seen = ref (heading 0 board) in
  let rec from generation board =
    seen := heading generation board;
    (* The heading may be shorter than the last one: the rest of that is erased. *)
    Screen.draw ((!seen ^ "\x1b[K") :: picture board);
    if Some generation <> last then begin
      Weft.sleep delay;
      from (generation + 1) (Board.step board)
    end
  in
  Screen.during (fun () -> from 0 board);
  print_endline !seen

(** {1 The program} *)

let work name width height generations delay seed plain () =
  let pattern = List.assoc name Pattern.named in
  let columns, lines = Pattern.size pattern in
  if width < columns || height < lines then
    Main.cannot "%s needs a board of %d x %d cells: make --width and --height at least that" name columns
      lines;
  let board = Pattern.board pattern ~width ~height ~seed in
  let show () =
    if Screen.is_terminal () && not plain then animate ?last:generations ~delay board
    else print ~last:(Option.value generations ~default:20) board
  in
  (* The program prints while it computes, and may never end. *)
  match Command_line.print show with
  | Ok () -> Fun.id
  | Error why -> Main.cannot "cannot write the result: %s" why

open Cmdliner

let term =
  let size = Command_line.between 1 10_000 in
  let pattern =
    let names = List.map (fun (name, _) -> (name, name)) Pattern.named in
    let doc = Printf.sprintf "What to begin with: $(docv) is %s." (Arg.doc_alts_enum names) in
    Arg.(value & opt (enum names) "r-pentomino" & info [ "pattern" ] ~docv:"PATTERN" ~doc)
  and width = Arg.(value & opt size 40 & info [ "width" ] ~docv:"N" ~doc:"Cells from left to right.")
  and height = Arg.(value & opt size 22 & info [ "height" ] ~docv:"N" ~doc:"Cells from top to bottom.")
  and generations =
    let doc =
      "Stop after $(docv) generations. Without this, the animation goes on until Ctrl-C, and 20 generations \
       are printed as text."
    in
    Arg.(value & opt (some (Command_line.at_least 0)) None & info [ "generations" ] ~docv:"N" ~doc)
  and delay =
    let doc = "Wait so long after each generation of the animation." in
    Arg.(value & opt Command_line.seconds 0.1 & info [ "delay" ] ~docv:"SECONDS" ~doc)
  and seed =
    Arg.(
      value
      & opt (Command_line.at_least 0) 1
      & info [ "seed" ] ~docv:"N" ~doc:"Another $(docv), other random cells.")
  and plain = Arg.(value & flag & info [ "plain" ] ~doc:"Print text, to a terminal too.") in
  Term.(const work $ pattern $ width $ height $ generations $ delay $ seed $ plain)

let () =
  Main.run ~name:"life" ~doc:"Conway's game of life"
    ~description:
      [
        "Shows the generations of a board whose opposite edges touch: as an animation on a terminal, as text \
         elsewhere. Ctrl-C ends the animation, and the last heading remains.";
        "Try $(b,--pattern gun --width 60 --height 40).";
      ]
    term
