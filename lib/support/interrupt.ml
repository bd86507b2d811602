let rec again f tries exn backtrace =
  match f () with
  | () -> Printexc.raise_with_backtrace exn backtrace
  | exception other ->
      if tries = 0 then Printexc.raise_with_backtrace other (Printexc.get_raw_backtrace ())
      else again f (tries - 1) exn backtrace

(* [again] begins with a safepoint, as every loop does: the next try, which mostly is the last, comes before it. *)
let complete f =
  try f ()
  with exn -> (
    let backtrace = Printexc.get_raw_backtrace () in
    match f () with
    | () -> Printexc.raise_with_backtrace exn backtrace
    | exception _ -> again f 1000 exn backtrace)
