open Weft_bench_harness
open Weft_bench_contestants

let in_a_run = 2_000_000

let again_and_again fib (times, n) =
  let sum = ref 0 in
  for _ = 1 to times do
    sum := !sum + fib n
  done;
  !sum

let way (contestant : Contestant.t) fib : Benchmark.way =
  let work ({ size; _ } : Benchmark.params) =
    let times = in_a_run / (1 + Fib.forks size) in
    Some
      (Benchmark.Work
         {
           prepare = (fun () -> (times, size));
           compute = again_and_again fib;
           check = Benchmark.int_check ~expected:(times * Fib.value size);
           forks = (if Contestant.is_plain contestant.role then None else Some (times * Fib.forks size));
           figures =
             (fun ~seconds _ ->
               [ { Figure.title = "ns/tree"; value = seconds *. 1e9 /. float_of_int times } ]);
         })
  in
  { contestant; work }

let sizes = [ 10; 12; 14; 16; 18; 20 ]

let benchmark : Benchmark.t =
  {
    (Operations.benchmark ~name:"small_trees"
       ~doc:"small Fibonacci numbers by two recursive calls, again and again" ~size_doc:"the number's index"
       ~default_size:(List.hd sizes)
       [ way Plain.contestant Fib.sequential; way Weft_pool.par Fib.par; way Weft_pool.async Fib.async ])
    with
    sizes = (0, 26);
    more_sizes = List.tl sizes;
    quick_size = Fun.const 14;
    sweep_sizes = sizes;
  }
