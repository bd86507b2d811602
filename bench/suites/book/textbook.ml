open Weft_bench_harness
open Weft_bench_contestants

type ('input, 'result) programs = {
  best_sequential : 'input -> 'result;
  sequential : 'input -> 'result;
  book : 'input -> 'result;
  by_hand : 'input -> 'result;
}

(* Only the digest of what is expected is kept between runs: so many large arrays would burden the collector
   in other runs. *)
let benchmark ?(sizes = (0, 100_000_000)) ?sweep_sizes ~name ~doc ~size_doc ~size ~quick ~input ~digest
    programs : Benchmark.t =
  let expected = Checks.once_per_size (fun size -> digest (programs.best_sequential (input size))) in
  let problem size : _ Ways.problem =
    {
      prepare = (fun () -> input size);
      check = (fun result -> Benchmark.int_check ~expected:(expected size) (digest result));
    }
  in
  let way contestant program = Ways.way contestant problem (fun _ -> Some program) in
  {
    name = "book_" ^ name;
    group = Some "book";
    doc;
    size_doc;
    grain = Fixed;
    sizes;
    default_cutoffs = [ None ];
    default_size = Fun.const size;
    more_sizes = [];
    quick_size = Fun.const quick;
    sweep_cutoffs = [];
    sweep_sizes = Option.value sweep_sizes ~default:(Benchmark.tenths size);
    paced = false;
    ways =
      [
        way Plain.best_sequential programs.best_sequential;
        way Plain.same_steps programs.sequential;
        way Weft_pool.book programs.book;
        way Weft_pool.by_hand programs.by_hand;
      ];
  }

let both ~cutoff n f g =
  if n >= cutoff then Weft.par f g
  else
    let a = f () in
    (a, g ())

(* {1 Digests} *)

let add digest x =
  let digest = digest lxor x * 0x1e3779b97f4a7c15 in
  digest lxor (digest lsr 29)

let ints = Array.fold_left add 0
let floats = Array.fold_left (fun digest x -> add digest (Int64.to_int (Int64.bits_of_float x))) 0
