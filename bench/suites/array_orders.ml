let case ?size = Array_functions.case ~group:"functions" ?size
let scattered = Array_functions.scattered
let integers size = Array.init size (scattered 30)

(* {1 Sorting} *)

let sorted a =
  let b = Array.copy a in
  Array.stable_sort Int.compare b;
  b

let put_back a pairs =
  for i = 0 to Array.length a - 1 do
    a.(i) <- snd pairs.(i)
  done

(* The keys are strings that are made anew in each call. *)
let sort_by_name a =
  let pairs = Array.map (fun x -> (string_of_int x, x)) a in
  Array.stable_sort (fun (a, _) (b, _) -> String.compare a b) pairs;
  put_back a pairs;
  a

let sort_by_key a =
  Weft.Array.sort_by_key ~key:string_of_int String.compare a;
  a

let buckets = 1_024
let bucket x = x land (buckets - 1)

let counting_sort a =
  let n = Array.length a and starts = Array.make (buckets + 1) 0 in
  for i = 0 to n - 1 do
    let after = bucket a.(i) + 1 in
    starts.(after) <- starts.(after) + 1
  done;
  for b = 1 to buckets do
    starts.(b) <- starts.(b) + starts.(b - 1)
  done;
  let next = Array.copy starts and b = Array.make n 0 in
  for i = 0 to n - 1 do
    let x = a.(i) in
    let k = bucket x in
    let place = next.(k) in
    b.(place) <- x;
    next.(k) <- place + 1
  done;
  (starts, b)

let counting_sort_ours a =
  let starts = Weft.Array.counting_sort ~buckets ~key:bucket a in
  (starts, a)

let of_starts_and_elements (starts, a) = Array.fold_left Same_result.add (Same_result.ints starts) a

let rank a =
  let order = Array.init (Array.length a) Fun.id in
  Array.stable_sort (fun i j -> Int.compare a.(i) a.(j)) order;
  let ranks = Array.make (Array.length a) 0 in
  for place = 0 to Array.length a - 1 do
    ranks.(order.(place)) <- place
  done;
  ranks

(* {1 In order} *)

let is_sorted (a : int array) =
  let n = Array.length a and i = ref 1 in
  while !i < n && a.(!i - 1) <= a.(!i) do
    incr i
  done;
  [| Bool.to_int (!i >= n) |]

let ends (a : int array) =
  if a = [||] then [||]
  else begin
    let least = ref a.(0) and greatest = ref a.(0) in
    for i = 1 to Array.length a - 1 do
      let x = a.(i) in
      if x < !least then least := x;
      if x > !greatest then greatest := x
    done;
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
    let at = ref 0 and least = ref a.(0) in
    for i = 1 to Array.length a - 1 do
      let x = a.(i) in
      if x < !least then begin
        least := x;
        at := i
      end
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
