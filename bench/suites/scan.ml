open Weft_bench_harness
open Weft_bench_contestants

let times = 5

(* {1 The programs} *)

(* Not inlined, so that the compiler does not see the function. *)
let[@inline never] sequential combine (a : int array) =
  let n = Array.length a in
  let sums = Array.make n 0 in
  if n > 0 then sums.(0) <- a.(0);
  for i = 1 to n - 1 do
    sums.(i) <- combine sums.(i - 1) a.(i)
  done;
  sums

let in_place (a : int array) =
  let n = Array.length a in
  let sums = Array.make n 0 in
  if n > 0 then sums.(0) <- a.(0);
  for i = 1 to n - 1 do
    sums.(i) <- sums.(i - 1) + a.(i)
  done;
  sums

(* Each domain adds up its range; then each writes its range, starting from the sum of the ranges to the
   left. *)
let domain_spawn ~domains combine (a : int array) =
  let finish = Array.length a - 1 in
  let total first last = (first, Plain.reduce ~start:first ~finish:last ~body:(Array.get a) combine 0) in
  let totals = Domain_spawn.map_ranges ~domains ~start:0 ~finish total in
  let sums = Array.make (Array.length a) 0 in
  let write first last =
    let to_the_left = List.filter (fun (other, _) -> other < first) totals in
    let acc = ref (List.fold_left (fun acc (_, total) -> combine acc total) 0 to_the_left) in
    for i = first to last do
      acc := combine !acc a.(i);
      sums.(i) <- !acc
    done
  in
  ignore (Domain_spawn.map_ranges ~domains ~start:0 ~finish write : unit list);
  sums

(* Only the last result is checked. *)
let again scan a =
  for _ = 2 to times do
    ignore (Sys.opaque_identity (scan a))
  done;
  scan a

(* {1 The benchmark} *)

let problem size : (int array, int array) Ways.problem =
  {
    prepare = (fun () -> Array.init size (fun i -> i + 1));
    check = Checks.ints ~length:size ~expected:(fun i -> (i + 1) * (i + 2) / 2);
  }

let by contestant scan = Ways.way contestant problem (fun _ -> Some (fun a -> again (scan ( + )) a))

let benchmark : Benchmark.t =
  {
    name = "scan";
    group = None;
    doc = Printf.sprintf "prefix sums of an array of integers, %d times" times;
    size_doc = "the number of elements";
    grain = Fixed;
    sizes = (0, 100_000_000);
    default_cutoffs = [ None ];
    default_size = (fun _ -> 10_000_000);
    more_sizes = [];
    quick_size = (fun _ -> 500_000);
    sweep_cutoffs = [];
    sweep_sizes = Benchmark.tenths 10_000_000;
    paced = false;
    ways =
      [
        Ways.way Plain.contestant problem (fun _ -> Some (again (sequential ( + ))));
        Ways.way Plain.in_place problem (fun _ -> Some (again in_place));
        Ways.way Weft_pool.loop problem (fun _ -> Some (again (Weft.parallel_scan ( + ))));
        Ways.domain_spawn problem (fun ~domains -> again (domain_spawn ~domains ( + )));
      ];
  }
