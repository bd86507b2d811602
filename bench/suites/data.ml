open Weft_bench_contestants
module Plain_vector = Bigarray.Array1
module Weft_vector = Weft.Bigarray.Array1

let elements = "the number of elements"

let benchmark ?(size = 10_000_000) ?quick name doc input ~digest plain weft =
  Same_result.benchmark ~group:"data" ~name ~doc ~size_doc:elements ~size ?quick ~input ~digest
    ((Plain.contestant, plain), [ (Weft_pool.array, weft) ])

(* {1 Bigarrays} *)

type bytes = (int, Bigarray.int8_signed_elt, Bigarray.c_layout) Plain_vector.t
type floats = (float, Bigarray.float64_elt, Bigarray.c_layout) Plain_vector.t

let bytes size : bytes =
  Plain_vector.init Bigarray.int8_signed Bigarray.c_layout size (fun i -> (i land 127) - 64)

let floats size : floats =
  Plain_vector.init Bigarray.float64 Bigarray.c_layout size (fun i ->
      float_of_int (((i * 7_919) + 512) land 1023))

let digest_of get a =
  let digest = ref 0 in
  for i = 0 to Plain_vector.dim a - 1 do
    digest := Same_result.add !digest (get (Plain_vector.get a i))
  done;
  !digest

let bits x = Int64.to_int (Int64.bits_of_float x)

let negated (a : bytes) : bytes =
  let b = Plain_vector.create Bigarray.int8_signed Bigarray.c_layout (Plain_vector.dim a) in
  for i = 0 to Plain_vector.dim a - 1 do
    b.{i} <- -a.{i}
  done;
  b

(* The elements are small integers, so that sums in any order have the same bits. *)
let dot (a : floats) (b : floats) =
  let sum = ref 0. in
  for i = 0 to Plain_vector.dim a - 1 do
    sum := !sum +. (a.{i} *. b.{i})
  done;
  !sum

let least (a : floats) =
  let least = ref a.{0} in
  for i = 1 to Plain_vector.dim a - 1 do
    if a.{i} < !least then least := a.{i}
  done;
  !least

let or_zero f (a : floats) = if Plain_vector.dim a = 0 then 0. else f a

let filled fill (a : floats) =
  fill a 1.5;
  a

(* {1 Arrays} *)

let prefix_sums a =
  let sums = Array.make (Array.length a) 0 and sum = ref 0 in
  for i = 0 to Array.length a - 1 do
    sum := !sum + a.(i);
    sums.(i) <- !sum
  done;
  sums

(* The first half and the second one, each in order. *)
let halves size =
  let half = size / 2 in
  let sorted n seed =
    let a = Inputs.integers ~seed ~bound:1_000_000_000 n in
    Array.stable_sort Int.compare a;
    a
  in
  (sorted half 0, sorted (size - half) 1)

(* [Random.at]: a generator for each element, of which two numbers are drawn. The two programs draw
   different numbers: so each says how to draw them again. *)
type sums_of_two = { sums : float array; again : unit -> int -> float }

let of_state size =
  let state () = Random.State.make [| size |] in
  let two random =
    let x = Random.State.float random 1. in
    x +. Random.State.float random 1.
  in
  let random = state () and sums = Array.create_float size in
  for i = 0 to size - 1 do
    sums.(i) <- two random
  done;
  let again () =
    let random = state () in
    fun _ -> two random
  in
  { sums; again }

let of_generators size =
  let two random i =
    let g = Weft.Random.at random i in
    let x = Weft.Random.uniform g 1. in
    x +. Weft.Random.uniform g 1.
  in
  let random = Weft.Random.make size in
  { sums = Weft.Array.init size (two random); again = (fun () -> two (Weft.Random.make size)) }

let number_right { sums; again } =
  let right = ref 0 and expected = again () in
  for i = 0 to Array.length sums - 1 do
    if Checks.same_bits sums.(i) (expected i) then incr right
  done;
  !right

