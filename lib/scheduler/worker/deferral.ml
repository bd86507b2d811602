type t = { mutable top : int; mutable since : int }

let make () = { top = -1; since = 0 }

(* In ticks: [Grain.worth_sharing]. *)
let time = 16_384

(* The clock of another processor may be far behind. *)
let is_put_off s ~top ~now =
  if s.top = top then begin
    let lay = now - s.since in
    lay >= 0 && lay < time
  end
  else begin
    s.since <- now;
    s.top <- top;
    true
  end
