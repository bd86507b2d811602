open Weft_bench_harness

(* Only the digest of what is expected is kept between runs: so many large arrays would burden the collector
   in other runs. *)
let benchmark ?(sizes = (0, 100_000_000)) ?sweep_sizes ?(more_sizes = []) ?quick ~group ~name ~doc ~size_doc
    ~size ~input ~digest (first, others) : Benchmark.t =
  let quick = Option.value quick ~default:(size / 20) in
  let expected = Checks.once_per_size (fun size -> digest (snd first (input size))) in
  let problem size : _ Ways.problem =
    {
      prepare = (fun () -> input size);
      check = (fun result -> Benchmark.int_check ~expected:(expected size) (digest result));
    }
  in
  let way (contestant, program) = Ways.way contestant problem (fun _ -> Some program) in
  {
    name = group ^ "_" ^ name;
    group = Some group;
    doc;
    size_doc;
    grain = Fixed;
    sizes;
    default_cutoffs = [ None ];
    default_size = Fun.const size;
    more_sizes;
    quick_size = Fun.const quick;
    sweep_cutoffs = [];
    sweep_sizes = Option.value sweep_sizes ~default:(Benchmark.tenths size);
    paced = false;
    ways = List.map way (first :: others);
  }

(* {1 Digests} *)

let add digest x =
  let digest = digest lxor x * 0x1e3779b97f4a7c15 in
  digest lxor (digest lsr 29)

let ints = Array.fold_left add 0
let floats = Array.fold_left (fun digest x -> add digest (Int64.to_int (Int64.bits_of_float x))) 0
let strings = Array.fold_left (fun digest s -> add digest (Hashtbl.hash s)) 0
