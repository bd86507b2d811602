open Weft_bench_harness

let period = 30
let argument i = 10 + ((((i - 10) mod period) + period) mod period)
let rec fib n = if n < 2 then n else fib (n - 1) + fib (n - 2)

(* Iteration [i] writes element [i - 1], so the iterations share no data. *)

let program (for_ : Ways.for_) (results : int array) =
  for_ ~start:1 ~finish:(Array.length results) ~body:(fun i -> results.(i - 1) <- fib (argument i));
  results

let in_place (results : int array) =
  for i = 1 to Array.length results do
    results.(i - 1) <- fib (argument i)
  done;
  results

let sum = Array.fold_left ( + ) 0

let problem size : (int array, int) Ways.problem =
  let expected = sum (Array.init size (fun k -> Fib.value (argument (k + 1)))) in
  { prepare = (fun () -> Array.make size 0); check = Benchmark.int_check ~expected }

let loop = Ways.Loop (problem, fun for_ results -> sum (program for_ results))

let benchmark : Benchmark.t =
  {
    name = "for_irregular";
    group = None;
    doc = "a loop over fib 10 to fib 39, again and again: many short iterations, few long ones, side by side";
    size_doc = "the number of iterations";
    grain = Chunk Ways.chunk_doc;
    sizes = (0, 10_000);
    default_cutoffs = [ None ];
    default_size = (fun _ -> 2 * period);
    more_sizes = [];
    quick_size = (fun _ -> 3);
    sweep_cutoffs = [ 1; 2; 4; 8; 16; 32 ];
    sweep_sizes = [ 30; 60; 120 ];
    paced = false;
    ways =
      Ways.of_loops problem
        ~program:(fun for_ results -> sum (program for_ results))
        ~in_place:(fun results -> sum (in_place results));
  }
