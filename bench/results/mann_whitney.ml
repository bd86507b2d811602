type t = { u : float; p : float; exact : bool }

(* {1 The statistic} *)

(* [pairs xs ys] is the number of pairs whose first value is greater; pairs of equal values count one
   half. *)
let pairs xs ys =
  let ys = Array.of_list (List.sort Float.compare ys) in
  (* How many come before the first for which [holds] is false. *)
  let rec first holds low high =
    if low = high then float_of_int low
    else
      let middle = (low + high) / 2 in
      if holds ys.(middle) then first holds (middle + 1) high else first holds low middle
  in
  let below holds = first holds 0 (Array.length ys) in
  List.fold_left (fun u x -> u +. (0.5 *. (below (fun y -> y < x) +. below (fun y -> y <= x)))) 0. xs

(* [groups values] are the sizes of the groups of equal values, from the least value up. *)
let groups values =
  let add (previous, lengths) x =
    match lengths with
    | length :: rest when Float.equal x previous -> (x, (length + 1) :: rest)
    | _ -> (x, 1 :: lengths)
  in
  List.rev (snd (List.fold_left add (Float.nan, []) (List.sort Float.compare values)))

(* {1 Exact} *)

(* Equal values share the mean of their ranks, which may lie halfway between two integers; so all ranks are
   doubled here. *)
let doubled_ranks groups =
  let add (below, ranks) length =
    let rank = (2 * below) + length + 1 in
    (below + length, List.rev_append (List.init length (fun _ -> rank)) ranks)
  in
  snd (List.fold_left add (0, []) groups)

(* [ways m ranks] has, for each sum, the number of ways to choose [m] of [ranks] with that sum. Up to 400
   pairs these numbers, at most (40 choose 20), are exact in 63 bits. *)
let ways m ranks =
  let greatest = m * List.fold_left max 0 ranks in
  let sums = Array.make_matrix (m + 1) (greatest + 1) 0 in
  sums.(0).(0) <- 1;
  let choose rank =
    for chosen = m downto 1 do
      for sum = greatest downto rank do
        sums.(chosen).(sum) <- sums.(chosen).(sum) + sums.(chosen - 1).(sum - rank)
      done
    done
  in
  List.iter choose ranks;
  sums.(m)

let sum = Array.fold_left ( + ) 0

let exact_p ~m ~groups u =
  let ways = ways m (doubled_ranks groups) in
  let doubled_sum = int_of_float (2. *. u) + (m * (m + 1)) in
  let below = sum (Array.sub ways 0 (doubled_sum + 1)) and all = sum ways in
  let tail = min below (all - below + ways.(doubled_sum)) in
  Float.min 1. (2. *. float_of_int tail /. float_of_int all)

(* {1 Normal approximation} *)

let normal_p ~m ~n ~groups u =
  let m = float_of_int m and n = float_of_int n in
  let all = m +. n in
  let cubes t =
    let t = float_of_int t in
    (t *. t *. t) -. t
  in
  let ties = List.fold_left (fun sum t -> sum +. cubes t) 0. groups in
  let variance = m *. n /. 12. *. (all +. 1. -. (ties /. (all *. (all -. 1.)))) in
  if variance <= 0. then 1. (* all values are equal *)
  else
    let distance = Float.abs (u -. (m *. n /. 2.)) -. 0.5 in
    (* The sum of both tails: 2 (1 - Phi(z)). *)
    Float.min 1. (Float.erfc (distance /. sqrt variance /. sqrt 2.))

(* {1 Both} *)

let most_pairs = 400

let test xs ys =
  let m = List.length xs and n = List.length ys in
  if m = 0 || n = 0 then invalid_arg "Mann_whitney.test: an empty sample";
  let u = pairs xs ys and groups = groups (xs @ ys) in
  if m * n > most_pairs then { u; p = normal_p ~m ~n ~groups u; exact = false }
  else
    (* Both samples give the same [p]; counting is faster with the smaller one. *)
    let m, of_it = if m <= n then (m, u) else (n, float_of_int (m * n) -. u) in
    { u; p = exact_p ~m ~groups of_it; exact = true }

let least_p m n =
  (* 2 / (m + n choose m). *)
  let rec choose k = if k = 0 then 1. else choose (k - 1) *. float_of_int (n + k) /. float_of_int k in
  Float.min 1. (2. /. choose m)
