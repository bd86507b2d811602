(* Fibonacci numbers by two tasks per call: with a cutoff, and without. *)

module T = Domainslib.Task

let rec sequential n = if n < 2 then n else sequential (n - 1) + sequential (n - 2)

let rec parallel pool cutoff n =
  if n <= cutoff then sequential n
  else
    let a = T.async pool (fun () -> parallel pool cutoff (n - 1)) in
    let b = T.async pool (fun () -> parallel pool cutoff (n - 2)) in
    T.await pool a + T.await pool b

(* One task per call, the other half in the calling one. *)
let rec half pool n =
  if n < 2 then n
  else
    let a = T.async pool (fun () -> half pool (n - 1)) in
    let b = half pool (n - 2) in
    T.await pool a + b

(* Both tasks, the elder awaited first. *)
let rec in_order pool n =
  if n < 2 then n
  else
    let a = T.async pool (fun () -> in_order pool (n - 1)) in
    let b = T.async pool (fun () -> in_order pool (n - 2)) in
    let a = T.await pool a in
    a + T.await pool b

let with_pool ~domains f =
  let pool = T.setup_pool ~num_domains:(domains - 1) () in
  let result = T.run pool (fun () -> f pool) in
  T.teardown_pool pool;
  result

let with_cutoff ~domains ~size =
  Printf.printf "fib %d = %d\n" size (with_pool ~domains (fun pool -> parallel pool 20 size))

let fine ~domains ~size =
  Printf.printf "fib %d = %d\n" size (with_pool ~domains (fun pool -> parallel pool 1 size))

let fine_halves ~domains ~size =
  Printf.printf "fib %d = %d\n" size (with_pool ~domains (fun pool -> half pool size))

let fine_in_order ~domains ~size =
  Printf.printf "fib %d = %d\n" size (with_pool ~domains (fun pool -> in_order pool size))
