(* Pi by a sum of floats, and by points from a generator that each index has for itself. *)

open Domainslib

let scramble n =
  let n = n * 0x9E3779B97F4A7C1 in
  let n = n lxor (n lsr 31) * 0x3F58476D1CE4E5B in
  n lxor (n lsr 29) land 0xFFFFFF

let run ~domains ~size =
  let pool = Task.setup_pool ~num_domains:(domains - 1) () in
  let series, hits =
    Task.run pool (fun () ->
        let term i =
          let x = (float i -. 0.5) /. float size in
          4. /. (1. +. (x *. x))
        in
        let series = Task.parallel_for_reduce pool ( +. ) 0. ~start:1 ~finish:size ~body:term in
        let hit i =
          let x = float (scramble (2 * i)) /. 16777215. and y = float (scramble ((2 * i) + 1)) /. 16777215. in
          if (x *. x) +. (y *. y) <= 1. then 1 else 0
        in
        (series /. float size, Task.parallel_for_reduce pool ( + ) 0 ~start:1 ~finish:size ~body:hit))
  in
  Task.teardown_pool pool;
  Printf.printf "pi: %.6f by a series, %d hits of %d\n" series hits size
