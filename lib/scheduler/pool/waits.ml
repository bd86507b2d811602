type fiber = { pool : string; waits_for : string; seconds : float; stack : Printexc.raw_backtrace }

let both_clocks () = (Tsc.now (), Timer_thread.now ())
let ticks_at_first, time_at_first = both_clocks ()

(* By how far both clocks have moved since the program began. *)
let seconds_per_tick now time =
  let ticks = now - ticks_at_first and passed = time - time_at_first in
  if ticks <= 0 || passed <= 0 then 1e-9 else 1e-9 *. float_of_int passed /. float_of_int ticks

let fibers pools =
  let now, time = both_clocks () in
  let tick = seconds_per_tick now time in
  let of_entry pool suspended e =
    let seconds = Float.max 0. (tick *. float_of_int (now - Suspended_fibers.since e)) in
    Suspended_fibers.stack suspended e
    |> Option.map (fun stack -> { pool; waits_for = Suspended_fibers.what e; seconds; stack })
  in
  let of_pool (p : Pool_state.t) =
    let suspended = p.parts.home.suspended in
    let found = List.filter_map (of_entry p.name suspended) (Suspended_fibers.waits suspended) in
    (* A worker that has looked for a deadlock while a stack was read has found none: it looks again. *)
    if p.roots <> [] then Pool_state.unpark_all p;
    found
  in
  List.stable_sort (fun a b -> Float.compare b.seconds a.seconds) (List.concat_map of_pool pools)

let counted names =
  let counts = Hashtbl.create 16 in
  let add name = Hashtbl.replace counts name (1 + Option.value (Hashtbl.find_opt counts name) ~default:0) in
  List.iter add names;
  List.sort
    (fun (a, n) (b, m) -> if n <> m then Int.compare m n else String.compare a b)
    (List.of_seq (Hashtbl.to_seq counts))
