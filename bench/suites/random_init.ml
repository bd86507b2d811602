open Weft_bench_harness

let times = 5
let seed = 2014

let program (for_ : Ways.for_) (a : float array) =
  let g = Weft.Random.make seed in
  for _ = 1 to times do
    for_ ~start:0 ~finish:(Array.length a - 1) ~body:(fun i -> a.(i) <- Weft.Random.float_at g i 1.)
  done;
  a

let in_place (a : float array) =
  let g = Weft.Random.make seed in
  for _ = 1 to times do
    for i = 0 to Array.length a - 1 do
      a.(i) <- Weft.Random.float_at g i 1.
    done
  done;
  a

let problem size : (float array, float array) Ways.problem =
  {
    prepare = (fun () -> Array.make size 0.);
    check =
      (fun a ->
        let g = Weft.Random.make seed in
        Checks.floats ~length:size ~expected:(fun i -> Weft.Random.float_at g i 1.) a);
  }

let benchmark : Benchmark.t =
  {
    name = "random_init";
    group = None;
    doc =
      Printf.sprintf "a loop that writes a random number into every element of a float array, %d times" times;
    size_doc = "the number of elements";
    grain = Chunk Ways.chunk_doc;
    sizes = (0, 100_000_000);
    default_cutoffs = [ None ];
    default_size = (fun _ -> 10_000_000);
    more_sizes = [];
    quick_size = (fun _ -> 500_000);
    sweep_cutoffs = Benchmark.chunks;
    sweep_sizes = Benchmark.tenths 10_000_000;
    paced = false;
    ways = Ways.of_loops problem ~program ~in_place;
  }
