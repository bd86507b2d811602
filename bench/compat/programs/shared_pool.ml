(* A pool that is used again and again; another domain's; runs inside runs; pools made and ended. *)

open Domainslib

let sum pool n = Task.parallel_for_reduce pool ( + ) 0 ~start:1 ~finish:n ~body:Fun.id

let run ~domains ~size =
  let pool = Task.setup_pool ~num_domains:(domains - 1) () in
  let own = Task.run pool (fun () -> sum pool size) in
  let elsewhere =
    Domain.join
      (Domain.spawn (fun () ->
           let pool = Task.setup_pool ~num_domains:(domains - 1) () in
           let result = Task.run pool (fun () -> sum pool (size + 1)) in
           Task.teardown_pool pool;
           result))
  in
  Printf.printf "own %d, elsewhere %d\n" own elsewhere;
  let inner =
    Task.run pool (fun () -> 1 + Task.run pool (fun () -> 1 + Task.run pool (fun () -> sum pool 10)))
  in
  Printf.printf "runs in runs: %d\n" inner;
  (* Started outside, awaited inside. *)
  let promises = List.init 20 (fun i -> Task.async pool (fun () -> i * i)) in
  let squares = Task.run pool (fun () -> List.map (Task.await pool) promises) in
  Printf.printf "squares: %d\n" (List.fold_left ( + ) 0 squares);
  Task.teardown_pool pool;
  let total = ref 0 in
  for n = 1 to 10 do
    let pool = Task.setup_pool ~num_domains:(n mod 3) () in
    total := !total + Task.run pool (fun () -> sum pool n);
    Task.teardown_pool pool
  done;
  Printf.printf "again and again: %d\n" !total
