(* A pool without domains of its own: everything happens in the calling domain. *)

open Domainslib

let run ~domains:_ ~size =
  let pool = Task.setup_pool ~num_domains:0 () in
  Printf.printf "domains: %d\n" (Task.get_num_domains pool);
  let me = Domain.self () in
  let elsewhere = ref 0 and count = ref 0 in
  (* No atomics: nobody else is there. *)
  let body _ =
    if Domain.self () <> me then incr elsewhere;
    incr count
  in
  Task.run pool (fun () -> Task.parallel_for pool ~start:1 ~finish:size ~body);
  Printf.printf "loop: %d, elsewhere %d\n" !count !elsewhere;
  let early = List.init 3 (fun _ -> Task.async pool body) in
  Unix.sleepf 0.02;
  Printf.printf "before run: %d\n" (!count - size);
  Task.run pool (fun () -> List.iter (Task.await pool) early);
  Printf.printf "tasks: %d, elsewhere %d\n" !count !elsewhere;
  let rec fib n =
    if n < 2 then n
    else
      let a = Task.async pool (fun () -> fib (n - 1)) in
      let b = fib (n - 2) in
      Task.await pool a + b
  in
  Printf.printf "fib: %d\n" (Task.run pool (fun () -> fib 15));
  Task.teardown_pool pool
