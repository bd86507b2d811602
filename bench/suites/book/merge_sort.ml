(* $MDX part-begin=book *)
let rec merge_sort a =
  let n = Array.length a in
  if n <= 1 then a
  else
    let left, right =
      Weft.par
        (fun () -> merge_sort (Weft.Array.sub a 0 (n / 2)))
        (fun () -> merge_sort (Weft.Array.sub a (n / 2) (n - (n / 2))))
    in
    Weft.Array.merge Int.compare left right
(* $MDX part-end *)

(* Merges [a] from [i] to [m - 1] and [b] from [j] to [n - 1] into [c], from [k] on. *)
let merge (a : int array) i m b j n c k =
  let i = ref i and j = ref j in
  for k = k to k + (m - !i) + (n - !j) - 1 do
    if !i < m && (!j = n || a.(!i) <= b.(!j)) then begin
      c.(k) <- a.(!i);
      incr i
    end
    else begin
      c.(k) <- b.(!j);
      incr j
    end
  done

(* {1 Sequential} *)

let rec sequential a =
  let n = Array.length a in
  if n <= 1 then a
  else begin
    let left = sequential (Array.sub a 0 (n / 2)) in
    let right = sequential (Array.sub a (n / 2) (n - (n / 2))) in
    let merged = Array.make n 0 in
    merge left 0 (Array.length left) right 0 (Array.length right) merged 0;
    merged
  end

let insertion_sort (a : int array) lo hi =
  for i = lo + 1 to hi - 1 do
    let x = a.(i) in
    let j = ref (i - 1) in
    while !j >= lo && a.(!j) > x do
      a.(!j + 1) <- a.(!j);
      decr j
    done;
    a.(!j + 1) <- x
  done

(* Two arrays with the same elements from [lo] to [hi - 1] take turns: the result is in [a], or in [b] if
   [in_b]. *)
let rec sort_range a b lo hi ~in_b =
  if hi - lo <= 12 then begin
    insertion_sort a lo hi;
    if in_b then Array.blit a lo b lo (hi - lo)
  end
  else begin
    let m = (lo + hi) / 2 in
    sort_range a b lo m ~in_b:(not in_b);
    sort_range a b m hi ~in_b:(not in_b);
    if in_b then merge a lo m a m hi b lo else merge b lo m b m hi a lo
  end

let with_copy sort a =
  sort a (Array.copy a) 0 (Array.length a) ~in_b:false;
  a

let best_sequential a = with_copy sort_range a

(* {1 By hand} *)

(* The first index from [lo] to [hi] whose element is not less than [x]. *)
let rec lower_bound (a : int array) lo hi x =
  if lo = hi then lo
  else
    let m = (lo + hi) / 2 in
    if a.(m) < x then lower_bound a (m + 1) hi x else lower_bound a lo m x

(* Cormen, Leiserson, Rivest and Stein, 27.3, with a cutoff. Here equal elements are the same. *)
let rec parallel_merge from i m j n into k =
  if m - i + (n - j) <= 8_192 then merge from i m from j n into k
  else if m - i < n - j then parallel_merge from j n i m into k
  else
    let middle = (i + m) / 2 in
    let other = lower_bound from j n from.(middle) in
    let (), () =
      Weft.par
        (fun () -> parallel_merge from i middle j other into k)
        (fun () -> parallel_merge from middle m other n into (k + (middle - i) + (other - j)))
    in
    ()

let rec parallel_sort a b lo hi ~in_b =
  if hi - lo <= 4_096 then sort_range a b lo hi ~in_b
  else begin
    let m = (lo + hi) / 2 in
    let (), () =
      Weft.par
        (fun () -> parallel_sort a b lo m ~in_b:(not in_b))
        (fun () -> parallel_sort a b m hi ~in_b:(not in_b))
    in
    if in_b then parallel_merge a lo m m hi b lo else parallel_merge b lo m m hi a lo
  end

let benchmark =
  Textbook.benchmark ~name:"merge_sort" ~doc:"merge sort of integers" ~size_doc:"the number of elements"
    ~size:2_000_000 ~quick:50_000
    ~input:(Inputs.integers ~bound:1_000_000_000)
    ~digest:Same_result.ints
    { best_sequential; sequential; book = merge_sort; by_hand = with_copy parallel_sort }
