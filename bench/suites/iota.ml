open Weft_bench_harness

let times = 100

(* Each loop writes other values, so that the check would notice values left from the loop before. *)

let program (for_ : Ways.for_) (a : int array) =
  for time = 1 to times do
    for_ ~start:0 ~finish:(Array.length a - 1) ~body:(fun i -> a.(i) <- i + time)
  done;
  a

let in_place (a : int array) =
  for time = 1 to times do
    for i = 0 to Array.length a - 1 do
      a.(i) <- i + time
    done
  done;
  a

let problem size : (int array, int array) Ways.problem =
  { prepare = (fun () -> Array.make size 0); check = Checks.ints ~length:size ~expected:(fun i -> i + times) }

let loop = Ways.Loop (problem, program)

let benchmark : Benchmark.t =
  {
    name = "iota";
    group = None;
    doc = Printf.sprintf "a loop that writes a number into every element of an array, %d times" times;
    size_doc = "the number of elements";
    grain = Chunk Ways.chunk_doc;
    sizes = (0, 100_000_000);
    default_cutoffs = [ None ];
    default_size = (fun _ -> 2_000_000);
    more_sizes = [];
    quick_size = (fun _ -> 100_000);
    sweep_cutoffs = Benchmark.chunks;
    sweep_sizes = Benchmark.tenths 2_000_000;
    paced = false;
    ways = Ways.of_loops problem ~program ~in_place;
  }
