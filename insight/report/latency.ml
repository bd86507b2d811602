type t = {
  count : int;
  total : int;
  mean : float;
  least : int;
  p50 : int;
  p90 : int;
  p99 : int;
  p999 : int;
  greatest : int;
  histogram : (int * int) list;
}

let percentile sorted (n, d) =
  let rank = ((Array.length sorted * n) + d - 1) / d in
  sorted.(max 0 (rank - 1))

(* The greatest is [max_int], which stands for 5e18. *)
let next_bound bound =
  let rec leading n = if n < 10 then n else leading (n / 10) in
  if bound > max_int / 5 * 2 then max_int else if leading bound = 2 then bound / 2 * 5 else bound * 2

let histogram sorted =
  let rec go bound i counted all =
    if i = Array.length sorted then List.rev (if counted > 0 then (bound, counted) :: all else all)
    else if sorted.(i) <= bound then go bound (i + 1) (counted + 1) all
    else go (next_bound bound) i 0 (if counted > 0 || all <> [] then (bound, counted) :: all else all)
  in
  go 1 0 0 []

let of_durations durations =
  let count = Array.length durations in
  if count = 0 then None
  else (
    Array.stable_sort Int.compare durations;
    let total = Array.fold_left ( + ) 0 durations in
    let at = percentile durations in
    Some
      {
        count;
        total;
        mean = float_of_int total /. float_of_int count;
        least = durations.(0);
        p50 = at (1, 2);
        p90 = at (9, 10);
        p99 = at (99, 100);
        p999 = at (999, 1000);
        greatest = durations.(count - 1);
        histogram = histogram durations;
      })
