open Weft_bench_harness
open Weft_bench_contestants

(* 1, 2, 3, ...: each partial sum is a whole number below 2^53, so the sum is exact in any order. *)
let make size =
  let a = Array.create_float size in
  for i = 0 to size - 1 do
    a.(i) <- float_of_int (i + 1)
  done;
  a

type reduction = start:int -> finish:int -> body:(int -> float) -> (float -> float -> float) -> float -> float

let program (reduce : reduction) (a : float array) =
  reduce ~start:0 ~finish:(Array.length a - 1) ~body:(fun i -> a.(i)) ( +. ) 0.

let sum (a : float array) first last =
  let sum = ref 0. in
  for i = first to last do
    sum := !sum +. a.(i)
  done;
  !sum

let in_place a = sum a 0 (Array.length a - 1)

let by_blocks a =
  Weft.parallel_for_reduce_blocks ~start:0 ~finish:(Array.length a - 1) ~body:(sum a) ( +. ) 0.

let by_domains ~domains ~start ~finish ~body combine init =
  let part start finish = Plain.reduce ~start ~finish ~body combine init in
  List.fold_left combine init (Domain_spawn.map_ranges ~domains ~start ~finish part)

let problem size : (float array, float) Ways.problem =
  let expected = float_of_int (size * (size + 1) / 2) in
  let check sum =
    if Checks.same_bits expected sum then Ok ()
    else Error { Benchmark.expected = Checks.show_float expected; got = Checks.show_float sum }
  in
  { prepare = (fun () -> make size); check }

let by contestant reduce = Ways.way contestant problem (fun params -> Some (program (reduce params)))

let benchmark : Benchmark.t =
  {
    name = "reduce";
    group = None;
    doc = "sum of the elements of a float array";
    size_doc = "the number of elements, of 8 bytes";
    grain = Chunk Ways.chunk_doc;
    sizes = (0, 100_000_000);
    default_cutoffs = [ None ];
    default_size = (fun _ -> 100_000_000);
    more_sizes = [];
    quick_size = (fun _ -> 2_000_000);
    sweep_cutoffs = Benchmark.chunks;
    sweep_sizes = Benchmark.tenths 100_000_000;
    paced = false;
    ways =
      [
        Ways.way Plain.contestant problem (fun _ -> Some (program Plain.reduce));
        Ways.way Plain.in_place problem (fun _ -> Some in_place);
        Ways.way Weft_pool.loop problem (fun { cutoff; _ } ->
            Some (program (fun ~start ~finish -> Weft.parallel_for_reduce ?chunk_size:cutoff ~start ~finish)));
        Ways.way Weft_pool.blocks problem (fun { cutoff; _ } ->
            if Option.is_none cutoff then Some by_blocks else None);
        Ways.domain_spawn problem (fun ~domains -> program (by_domains ~domains));
      ];
  }
