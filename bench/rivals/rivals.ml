open Weft_bench_harness

let all = (Domainslib_rival.rival :: Moonpool_rival.rivals) @ [ Picos_rival.rival ]

let ways_of (module R : Rival.S) =
  let module R = Entered.Make (R) in
  let module Fork_join = Fork_join.Make (R) in
  let module Loops = Loops.Make (R) in
  let module Messages = Messages.Make (R) in
  Fork_join.ways @ Loops.ways @ Messages.ways

let ways = List.concat_map (function Rival.Present rival -> ways_of rival | Missing _ -> [])

let loop_of (module R : Rival.S) =
  let module R = Entered.Make (R) in
  (R.contestant, fun ~start ~finish ~body -> R.parallel_for (R.here ()) ~start ~finish ~body ())

let loops = List.filter_map (function Rival.Present rival -> Some (loop_of rival) | Missing _ -> None)

(* The benchmarks that need only forks and loops. *)
let benchmarks = List.map fst (ways_of (module Sequential_rival.Sequential_rival))

let missing =
  List.filter_map (function
    | Rival.Present _ -> None
    | Missing { name; reason } -> Some { Contestant.name; reason; benchmarks })
