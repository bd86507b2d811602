(* bfs: how far the nodes of a graph are from one of them, wave by wave. Some nodes have thousands of
   neighbours and most have a few: one loop runs over the wave and one over the neighbours of each node,
   and Weft balances the work. *)

open Breadth_first
open Console

let work scale degree seed start () =
  let nodes = 1 lsl scale in
  if start >= nodes then Main.cannot "no node %d; give --from a number below %d" start nodes;
  let graph = Graph.random ~seed ~scale ~edges:(degree * nodes) in
  let levels = Levels.from graph start in
  let deepest = Weft.Array.max Int.compare levels in
  (* The unreached nodes come first. *)
  let sizes = Weft.Array.histogram ~buckets:(deepest + 2) (fun level -> level - Levels.unreached) levels in
  let edges = Graph.edges graph in
  fun () ->
    Printf.printf "%s, %s\n" (Printable.counted nodes "node") (Printable.counted edges "edge");
    for level = 0 to deepest do
      Printf.printf "level %d: %s\n" level (Printable.counted sizes.(level - Levels.unreached) "node")
    done;
    Printf.printf "unreached: %s\n" (Printable.counted sizes.(0) "node")

open Cmdliner

let term =
  let number default low high name docv doc =
    Arg.(value & opt (Command_line.between low high) default & info [ name ] ~docv ~doc)
  in
  Term.(
    const work
    $ number 16 0 20 "scale" "N" "The graph has 2^$(docv) nodes."
    $ number 16 0 64 "degree" "N" "Draw $(docv) edges for each node; those that were there are dropped."
    $ number 1 0 1_000_000_000 "seed" "N" "Another $(docv), another graph."
    $ number 0 0 1_000_000_000 "from" "NODE" "Where to begin: a number from 0 to 2^N - 1.")

let () =
  Main.run ~name:"bfs" ~doc:"search a graph breadth first"
    ~description:
      [
        "Draws a graph in which a few nodes have very many neighbours, and prints how many nodes are how \
         many edges away from one of them.";
      ]
    term
