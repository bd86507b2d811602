let all =
  [
    Fib.benchmark;
    Nqueens.benchmark;
    Iota.benchmark;
    For_irregular.benchmark;
    Lu.benchmark;
    Matmul.benchmark;
    Matmul_rec.benchmark;
    Reduce.benchmark;
    Scan.benchmark;
    Primes.benchmark;
    Random_init.benchmark;
  ]
  @ Sort.benchmarks
