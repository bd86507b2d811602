type t = {
  mutable silent : int; (* the victim that has not answered the last question; or [nobody] *)
  mutable in_a_row : int; (* how many in a row it has not answered; no more than [most_in_a_row] *)
  mutable to_skip : int; (* how many of its jobs are to be taken without a question *)
}

let nobody = -1
let make () = { silent = nobody; in_a_row = 0; to_skip = 0 }
let asks t ~victim = t.to_skip = 0 || victim <> t.silent

let answered t ~victim =
  if victim = t.silent then begin
    t.silent <- nobody;
    t.to_skip <- 0
  end

let most_in_a_row = 4

let not_answered t ~victim =
  t.in_a_row <- (if victim = t.silent then Int.min most_in_a_row (t.in_a_row + 1) else 1);
  t.silent <- victim;
  t.to_skip <- (1 lsl t.in_a_row) - 2

let not_asked t = t.to_skip <- t.to_skip - 1
