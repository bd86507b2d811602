let rec again f tries exn backtrace =
  match f () with
  | () -> Printexc.raise_with_backtrace exn backtrace
  | exception other ->
      if tries = 0 then Printexc.raise_with_backtrace other (Printexc.get_raw_backtrace ())
      else again f (tries - 1) exn backtrace

let complete f = try f () with exn -> again f 1000 exn (Printexc.get_raw_backtrace ())
