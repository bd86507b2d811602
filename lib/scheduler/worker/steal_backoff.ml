type t = { mutable cost : int; mutable stolen_at : int; mutable pause : int; mutable until : int }

let make () = { cost = 0; stolen_at = 0; pause = 0; until = 0 }

(* The clock of another processor may be far ahead. *)
let is_over p ~now =
  let left = p.until - now in
  left <= 0 || left > p.pause

let[@inline] pauses p ~now = p.pause > 0 && not (is_over p ~now:(now ()))

(* A longer time is no steal: the thread did not run. *)
let highest_cost = 20_000
let longest = 4

let stolen p ~began ~now =
  p.cost <- Int.min highest_cost (now - began);
  p.stolen_at <- now

let[@inline] has_stolen p = p.stolen_at <> 0

let ended p ~more ~now =
  let was_short = (not more) && now - p.stolen_at < p.cost in
  p.stolen_at <- 0;
  p.pause <- (if was_short then Int.max p.cost (Int.min (longest * p.cost) (2 * p.pause)) else 0);
  p.until <- now + p.pause
