let classes = 24

(* The class of the sizes from [2^c] on. *)
let class_of n =
  let rec up c n = if n <= 1 || c = classes - 1 then c else up (c + 1) (n lsr 1) in
  up 0 n

type t = {
  fixed : int;  (** 0: measured *)
  one_by_one : float array;  (** ticks per operation; 0: not known *)
  as_batch : float array;
  chosen : int array;  (** how often there was a batch of this class *)
}

let make cutoff =
  let fixed = match cutoff with `Adaptive -> 0 | `Fixed n -> n in
  {
    fixed;
    one_by_one = Array.make classes 0.;
    as_batch = Array.make classes 0.;
    chosen = Array.make classes 0;
  }

(* Larger batches are not tried one by one: the cost of an operation in them hardly depends on the size. *)
let largest_try = 8
let every = 32

let rec nearest_below costs c =
  if c < 0 then 0. else if costs.(c) > 0. then costs.(c) else nearest_below costs (c - 1)

let one_by_one t c = if t.one_by_one.(c) > 0. then t.one_by_one.(c) else nearest_below t.one_by_one (c - 1)

let choose_measured t n =
  let c = class_of n in
  let k = t.chosen.(c) in
  t.chosen.(c) <- k + 1;
  let single = one_by_one t c and batch = t.as_batch.(c) in
  let other_way = k land (every - 1) = every - 1 in
  if batch = 0. then true
  else if single = 0. then c > largest_try
  else if single <= batch then other_way
  else not (other_way && c <= largest_try)

let is_measured t = t.fixed = 0
let choose t n = n > 1 && if t.fixed > 0 then n >= t.fixed else choose_measured t n

(* A new value counts a quarter: so one batch that was interrupted does not count for long. *)
let record t n ~batch ticks =
  if n > 0 then begin
    let c = class_of n in
    let costs = if batch then t.as_batch else t.one_by_one in
    let cost = Float.max 0.1 (float_of_int ticks /. float_of_int n) in
    costs.(c) <- (if costs.(c) = 0. then cost else (0.75 *. costs.(c)) +. (0.25 *. cost))
  end

let known cost = if cost > 0. then Some cost else None

let rec nearest_above costs c =
  if c = classes then 0. else if costs.(c) > 0. then costs.(c) else nearest_above costs (c + 1)

let nearest costs c =
  let below = nearest_below costs c in
  known (if below > 0. then below else nearest_above costs c)

let costs t n =
  let c = class_of n in
  (nearest t.one_by_one c, nearest t.as_batch c)

let cutoff t =
  if t.fixed > 0 then t.fixed
  else
    let wins c = t.as_batch.(c) > 0. && t.as_batch.(c) < one_by_one t c in
    let rec first c = if c = classes then max_int else if wins c then 1 lsl c else first (c + 1) in
    first 1
