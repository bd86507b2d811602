(* $MDX part-begin=book *)
let median x y z = Int.max (Int.min x y) (Int.min (Int.max x y) z)

(* Hoare: up to the index that is returned, no element is greater than the pivot; after it, none is less. *)
let partition a lo hi =
  let pivot = median a.(lo) a.((lo + hi) / 2) a.(hi) in
  let i = ref lo and j = ref hi in
  while
    while a.(!i) < pivot do
      incr i
    done;
    while a.(!j) > pivot do
      decr j
    done;
    !i < !j
  do
    let x = a.(!i) in
    a.(!i) <- a.(!j);
    a.(!j) <- x;
    incr i;
    decr j
  done;
  !j

let rec quicksort a lo hi =
  if lo < hi then
    let middle = partition a lo hi in
    let (), () = Weft.par (fun () -> quicksort a lo middle) (fun () -> quicksort a (middle + 1) hi) in
    ()
(* $MDX part-end *)

(* {1 Sequential} *)

let rec sequential a lo hi =
  if lo < hi then begin
    let middle = partition a lo hi in
    sequential a lo middle;
    sequential a (middle + 1) hi
  end

let rec best_sequential a lo hi =
  if hi - lo < 16 then Merge_sort.insertion_sort a lo (hi + 1)
  else begin
    let middle = partition a lo hi in
    best_sequential a lo middle;
    best_sequential a (middle + 1) hi
  end

(* {1 By hand} *)

let rec by_hand a lo hi =
  if hi - lo < 2_000 then best_sequential a lo hi
  else
    let middle = partition a lo hi in
    let (), () = Weft.par (fun () -> by_hand a lo middle) (fun () -> by_hand a (middle + 1) hi) in
    ()

let whole sort a =
  sort a 0 (Array.length a - 1);
  a

let benchmark =
  Textbook.benchmark ~name:"quicksort" ~doc:"quicksort of integers, in place"
    ~size_doc:"the number of elements" ~size:4_000_000 ~quick:100_000
    ~input:(Inputs.integers ~bound:1_000_000_000)
    ~digest:Same_result.ints
    {
      best_sequential = whole best_sequential;
      sequential = whole sequential;
      book = whole quicksort;
      by_hand = whole by_hand;
    }
