let now () = Int64.to_float (Mtime_clock.elapsed_ns ()) *. 1e-9
