(* floyd_warshall: the distances from every place to every other, along one-way roads. For each place in
   turn, one loop runs over the rows of a matrix. *)

open Console

let work nodes roads seed () =
  let distances = Shortest_paths.random_roads ~seed ~nodes ~roads in
  Shortest_paths.complete distances;
  let paths row = Weft.Floatarray.count (fun d -> 0. < d && d < infinity) row
  and longest row =
    Weft.Floatarray.fold ~combine:Float.max (fun m d -> if d < infinity then Float.max m d else m) 0. row
  in
  let connected = Weft.Array.map_reduce paths ( + ) 0 distances
  and longest = Weft.Array.map_reduce longest Float.max 0. distances in
  fun () ->
    Printf.printf "%s: %s of %s joined, the longest distance is %.0f\n" (Printable.counted nodes "place")
      (Printable.number connected)
      (Printable.counted (nodes * (nodes - 1)) "pair")
      longest

open Cmdliner

let term =
  let number default low high name doc =
    Arg.(value & opt (Command_line.between low high) default & info [ name ] ~docv:"N" ~doc)
  in
  Term.(
    const work
    $ number 500 1 5_000 "places" "Take $(docv) places."
    $ number 4 0 5_000 "roads" "Build about $(docv) roads from each."
    $ number 1 0 1_000_000_000 "seed" "Another $(docv), other roads.")

let () =
  Main.run ~name:"floyd_warshall" ~doc:"shortest paths between all places"
    ~description:
      [
        "Draws places and one-way roads between them, and finds by the method of Floyd and Warshall how far \
         it is from each place to each other.";
      ]
    term
