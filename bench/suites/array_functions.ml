open Weft_bench_contestants

(* --- inputs --- *)

(* Numbers that look random, of so many bits. *)
let scattered bits i = ((i * 0x9E3779B97F4A7C1) lsr 20) land ((1 lsl bits) - 1)

(* --- sorting --- *)

let key_bits = 20

(* Two digits, from the lowest on; by hand. *)
let radix_sort a =
  let n = Array.length a and digit = key_bits / 2 in
  let mask = (1 lsl digit) - 1 in
  let pass shift a b =
    let places = Array.make (mask + 2) 0 in
    for i = 0 to n - 1 do
      let d = (a.(i) lsr shift) land mask in
      places.(d + 1) <- places.(d + 1) + 1
    done;
    for d = 1 to mask do
      places.(d) <- places.(d) + places.(d - 1)
    done;
    for i = 0 to n - 1 do
      let x = a.(i) in
      let d = (x lsr shift) land mask in
      b.(places.(d)) <- x;
      places.(d) <- places.(d) + 1
    done
  in
  let b = Array.make n 0 in
  pass 0 a b;
  pass digit b a;
  a

let integer_sort a =
  Weft.Array.integer_sort ~key:Fun.id a;
  a

(* Quickselect by hand, in place. *)
let select (a : int array) =
  let rec from first last k =
    if first >= last then a.(k)
    else begin
      let pivot = a.(first + ((last - first) / 2)) and i = ref first and j = ref last in
      while !i <= !j do
        while a.(!i) < pivot do
          incr i
        done;
        while a.(!j) > pivot do
          decr j
        done;
        if !i <= !j then begin
          let x = a.(!i) in
          a.(!i) <- a.(!j);
          a.(!j) <- x;
          incr i;
          decr j
        end
      done;
      if k <= !j then from first !j k else if k >= !i then from !i last k else a.(k)
    end
  in
  let n = Array.length a in
  if n = 0 then [||] else [| from 0 (n - 1) (n / 3) |]

let kth_smallest a =
  let n = Array.length a in
  if n = 0 then [||] else [| Weft.Array.kth_smallest Int.compare (n / 3) a |]

(* --- loops over elements --- *)

let flags size = Array.init size (fun i -> scattered 2 i = 0)

let number_of_set flags =
  let count = ref 0 in
  for i = 0 to Array.length flags - 1 do
    if flags.(i) then incr count
  done;
  !count

let indices flags =
  let r = Array.make (number_of_set flags) 0 and next = ref 0 in
  for i = 0 to Array.length flags - 1 do
    if flags.(i) then begin
      r.(!next) <- i;
      incr next
    end
  done;
  r

let sums a =
  let sum = ref 0 in
  for i = 0 to Array.length a - 1 do
    let x = a.(i) in
    a.(i) <- !sum;
    sum := !sum + x
  done;
  a

let scan_inplace a =
  ignore (Weft.Array.scan_exclusive_inplace ( + ) 0 a : int);
  a

(* --- offers --- *)

let places size = 1 + (size / 8)
let place size i = scattered 30 i mod places size
let offer i = scattered 40 (i + 1)

let best size =
  let best = Array.make (places size) max_int in
  for i = 0 to size - 1 do
    let k = place size i and x = offer i in
    if x < best.(k) then best.(k) <- x
  done;
  best

let write_min size =
  let best = Weft.Atomic_array.make (places size) max_int in
  let body i = ignore (Weft.Atomic_array.write_min best (place size i) (offer i) : bool) in
  Weft.parallel_for ~start:0 ~finish:(size - 1) ~body ();
  Weft.Atomic_array.to_array best

let of_atomics size =
  let best = Array.init (places size) (fun _ -> Atomic.make max_int) in
  let rec lower cell (x : int) =
    let was = Atomic.get cell in
    if x < was && not (Atomic.compare_and_set cell was x) then lower cell x
  in
  Weft.parallel_for ~start:0 ~finish:(size - 1) ~body:(fun i -> lower best.(place size i) (offer i)) ();
  Array.map Atomic.get best

(* --- short arrays --- *)

