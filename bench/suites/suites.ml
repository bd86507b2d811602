let all =
  [
    Fib.benchmark;
    Dfs.benchmark;
    Skynet.benchmark;
    Nqueens.benchmark;
    Integrate.benchmark;
    Iota.benchmark;
    For_irregular.benchmark;
    Lu.benchmark;
    Matmul.benchmark;
    Matmul_rec.benchmark;
    Reduce.benchmark;
    Scan.benchmark;
    Primes.benchmark;
    Random_init.benchmark;
    Small_trees.benchmark;
  ]
  @ Short_loops.benchmarks @ Uts.benchmarks @ [ Metg.benchmark ] @ Spawn_await.benchmarks
  @ [ Independent_tasks.benchmark; Steal.benchmark ]
  @ Sort.benchmarks @ Array_functions.benchmarks @ Keys.benchmarks @ Book.benchmarks @ Channel.benchmarks
  @ Mutex_locks.benchmarks @ Mutex_sections.benchmarks @ Ping_pong.benchmarks
  @ [ Echo.benchmark; Wake.benchmark ] @ Timers.benchmarks @ Timers_busy.benchmarks @ Ready.benchmarks
  @ Fairness.benchmarks @ Select_channels.benchmarks

let large = Uts.large @ Data.benchmarks @ Array_orders.benchmarks @ Array_parts.benchmarks @ Keys.functions
