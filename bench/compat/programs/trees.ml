(* Binary trees that are made and walked by tasks: nothing but allocation. *)

open Domainslib

type tree = Leaf | Node of tree * tree

let rec make depth = if depth = 0 then Leaf else Node (make (depth - 1), make (depth - 1))
let rec count = function Leaf -> 1 | Node (l, r) -> 1 + count l + count r

let run ~domains ~size =
  let pool = Task.setup_pool ~num_domains:(domains - 1) () in
  let depth_of i = 4 + (2 * i) in
  let trees depth =
    let n = 1 lsl (size - depth) in
    let body _ = count (make depth) in
    (n, Task.parallel_for_reduce ~start:1 ~finish:n ~body pool ( + ) 0)
  in
  let rows =
    Task.run pool (fun () ->
        let tasks = List.init ((size - 2) / 2) (fun i -> Task.async pool (fun () -> trees (depth_of i))) in
        List.mapi (fun i task -> (depth_of i, Task.await pool task)) tasks)
  in
  Task.teardown_pool pool;
  List.iter (fun (depth, (n, nodes)) -> Printf.printf "%d trees of depth %d: %d nodes\n" n depth nodes) rows
