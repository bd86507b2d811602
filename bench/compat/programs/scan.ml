(* Prefix sums: of numbers, and of something that must not be turned round. *)

open Domainslib

(* Affine functions x -> ax + b modulo a prime, composed: associative, not commutative. *)
let prime = 1_000_003
let compose (a, b) (c, d) = (a * c mod prime, ((b * c) + d) mod prime)

let run ~domains ~size =
  let numbers = Array.init size (fun i -> i * 7919 land 1023) in
  let maps = Array.init size (fun i -> (1 + (i mod 1000), i mod 77)) in
  let pool = Task.setup_pool ~num_domains:(domains - 1) () in
  let sums, composed =
    Task.run pool (fun () -> (Task.parallel_scan pool ( + ) numbers, Task.parallel_scan pool compose maps))
  in
  let small =
    Task.run pool (fun () -> List.init 4 (fun n -> Task.parallel_scan pool ( ^ ) (Array.make n "a")))
  in
  Task.teardown_pool pool;
  let a, b = composed.(size - 1) and c, d = composed.(size / 3) in
  Printf.printf "scan of %d: %d, %d; (%d, %d), (%d, %d)\n" size sums.(size / 2) sums.(size - 1) a b c d;
  List.iter (fun a -> Printf.printf "[%s]\n" (String.concat " " (Array.to_list a))) small
