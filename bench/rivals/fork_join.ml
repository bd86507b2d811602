open Weft_bench_harness
open Weft_bench_suites

module type Programs = sig
  type pool

  val fib : pool -> int -> int
  val fib_to : int -> pool -> int -> int
  val solve : pool -> int -> int -> int -> int list -> int
end

module By_par (R : Entered.S) : Programs with type pool = R.pool = struct
  type pool = R.pool

  let rec fib pool n =
    if n < 2 then n
    else
      let a, b = R.par pool (fun () -> fib pool (n - 1)) (fun () -> fib pool (n - 2)) in
      a + b

  let rec fib_to cutoff pool n =
    if n <= cutoff then Fib.sequential n
    else
      let a, b = R.par pool (fun () -> fib_to cutoff pool (n - 1)) (fun () -> fib_to cutoff pool (n - 2)) in
      a + b

  let rec solve pool cutoff n rows board =
    if rows <= cutoff then Nqueens.solve n rows board else from pool cutoff n rows board 0

  and from pool cutoff n rows board col =
    let col = Nqueens.next_safe n board col in
    if col = n then 0
    else
      let here, right =
        R.par pool
          (fun () -> solve pool cutoff n (rows - 1) (col :: board))
          (fun () -> from pool cutoff n rows board (col + 1))
      in
      here + right
end

module By_async (R : Entered.S) : Programs with type pool = R.pool = struct
  type pool = R.pool

  let rec fib pool n =
    if n < 2 then n
    else
      let a = R.async pool (fun () -> fib pool (n - 1)) in
      let b = fib pool (n - 2) in
      R.await pool a + b

  let rec fib_to cutoff pool n =
    if n <= cutoff then Fib.sequential n
    else
      let a = R.async pool (fun () -> fib_to cutoff pool (n - 1)) in
      let b = fib_to cutoff pool (n - 2) in
      R.await pool a + b

  let rec solve pool cutoff n rows board =
    if rows <= cutoff then Nqueens.solve n rows board else from pool cutoff n rows board 0

  and from pool cutoff n rows board col =
    let col = Nqueens.next_safe n board col in
    if col = n then 0
    else
      let here = R.async pool (fun () -> solve pool cutoff n (rows - 1) (col :: board)) in
      let right = from pool cutoff n rows board (col + 1) in
      R.await pool here + right
end

module Make (R : Entered.S) = struct
  module By_par = By_par (R)
  module By_async = By_async (R)

  module Programs =
    (val match R.forks_by with `Par -> (module By_par) | `Async -> (module By_async)
        : Programs with type pool = R.pool)

  let fib_work : Benchmark.params -> Benchmark.work option = function
    | { size; cutoff = None; _ } ->
        Fib.work size ~forks:(Fib.forks size) (fun n -> Programs.fib (R.here ()) n)
    | { size; cutoff = Some cutoff; _ } -> Fib.work size (fun n -> Programs.fib_to cutoff (R.here ()) n)

  let nqueens_work ({ size; cutoff; _ } : Benchmark.params) =
    Nqueens.work size (fun n -> Programs.solve (R.here ()) (Nqueens.rows_to_cut cutoff) n n [])

  let fib = Programs.fib

  let ways =
    let way work : Benchmark.way = { contestant = R.contestant; work } in
    let spawn f = R.async (R.here ()) f and await p = R.await (R.here ()) p in
    [
      ("fib", way fib_work);
      ("nqueens", way nqueens_work);
      ("small_trees", Small_trees.way R.contestant (fun n -> Programs.fib (R.here ()) n));
      ("independent_tasks", Independent_tasks.by R.contestant ~spawn ~await);
    ]
    @ Spawn_await.by R.contestant ~spawn ~await
end
