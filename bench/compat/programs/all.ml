type t = { name : string; run : domains:int -> size:int -> unit; small : int; measured : int option }

let program ?measured name run small = { name; run; small; measured }

let all =
  [
    program "fib" Fib.with_cutoff 25 ~measured:41;
    program "fib_fine" Fib.fine 15 ~measured:32;
    program "fib_fine_halves" Fib.fine_halves 15 ~measured:33;
    program "fib_fine_in_order" Fib.fine_in_order 15 ~measured:32;
    program "queens" Queens.run 8 ~measured:13;
    program "sorting" Sorting.run 20_000 ~measured:1_500_000;
    program "throughput" Throughput.run 2_000 ~measured:1_000_000;
    program "loops" Loops.default 10_000 ~measured:25_000_000;
    program "loops_chunk_4" Loops.chunk_4 10_000 ~measured:2_000_000;
    program "loops_uneven" Loops.uneven 10_000 ~measured:1_200_000;
    program "loops_nested" Loops.nested 40 ~measured:1_000;
    program "spectral_norm" Spectral_norm.run 100 ~measured:2_200;
    program "mandelbrot" Mandelbrot.run 64 ~measured:1_700;
    program "lu" Lu.run 60 ~measured:1_200;
    program "life" Life.run 48 ~measured:700;
    program "nbody" Nbody.run 60 ~measured:3_200;
    program "scan" Scan.run 5_000 ~measured:6_000_000;
    program "matrix_product" Matrix.product 60 ~measured:800;
    program "shortest_paths" Matrix.paths 60 ~measured:900;
    program "trees" Trees.run 12 ~measured:22;
    program "pi" Pi.run 50_000 ~measured:50_000_000;
    program "primes" Primes.run 10_000 ~measured:4_000_000;
    program "distribution" Distribution.run 500 ~measured:250_000;
    program "channels" Channels.run 400;
    program "pipeline" Pipeline.run 500;
    program "named_pools" Named_pools.run 1_000;
    program "shared_pool" Shared_pool.run 5_000;
    program "empty_pool" Empty_pool.run 500;
    program "exceptions" Exceptions.run 200;
    program "unfinished" Unfinished.run 1_000;
    program "finding" Finding.run 10_000;
  ]
