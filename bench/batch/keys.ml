type pattern = Uniform | Ascending | Descending | Equal | Zipf

let name = function
  | Uniform -> "uniform"
  | Ascending -> "ascending"
  | Descending -> "descending"
  | Equal -> "equal"
  | Zipf -> "zipf"

(* {1 Zipf} *)

let theta = 0.99

(* Draws ranks by inverting an approximation of the distribution: Gray, Sundaresan, Englert, Baclawski and
   Weinberger, Quickly generating billion-record synthetic databases, SIGMOD 1994. *)
let zipf_of ranks =
  let zeta n =
    let sum = ref 0. in
    for k = 1 to n do
      sum := !sum +. (1. /. Float.pow (float_of_int k) theta)
    done;
    !sum
  in
  let n = float_of_int ranks and all = zeta ranks and two = zeta 2 in
  let eta = (1. -. Float.pow (2. /. n) (1. -. theta)) /. (1. -. (two /. all)) in
  fun u ->
    let scaled = u *. all in
    if scaled < 1. || ranks = 1 then 0
    else if scaled < two || ranks = 2 then 1
    else
      let rank = n *. Float.pow ((eta *. u) -. eta +. 1.) (1. /. (1. -. theta)) in
      min (ranks - 1) (int_of_float rank)

let zipf = Weft_bench_suites.Checks.once_per_size zipf_of

(* Each rank always has the same position. *)
let scatter rank ~range =
  let x = (rank + 1) * 0x1e3779b97f4a7c15 in
  let x = x lxor (x lsr 29) * 0x3f58476d1ce4e5b9 in
  x lxor (x lsr 32) land max_int mod range

(* {1 Positions} *)

(* Greater ranks would hardly ever be drawn. *)
let most_ranks = 1_000_000

let positions pattern random ~range ~count =
  let even i = if count <= range then i * (range / count) else i * range / count in
  match pattern with
  | Uniform -> fun _ -> Random.State.full_int random range
  | Ascending -> even
  | Descending -> fun i -> even (count - 1 - i)
  | Equal -> fun _ -> range / 2
  | Zipf ->
      let rank = zipf (min range most_ranks) in
      fun _ -> scatter (rank (Random.State.float random 1.)) ~range

let spread random ~range n =
  let part = if n = 0 then 0 else range / n in
  Array.init n (fun i -> (i * part) + Random.State.full_int random part)

(* {1 Sorting} *)

let digit = 11
let digits = 1 lsl digit

let rec ascend (keys : int array) i =
  i >= Array.length keys || (keys.(i - 1) <= keys.(i) && ascend keys (i + 1))

let sort keys =
  let n = Array.length keys in
  let greatest = Array.fold_left Int.max 0 keys in
  let rec pass shift from into =
    if greatest lsr shift = 0 then from
    else
      let starts = Array.make (digits + 1) 0 in
      let of_key k = (k lsr shift) land (digits - 1) in
      Array.iter (fun k -> starts.(of_key k + 1) <- starts.(of_key k + 1) + 1) keys;
      for d = 1 to digits do
        starts.(d) <- starts.(d) + starts.(d - 1)
      done;
      for i = 0 to n - 1 do
        let d = of_key keys.(from.(i)) in
        into.(starts.(d)) <- from.(i);
        starts.(d) <- starts.(d) + 1
      done;
      pass (shift + digit) into from
  in
  pass 0 (Array.init n Fun.id) (Array.make n 0)

let order keys = if ascend keys 1 then Array.init (Array.length keys) Fun.id else sort keys
