open Weft_bench_harness
open Weft_bench_suites

module Make (R : Entered.S) = struct
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

  (* {1 The ways} *)

  let fib_work : Benchmark.params -> Benchmark.work option = function
    | { size; cutoff = None; _ } -> Fib.work size ~forks:(Fib.forks size) (fun n -> fib (R.here ()) n)
    | { size; cutoff = Some cutoff; _ } -> Fib.work size (fun n -> fib_to cutoff (R.here ()) n)

  let nqueens_work ({ size; cutoff; _ } : Benchmark.params) =
    Nqueens.work size (fun n -> solve (R.here ()) (Nqueens.rows_to_cut cutoff) n n [])

  let ways =
    let way work : Benchmark.way = { contestant = R.contestant; work } in
    [ ("fib", way fib_work); ("nqueens", way nqueens_work) ]
end
