type t = { mutable not_before : int }

let make () = { not_before = min_int }

let give t ~now =
  let asked = now () in
  if asked >= t.not_before then begin
    Thread.yield ();
    let back = now () in
    t.not_before <- back + (back - asked)
  end
