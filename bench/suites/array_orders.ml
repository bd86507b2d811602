let case ?size = Array_functions.case ~group:"functions" ?size
let scattered = Array_functions.scattered
let integers size = Array.init size (scattered 30)

(* {1 Sorting} *)

let sorted a =
  let b = Array.copy a in
  Array.stable_sort Int.compare b;
  b

(* The keys are strings that are made anew in each call. *)
let by_name a b = Array.iteri (fun i (_, x) -> a.(i) <- x) b

let sort_by_name a =
  let pairs = Array.map (fun x -> (string_of_int x, x)) a in
  Array.stable_sort (fun (a, _) (b, _) -> String.compare a b) pairs;
  by_name a pairs;
  a

let sort_by_key a =
  Weft.Array.sort_by_key ~key:string_of_int String.compare a;
  a

let buckets = 1_024
let bucket x = x land (buckets - 1)

let counting_sort a =
  let starts = Array.make (buckets + 1) 0 in
  Array.iter (fun x -> starts.(bucket x + 1) <- starts.(bucket x + 1) + 1) a;
  for b = 1 to buckets do
    starts.(b) <- starts.(b) + starts.(b - 1)
  done;
  let next = Array.copy starts in
  let place b x =
    b.(next.(bucket x)) <- x;
    next.(bucket x) <- next.(bucket x) + 1
  in
  let b = Array.make (Array.length a) 0 in
  Array.iter (place b) a;
  (starts, b)

let counting_sort_ours a =
  let starts = Weft.Array.counting_sort ~buckets ~key:bucket a in
  (starts, a)

let of_starts_and_elements (starts, a) = Array.fold_left Alike.add (Alike.ints starts) a

let rank a =
  let order = Array.init (Array.length a) Fun.id in
  Array.stable_sort (fun i j -> Int.compare a.(i) a.(j)) order;
  let ranks = Array.make (Array.length a) 0 in
  Array.iteri (fun place i -> ranks.(i) <- place) order;
  ranks

(* {1 In order} *)

let is_sorted (a : int array) =
  let n = Array.length a in
  let rec from i = i >= n || (a.(i - 1) <= a.(i) && from (i + 1)) in
  [| Bool.to_int (from 1) |]

let ends (a : int array) =
  if a = [||] then [||]
  else begin
    let least = ref a.(0) and greatest = ref a.(0) in
    Array.iter
      (fun x ->
        if x < !least then least := x;
        if x > !greatest then greatest := x)
      a;
    [| !least; !greatest |]
  end

let minmax (a : int array) =
  if a = [||] then [||]
  else
    let least, greatest = Weft.Array.minmax Int.compare a in
    [| least; greatest |]

let first_least (a : int array) =
  if a = [||] then [||]
  else begin
    let at = ref 0 in
    for i = 1 to Array.length a - 1 do
      if a.(i) < a.(!at) then at := i
    done;
    [| !at |]
  end

let min_index (a : int array) = if a = [||] then [||] else [| Weft.Array.min_index Int.compare a |]
let large = 10_000_000

let benchmarks =
  [
    case "sorted" "a sorted copy" integers sorted (Weft.Array.sorted Int.compare);
    case "sort_by_key" "integers sorted by their digits, as strings" ~size:300_000 integers sort_by_name
      sort_by_key;
    Array_functions.compared ~digest:of_starts_and_elements ~group:"functions" "counting_sort"
      "integers sorted into 1,024 buckets" ~size:4_000_000 integers counting_sort counting_sort_ours;
    case "rank" "the place of each integer in order" integers rank (Weft.Array.rank Int.compare);
    case "is_sorted" "whether integers that are in order are so" ~size:large
      (fun size -> Array.init size Fun.id)
      is_sorted
      (fun a -> [| Bool.to_int (Weft.Array.is_sorted Int.compare a) |]);
    case "minmax" "the least and the greatest integer" ~size:large integers ends minmax;
    case "min_index" "the index of the least integer" ~size:large integers first_least min_index;
  ]
