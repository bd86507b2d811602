(* nbody: bodies, all of which attract each other. A step is one parallel map, from the present bodies to
   the next ones: nothing is changed in place, and no two tasks add to the same sum. *)

open Gravity
open Console

let rec repeat n f x = if n = 0 then x else repeat (n - 1) f (f x)

let work bodies seed steps () =
  let system, dt =
    match bodies with None -> (Planets.system (), 0.01) | Some n -> (System.cluster ~seed n, 0.001)
  in
  let before = System.energy system in
  let after = System.energy (repeat steps (System.step dt) system) in
  fun () ->
    Printf.printf "bodies: %d\n" (Array.length system.bodies);
    Printf.printf "energy: %.9f\n" before;
    Printf.printf "energy after %s: %.9f\n" (Printable.counted steps "step") after

open Cmdliner

let term =
  let bodies =
    let doc = "Draw $(docv) bodies. Without it, they are the sun and its four large planets." in
    Arg.(value & opt (some (Command_line.between 1 100_000)) None & info [ "bodies" ] ~docv:"N" ~doc)
  and seed =
    Arg.(
      value
      & opt (Command_line.at_least 0) 1
      & info [ "seed" ] ~docv:"N" ~doc:"Another $(docv), other bodies.")
  and steps =
    let doc =
      "Move them $(docv) times: the planets by a hundredth of a year, drawn bodies by a thousandth of a unit \
       of time."
    in
    Arg.(value & opt (Command_line.at_least 0) 1000 & info [ "steps" ] ~docv:"N" ~doc)
  in
  Term.(const work $ bodies $ seed $ steps)

let () =
  Main.run ~name:"nbody" ~doc:"bodies that attract each other"
    ~description:
      [
        "Moves bodies under their gravity, and prints their energy before and after, which should be nearly \
         the same.";
        "$(b,nbody --bodies 1000 --steps 100) is a cluster of stars.";
      ]
    term