let[@tail_mod_cons] rec each_plus_one = function [] -> [] | x :: rest -> (x + 1) :: each_plus_one rest

(* {1 Sequences} *)

let numbers ?seed size = Inputs.integers ?seed ~bound:1_000 size

let scalar_product (a, b) =
  let sum = ref 0 in
  for i = 0 to Array.length a - 1 do
    sum := !sum + (a.(i) * b.(i))
  done;
  !sum

let scalar_product_of_seq (a, b) = Weft.Seq.(sum (map2 ( * ) (of_array a) (of_array b)))
let chunk = 100

let least_of a =
  let least = ref max_int in
  for i = 0 to Array.length a - 1 do
    least := Int.min !least a.(i)
  done;
  !least

let least_of_chunks a =
  let n = Array.length a in
  let sum = ref 0 in
  for c = 0 to ((n + chunk - 1) / chunk) - 1 do
    let least = ref max_int in
    for i = c * chunk to Int.min n ((c + 1) * chunk) - 1 do
      least := Int.min !least a.(i)
    done;
    sum := !sum + !least
  done;
  !sum

let least_of_chunks_of_seq a = Weft.Seq.(of_array a |> chunks chunk |> map least_of |> sum)

(* Each number [x] becomes the [x mod 8] numbers from [x] on. *)
let expanded a =
  let sum = ref 0 in
  for i = 0 to Array.length a - 1 do
    let x = a.(i) in
    for y = x to x + (x land 7) - 1 do
      sum := !sum + y
    done
  done;
  !sum

let expanded_of_seq a = Weft.Seq.(of_array a |> flat_map (fun x -> of_range x (x + (x land 7) - 1)) |> sum)

(* {1 The benchmarks} *)

let benchmarks =
  [
    benchmark "fill" "a bigarray of floats, filled" floats ~digest:(digest_of bits) (filled Plain_vector.fill)
      (filled Weft_vector.fill);
    benchmark "int8_map" "a bigarray of small integers, each negated" bytes ~digest:(digest_of Fun.id) negated
      (Weft_vector.map (fun x -> -x));
    benchmark "dot" "the scalar product of two bigarrays of floats" floats ~digest:int_of_float
      (fun a -> dot a a)
      (fun a -> Weft_vector.dot a a);
    benchmark "min" "the least element of a bigarray of floats" floats ~digest:int_of_float (or_zero least)
      (or_zero Weft_vector.min);
    benchmark "prefix_sums" "prefix sums of integers" (Inputs.integers ~bound:1_000) ~digest:Same_result.ints
      prefix_sums Weft.Array.prefix_sums;
    benchmark "merge" "two sorted arrays of integers merged" ~size:4_000_000 halves ~digest:Same_result.ints
      (fun (a, b) -> Array_functions.merge a b)
      (fun (a, b) -> Weft.Array.merge Int.compare a b);
    benchmark "random_at" "two random numbers of a generator for each element; sequentially, of a single one"
      ~size:4_000_000 Fun.id ~digest:number_right of_state of_generators;
    benchmark "list_map" "a list of integers, each plus one" ~size:1_000_000
      (fun size -> List.init size Fun.id)
      ~digest:(List.fold_left Same_result.add 0) each_plus_one (Weft.List.map succ);
    benchmark "zip" "the scalar product of two arrays of integers, as sequences"
      (fun size -> (numbers size, numbers ~seed:1 size))
      ~digest:Fun.id scalar_product scalar_product_of_seq;
    benchmark "chunks" "the sum of the least of each hundred integers, as sequences" numbers ~digest:Fun.id
      least_of_chunks least_of_chunks_of_seq;
    benchmark "flat_map" "the sum of the few integers that each one becomes, as sequences" ~size:4_000_000
      numbers ~digest:Fun.id expanded expanded_of_seq;
  ]
  @ [ Cholesky.benchmark; Nested_loops.benchmark ]
  @ Data_files.benchmarks @ Data_pipelines.benchmarks
