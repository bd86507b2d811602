(* binary_trees: makes trees, counts their nodes, and throws them away. It forks at every node, without a
   cutoff; most of the time goes to the garbage collector. *)

open Console

type tree = Leaf | Node of tree * tree

let rec make depth =
  if depth = 0 then Node (Leaf, Leaf)
  else
    let left, right = Weft.par (fun () -> make (depth - 1)) (fun () -> make (depth - 1)) in
    Node (left, right)

let rec nodes = function
  | Leaf -> 0
  | Node (left, right) ->
      let left, right = Weft.par (fun () -> nodes left) (fun () -> nodes right) in
      1 + left + right

let least = 4

(* The deeper the trees, the fewer are made. *)
let row ~depth of_depth =
  let trees = 1 lsl (depth - of_depth + least) in
  let total =
    Weft.parallel_for_reduce ~start:1 ~finish:trees ~body:(fun _ -> nodes (make of_depth)) ( + ) 0
  in
  (trees, of_depth, total)

let work depth () =
  let long_lived = make depth in
  let of_depths = List.init (((max depth least - least) / 2) + 1) (fun i -> least + (2 * i)) in
  let rows = Weft.List.map (fun of_depth -> row ~depth:(max depth least) of_depth) of_depths in
  (* This tree has outlived all others. *)
  let kept = nodes long_lived in
  fun () ->
    let print (trees, of_depth, total) =
      Printf.printf "%d trees of depth %d: %s\n" trees of_depth (Printable.counted total "node")
    in
    List.iter print rows;
    Printf.printf "a long-lived tree of depth %d: %s\n" depth (Printable.counted kept "node")

open Cmdliner

let term =
  let depth =
    let doc = "The depth of the deepest tree. Its nodes take 24 bytes each; there are 2^(N+1) - 1." in
    Arg.(value & opt (Command_line.between 0 24) 16 & info [ "depth" ] ~docv:"N" ~doc)
  in
  Term.(const work $ depth)

let () =
  Main.run ~name:"binary_trees" ~doc:"make trees and throw them away"
    ~description:
      [ "Makes many binary trees, of depth 4 and more, and counts their nodes, while a large one is kept." ]
    term
