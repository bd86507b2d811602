type t = { title : string; value : float }

let counted ~what n rates =
  { title = what ^ "s"; value = float_of_int n } :: (if n > 0 then [ rates (float_of_int n) ] else [])

let operations ~what ~seconds n =
  counted ~what n (fun n -> { title = "ns/" ^ what; value = seconds *. 1e9 /. n })

let per_second ~what ~seconds n = counted ~what n (fun n -> { title = what ^ "s/s"; value = n /. seconds })

let quantile q xs =
  let n = Array.length xs in
  if n = 0 then invalid_arg "Figure.quantile: no numbers";
  let sorted = Array.copy xs in
  Array.sort Float.compare sorted;
  let rank = int_of_float (Float.ceil (q *. float_of_int n)) in
  sorted.(max 0 (min (n - 1) (rank - 1)))

let distribution ~what seconds =
  if Array.length seconds = 0 then []
  else
    let at name q = { title = Printf.sprintf "%s %s us" what name; value = quantile q seconds *. 1e6 } in
    [ at "median" 0.5; at "p99" 0.99 ]

let lower_is_better title =
  if String.starts_with ~prefix:"ns/" title || String.ends_with ~suffix:" us" title then Some true
  else if String.ends_with ~suffix:"/s" title then Some false
  else None
