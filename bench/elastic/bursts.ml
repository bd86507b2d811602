open Weft_bench_harness
open Weft_bench_suites

let iterations = 64
let microseconds = 1_000

type burst = { second : float option; whole : float }

let burst (pool : Pools.t) counts operations =
  let home = Domain.self () and second = Atomic.make None in
  let asked = Clock.now () in
  pool.for_ iterations (fun i ->
      if Domain.self () <> home && Option.is_none (Atomic.get second) then
        ignore (Atomic.compare_and_set second None (Some (Clock.now () -. asked)) : bool);
      Microseconds.spend operations;
      counts.(i) <- counts.(i) + 1);
  { second = Atomic.get second; whole = Clock.now () -. asked }

let bursts ~pause n =
  let pool = Pools.current () and counts = Array.make iterations 0 in
  let operations = microseconds * Microseconds.per_microsecond () / iterations in
  let all =
    Array.init n (fun _ ->
        Unix.sleepf pause;
        burst pool counts operations)
  in
  (all, counts)

let check n (_, counts) = Checks.ints ~length:iterations ~expected:(Fun.const n) counts

let figures ~seconds:_ (all, _) =
  let shared = Array.of_seq (Seq.filter_map (fun { second; _ } -> second) (Array.to_seq all)) in
  let alone = Array.length all - Array.length shared in
  { Figure.title = "alone %"; value = 100. *. float_of_int alone /. float_of_int (Array.length all) }
  :: Figure.distribution ~what:"second domain" shared
  @ Figure.distribution ~what:"burst" (Array.map (fun { whole; _ } -> whole) all)

let after ~milliseconds ~bursts:default_size =
  let way = Simple.way ~check ~figures (bursts ~pause:(float_of_int milliseconds *. 1e-3)) in
  let pools = [ Pools.parked; Pools.weft ] @ Pools.rivals in
  Simple.benchmark
    ~name:(Printf.sprintf "bursts_after_%dms" milliseconds)
    ~doc:(Printf.sprintf "a loop of a millisecond in a pool that has rested for %d ms" milliseconds)
    ~size_doc:"the number of bursts" ~default_size ~paced:true
    (way Pools.none :: List.map (fun contestant -> way (Pools.rested contestant)) pools)
