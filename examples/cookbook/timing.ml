(* The least of several runs, taken in turn: other programs make a run slower, never faster. The first run of each does not
   count: it starts the pool's domains and fills the caches. *)
let best_of runs f g =
  let timed f =
    let start = Weft.now () in
    ignore (Sys.opaque_identity (f ()));
    Weft.now () -. start
  in
  ignore (timed f +. timed g : float);
  let rounds = List.init runs (fun _ -> (timed f, timed g)) in
  List.fold_left (fun (a, b) (f, g) -> (Float.min a f, Float.min b g)) (infinity, infinity) rounds

let rec steps n = if n = 1 then 0 else 1 + steps (if n land 1 = 0 then n / 2 else (3 * n) + 1)

let () =
  let measures = Array.length Sys.argv > 1 in
  let n = if measures then int_of_string Sys.argv.(1) else 1000 in
  let numbers = Array.init n succ in
  let sequential () = Array.map steps numbers and parallel () = Weft.Array.map steps numbers in
  Printf.printf "the same result: %b\n" (sequential () = parallel ());
  if measures then begin
    let before, after = best_of 5 sequential parallel in
    Printf.printf "%.3f s, in parallel %.3f s: %.2f times as fast\n" before after (before /. after)
  end
