type t = { mutable silent : int; mutable in_a_row : int; mutable unasked : int }

let nobody = -1
let make () = { silent = nobody; in_a_row = 0; unasked = 0 }
let asks t ~victim = t.unasked = 0 || victim <> t.silent

let answered t ~victim =
  if victim = t.silent then begin
    t.silent <- nobody;
    t.unasked <- 0
  end

let most_in_a_row = 4

let in_vain t ~victim =
  t.in_a_row <- (if victim = t.silent then Int.min most_in_a_row (t.in_a_row + 1) else 1);
  t.silent <- victim;
  t.unasked <- (1 lsl t.in_a_row) - 2

let not_asked t = t.unasked <- t.unasked - 1
