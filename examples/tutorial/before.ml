(* The steps from n down to 1, by n/2 or 3n+1. *)
let rec steps n = if n = 1 then 0 else 1 + steps (if n land 1 = 0 then n / 2 else (3 * n) + 1)

let () =
  let numbers = Array.init 3_000_000 succ in
  let taken = Array.map steps numbers in
  Printf.printf "the most steps: %d\n" (Array.fold_left max 0 taken)
