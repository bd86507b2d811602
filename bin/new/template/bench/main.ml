(* The least of five runs, taken in turn: other programs make a run slower, never faster. The first run of
   each does not count: it starts the domains. *)
let least_times f g =
  let timed f =
    let start = Weft.now () in
    ignore (Sys.opaque_identity (f ()) : int);
    Weft.now () -. start
  in
  ignore (timed f +. timed g : float);
  let rounds = List.init 5 (fun _ -> (timed f, timed g)) in
  List.fold_left (fun (a, b) (f, g) -> (Float.min a f, Float.min b g)) (infinity, infinity) rounds

let () =
  let n = if Array.length Sys.argv > 1 then int_of_string Sys.argv.(1) else 300_000 in
  let sequential, parallel =
    least_times (fun () -> Collatz.longest_sequentially n) (fun () -> Collatz.longest n)
  in
  Printf.printf "%.3f s, in parallel %.3f s on %d domains: %.2f times as fast\n" sequential parallel
    (Weft.Pool.default_domains ()) (sequential /. parallel)
