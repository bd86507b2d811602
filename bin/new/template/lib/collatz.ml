(* The steps from n down to 1, by n/2 or 3n+1: few for some numbers, many for others. *)
let rec steps n = if n = 1 then 0 else 1 + steps (if n land 1 = 0 then n / 2 else (3 * n) + 1)

let longest_sequentially n =
  let longest = ref 0 in
  for i = 1 to n do
    longest := Int.max !longest (steps i)
  done;
  !longest

(* The iterations may run at the same time: they return values, and [Int.max] combines these. A
   [ref] that all of them write would lose some. *)
let longest n = Weft.parallel_for_reduce ~start:1 ~finish:n ~body:steps Int.max 0
