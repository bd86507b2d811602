(* The call of itself is no tail call: a function that ends by one begins with a safepoint, as every loop does, and an exception
   there would leave all undone. *)
let rec again f tries =
  match f () with
  | () -> ()
  | exception other ->
      if tries = 0 then Printexc.raise_with_backtrace other (Printexc.get_raw_backtrace ());
      again f (tries - 1);
      ()

let complete f =
  try f ()
  with exn ->
    let backtrace = Printexc.get_raw_backtrace () in
    again f 1000;
    Printexc.raise_with_backtrace exn backtrace

let rec insist f x y tries =
  match f x y with
  | () -> ()
  | exception _ when tries > 0 ->
      insist f x y (tries - 1);
      ()

let insist f x y = insist f x y 1000