let length = 8
let short_arrays () = Array.init 1024 (fun i -> Array.init length (fun k -> scattered 16 ((i * length) + k)))
let sorted_arrays () = Array.map (Weft.Array.sorted Int.compare) (short_arrays ())

let merge (a : int array) b =
  let n = Array.length a and m = Array.length b in
  let r = Array.make (n + m) 0 in
  let i = ref 0 and j = ref 0 in
  while !i < n && !j < m do
    let x = a.(!i) and y = b.(!j) in
    if x <= y then begin
      r.(!i + !j) <- x;
      incr i
    end
    else begin
      r.(!i + !j) <- y;
      incr j
    end
  done;
  for i = !i to n - 1 do
    r.(i + m) <- a.(i)
  done;
  for j = !j to m - 1 do
    r.(n + j) <- b.(j)
  done;
  r

(* What comes of the [size] pairs of arrays, added up. *)
let of_pairs by_loop f (size, arrays) =
  let one i = f arrays.(i land 1023) arrays.(i * 7 land 1023) in
  [| by_loop ~finish:(size - 1) one |]

let in_a_loop ~finish one =
  let sum = ref 0 in
  for i = 0 to finish do
    sum := !sum + one i
  done;
  !sum

let in_a_parallel_loop ~finish one =
  let results = Array.make (finish + 1) 0 in
  Weft.parallel_for ~start:0 ~finish ~body:(fun i -> results.(i) <- one i) ();
  Weft.Array.reduce ( + ) 0 results

let in_a_reduction ~finish one = Weft.parallel_for_reduce ~start:0 ~finish ~body:one ( + ) 0
let middle r = r.(length - 1)
let limit b = b.(0) + 32_000

let exceeds (a : int array) b =
  let limit = limit b and n = Array.length a in
  let i = ref 0 in
  while !i < n && a.(!i) <= limit do
    incr i
  done;
  Bool.to_int (!i < n)

let exceeds_ours a b =
  let limit = limit b in
  Bool.to_int (Weft.Array.exists (fun x -> x > limit) a)

(* --- the benchmarks --- *)

let elements = "the number of elements"

let compared ~digest ?(group = "arrays") ?(size_doc = elements) ?(size = 1_000_000) ?(others = []) name doc
    input plain ours =
  Same_result.benchmark ~group ~name ~doc ~size_doc ~size ~input ~digest
    ((Plain.contestant, plain), (Weft_pool.array, ours) :: others)

let case ?group = compared ~digest:Same_result.ints ?group
let of_short_arrays = "the number of calls"

let benchmarks =
  [
    case "integer_sort" "integers of 20 bits, sorted by their digits"
      (fun n -> Array.init n (scattered key_bits))
      radix_sort integer_sort;
    case "kth_smallest" "the element that a third of the others precede"
      (fun n -> Array.init n (scattered 30))
      select kth_smallest;
    case "pack_index" "the indices of a quarter of the elements" ~size:10_000_000 flags indices
      Weft.Array.pack_index;
    case "scan_inplace" "exclusive prefix sums in place" ~size:10_000_000
      (fun n -> Array.init n (scattered 10))
      sums scan_inplace;
    case "write_min" "the least of the offers for each element, eight for each"
      ~size_doc:"the number of offers" Fun.id best write_min
      ~others:[ (Weft_pool.loop, of_atomics) ];
    case "merge_short" "merges of two arrays of eight elements, in a loop" ~size_doc:of_short_arrays
      (fun n -> (n, sorted_arrays ()))
      (of_pairs in_a_loop (fun a b -> middle (merge a b)))
      (of_pairs in_a_parallel_loop (fun a b -> middle (Weft.Array.merge Int.compare a b)));
    case "short_searches" "searches of arrays of eight elements, in a loop" ~size_doc:of_short_arrays
      (fun n -> (n, short_arrays ()))
      (of_pairs in_a_loop exceeds)
      (of_pairs in_a_parallel_loop exceeds_ours);
    case "counted_searches" "searches of arrays of eight elements, in a reduction" ~size_doc:of_short_arrays
      (fun n -> (n, short_arrays ()))
      (of_pairs in_a_loop exceeds)
      (of_pairs in_a_reduction exceeds_ours);
  ]
