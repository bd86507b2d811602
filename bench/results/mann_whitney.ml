type t = { u : float; p : float; exact : bool }

(* {1 The statistic} *)

(* [pairs xs ys] are the pairs whose first value is greater, and half of those that are equal. *)
let pairs xs ys =
  let score x y = if x > y then 1. else if x < y then 0. else 0.5 in
  List.fold_left (fun u x -> List.fold_left (fun u y -> u +. score x y) u ys) 0. xs

(* [runs_of_equal values] are the lengths of the runs of equal values. *)
let runs_of_equal values =
  let add (previous, lengths) x =
    match lengths with
    | length :: rest when Float.equal x previous -> (x, (length + 1) :: rest)
    | _ -> (x, 1 :: lengths)
  in
  snd (List.fold_left add (Float.nan, []) (List.sort Float.compare values))

(* {1 Exact} *)

(* [ways m n u] is in how many ways [m] of the ranks from 1 to [m + n] can be chosen such that the sum of the chosen
   ones is [u] above the least, 1 + ... + m. Up to 400 pairs these numbers, at most (40 choose 20), are exact in 63 bits. *)
let ways m n =
  let least = m * (m + 1) / 2 in
  let greatest = least + (m * n) in
  let sums = Array.make_matrix (m + 1) (greatest + 1) 0 in
  sums.(0).(0) <- 1;
  for rank = 1 to m + n do
    for chosen = min m rank downto 1 do
      for sum = greatest downto rank do
        sums.(chosen).(sum) <- sums.(chosen).(sum) + sums.(chosen - 1).(sum - rank)
      done
    done
  done;
  Array.sub sums.(m) least ((m * n) + 1)

let sum = Array.fold_left ( + ) 0

let exact_p ~m ~n u =
  let ways = ways m n in
  let u = int_of_float u in
  let nearer_to_an_end = min u ((m * n) - u) in
  let tail = sum (Array.sub ways 0 (nearer_to_an_end + 1)) in
  Float.min 1. (2. *. float_of_int tail /. float_of_int (sum ways))

(* {1 Normal approximation} *)

let normal_p ~m ~n ~equal u =
  let m = float_of_int m and n = float_of_int n in
  let all = m +. n in
  let cubes t =
    let t = float_of_int t in
    (t *. t *. t) -. t
  in
  let ties = List.fold_left (fun sum t -> sum +. cubes t) 0. equal in
  let variance = m *. n /. 12. *. (all +. 1. -. (ties /. (all *. (all -. 1.)))) in
  if variance <= 0. then 1. (* all values are equal *)
  else
    let distance = Float.abs (u -. (m *. n /. 2.)) -. 0.5 in
    (* Both tails together: 2 (1 - Phi(z)). *)
    Float.min 1. (Float.erfc (distance /. sqrt variance /. sqrt 2.))

(* {1 Both} *)

let most_pairs = 400

let test xs ys =
  let m = List.length xs and n = List.length ys in
  if m = 0 || n = 0 then invalid_arg "Mann_whitney.test: an empty sample";
  let u = pairs xs ys in
  let equal = runs_of_equal (xs @ ys) in
  if m * n <= most_pairs && List.for_all (Int.equal 1) equal then { u; p = exact_p ~m ~n u; exact = true }
  else { u; p = normal_p ~m ~n ~equal u; exact = false }

let least_p m n =
  (* 2 / (m + n choose m). *)
  let rec choose k = if k = 0 then 1. else choose (k - 1) *. float_of_int (n + k) /. float_of_int k in
  Float.min 1. (2. /. choose m)
