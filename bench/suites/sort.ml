open Weft_bench_harness
open Weft_bench_contestants

(* {1 Inputs} *)

type 'a input = {
  name : string;
  order : string;  (** its description, in words *)
  make : Random.State.t -> int -> 'a array;
  compare : 'a -> 'a -> int;
  hash : 'a -> int;
  show : 'a -> string;
  copies : int;
      (** sorts so many copies one after the other, since an easy input takes too little time alone *)
}

let randomly element random size = Array.init size (fun _ -> element random)

let ints name order ~copies make =
  { name; order; make; compare = Int.compare; hash = Fun.id; show = string_of_int; copies }

let random_ints = ints "sort_ints" "integers in random order" ~copies:1 (randomly Random.State.bits)

let random_floats =
  {
    name = "sort_floats";
    order = "floats in random order";
    make = randomly (fun random -> Random.State.float random 1.);
    compare = Float.compare;
    hash = (fun x -> Int64.to_int (Int64.bits_of_float x));
    show = Checks.show_float;
    copies = 1;
  }

let random_strings =
  {
    name = "sort_strings";
    order = "strings of digits in random order";
    make = randomly (fun random -> string_of_int (Random.State.bits random));
    compare = String.compare;
    hash = Hashtbl.hash;
    show = Printf.sprintf "%S";
    copies = 1;
  }

let sorted_ints = ints "sort_sorted" "integers in order" ~copies:4 (fun _ size -> Array.init size Fun.id)

let reversed_ints =
  ints "sort_reversed" "integers in reverse order" ~copies:4 (fun _ size ->
      Array.init size (fun i -> size - i))

let equal_ints = ints "sort_equal" "equal integers" ~copies:4 (fun _ size -> Array.make size 1)

(* {1 The check} *)

let make input size = input.make (Random.State.make [| size |]) size

(* Only the fingerprint is kept between runs: so many strings would burden the collector in other runs. *)
let check input fingerprint size a =
  if Checks.fingerprint input.hash a = fingerprint size then
    Checks.sorted ~compare:input.compare ~show:input.show a
  else Error { Benchmark.expected = "the elements of the input"; got = "others" }

(* {1 The benchmarks} *)

let benchmark input : Benchmark.t =
  let fingerprint = Checks.once_per_size (fun size -> Checks.fingerprint input.hash (make input size)) in
  let problem size : _ Ways.problem =
    {
      prepare = (fun () -> List.init input.copies (fun _ -> make input size));
      check =
        List.fold_left (fun so_far a -> Result.bind so_far (fun () -> check input fingerprint size a)) (Ok ());
    }
  in
  let way contestant sort =
    Ways.way contestant problem (fun _ ->
        Some
          (fun copies ->
            List.iter (sort (Sys.opaque_identity input.compare)) copies;
            copies))
  in
  {
    name = input.name;
    group = Some "sort";
    doc =
      ("stable sort of " ^ input.order
      ^ if input.copies = 1 then "" else Printf.sprintf ", %d times" input.copies);
    size_doc = "the number of elements";
    grain = Fixed;
    sizes = (0, 100_000_000);
    default_cutoffs = [ None ];
    default_size = (fun _ -> 1_000_000);
    more_sizes = [];
    quick_size = (fun _ -> 50_000);
    sweep_cutoffs = [];
    sweep_sizes = Benchmark.tenths 1_000_000;
    paced = false;
    ways = [ way Plain.contestant Stdlib.Array.stable_sort; way Weft_pool.array Weft.Array.stable_sort ];
  }

let benchmarks =
  [
    benchmark random_ints;
    benchmark random_floats;
    benchmark random_strings;
    benchmark sorted_ints;
    benchmark reversed_ints;
    benchmark equal_ints;
  ]
