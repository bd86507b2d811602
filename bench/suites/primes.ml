open Weft_bench_harness
open Weft_bench_contestants

(* Beyond 3 every prime is next to a multiple of 6. *)
let rec no_divisor_from d n = d * d > n || (n mod d <> 0 && n mod (d + 2) <> 0 && no_divisor_from (d + 6) n)
let is_prime n = if n < 4 then n >= 2 else n mod 2 <> 0 && n mod 3 <> 0 && no_divisor_from 5 n

let below n =
  let composite = Bytes.make (max n 2) '\000' in
  let count = ref 0 in
  for p = 2 to n - 1 do
    if Bytes.get composite p = '\000' then (
      incr count;
      let multiple = ref (p * p) in
      while !multiple < n do
        Bytes.set composite !multiple '\001';
        multiple := !multiple + p
      done)
  done;
  !count

(* {1 The programs} *)

let one_if_prime n = if is_prime n then 1 else 0

type reduction = start:int -> finish:int -> body:(int -> int) -> (int -> int -> int) -> int -> int

let program (reduce : reduction) n = reduce ~start:0 ~finish:(n - 1) ~body:one_if_prime ( + ) 0

let in_place n =
  let count = ref 0 in
  for i = 0 to n - 1 do
    if is_prime i then incr count
  done;
  !count

(* Greater numbers take longer, so there are more parts than domains, to make the shares even. *)
let parts_cut_by_hand = 64

let by_domains ~domains ~start ~finish ~body combine init =
  let length = finish - start + 1 in
  let first k = start + (k * length / parts_cut_by_hand) in
  let part k = Plain.reduce ~start:(first k) ~finish:(first (k + 1) - 1) ~body combine init in
  Domain_spawn.sum ~domains part (List.init parts_cut_by_hand Fun.id)

(* {1 The benchmark} *)

let expected = Checks.once_per_size below

let problem size : (int, int) Ways.problem =
  { prepare = (fun () -> size); check = (fun count -> Benchmark.int_check ~expected:(expected size) count) }

let by contestant reduce = Ways.way contestant problem (fun params -> Some (program (reduce params)))

let benchmark : Benchmark.t =
  {
    name = "primes";
    group = None;
    doc = "number of primes below a number, each number tried on its own";
    size_doc = "the number";
    grain = Chunk Ways.chunk_doc;
    sizes = (0, 100_000_000);
    default_cutoffs = [ None ];
    default_size = (fun _ -> 10_000_000);
    more_sizes = [];
    quick_size = (fun _ -> 300_000);
    sweep_cutoffs = Benchmark.chunks;
    sweep_sizes = Benchmark.tenths 10_000_000;
    paced = false;
    ways =
      [
        Ways.way Plain.contestant problem (fun _ -> Some (program Plain.reduce));
        Ways.way Plain.in_place problem (fun _ -> Some in_place);
        Ways.way Weft_pool.loop problem (fun { cutoff; _ } ->
            Some (program (fun ~start ~finish -> Weft.parallel_for_reduce ?chunk_size:cutoff ~start ~finish)));
        Ways.domain_spawn problem (fun ~domains -> program (by_domains ~domains));
      ];
  }
