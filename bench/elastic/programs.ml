open Weft_bench_harness
module Clock = Weft_bench_suites.Clock

(* {1 Beside an idle pool} *)

let cpu_now () =
  let t = Unix.times () in
  t.tms_utime +. t.tms_stime

(* Processor time of the whole process during [f ()], in percent of one processor. *)
let with_cpu_percent f =
  let cpu = cpu_now () and from = Clock.now () in
  let result = f () in
  let seconds = Clock.now () -. from in
  (result, (cpu_now () -. cpu) /. seconds *. 100.)

let percent value = { Figure.title = "CPU %"; value }

let idle_cpu =
  let compute milliseconds =
    snd (with_cpu_percent (fun () -> Unix.sleepf (float_of_int milliseconds /. 1e3)))
  in
  let way =
    Simple.way ~check:(fun _ (_ : float) -> Ok ()) ~figures:(fun ~seconds:_ cpu -> [ percent cpu ]) compute
  in
  Simple.benchmark ~name:"idle_cpu" ~doc:"what a pool that has worked and idles uses of one processor"
    ~size_doc:"for how many milliseconds" ~default_size:1_200 ~paced:true
    (List.map (fun contestant -> way (Pools.rested contestant)) [ Pools.parked; Pools.weft ])

let idle_slowdown =
  let way = Simple.way ~check:Loads.check_alloc Loads.alloc_in_a_row in
  let pools = List.map Pools.rested [ Pools.parked; Pools.weft; Pools.weft_equal_heap ] in
  Simple.benchmark ~name:"idle_slowdown" ~doc:"a sequential program that allocates, beside a pool that idles"
    ~size_doc:"the number of tasks, one after the other" ~default_size:1_200
    (List.map way (Pools.none :: pools))

(* {1 Bursts} *)

let burst_tasks = 8

type burst = { first : float; all_begun : float; all_ended : float }
(** seconds after the submission *)

let one_burst (pool : Pools.t) =
  let began = Array.make burst_tasks nan and ended = Array.make burst_tasks nan in
  let left = Atomic.make burst_tasks in
  let task k () =
    began.(k) <- Clock.now ();
    ignore (Sys.opaque_identity (List.init 1_000 Fun.id) : int list);
    ended.(k) <- Clock.now ();
    Atomic.decr left
  in
  let asked = Clock.now () in
  for k = 0 to burst_tasks - 1 do
    pool.submit (task k)
  done;
  (* Waiting for a promise of Weft would run tasks in place; so the caller sleeps and checks the counter. *)
  while Atomic.get left > 0 do
    Unix.sleepf 0.0002
  done;
  let after choose times = Array.fold_left choose times.(0) times -. asked in
  { first = after Float.min began; all_begun = after Float.max began; all_ended = after Float.max ended }

let bursts ~pause n =
  let pool = Pools.current () in
  Array.init n (fun _ ->
      Unix.sleepf pause;
      one_burst pool)

let check_bursts n all =
  let is_right { first; all_begun; all_ended } =
    0. <= first && first <= all_begun && all_begun <= all_ended
  in
  let right = List.length (List.filter is_right (Array.to_list all)) in
  Weft_bench_suites.Operations.count "bursts begun after they were submitted" n right

let burst_figures ~seconds:_ all =
  List.concat_map
    (fun (what, get) -> Figure.distribution ~what (Array.map get all))
    [
      ("first start", fun b -> b.first);
      ("all begun", fun b -> b.all_begun);
      ("all ended", fun b -> b.all_ended);
    ]

let burst ~name ~doc ~pause =
  let way = Simple.way ~check:check_bursts ~figures:burst_figures (bursts ~pause) in
  Simple.benchmark ~name ~doc ~size_doc:"the number of bursts" ~default_size:60 ~paced:true
    (List.map (fun contestant -> way (Pools.rested contestant)) [ Pools.parked; Pools.spawned; Pools.weft ])

let burst_after_250ms =
  burst ~name:"burst_after_250ms" ~doc:"eight tasks submitted to a pool that has idled for 250 ms" ~pause:0.25

let burst_after_1ms =
  burst ~name:"burst_after_1ms" ~doc:"eight tasks submitted to a pool that has idled for 1 ms" ~pause:0.001

(* {1 A task every millisecond} *)

let period = 0.001

let submit_every_period (pool : Pools.t) n =
  let asked = Array.make n nan and started = Array.make n nan in
  let ended = Atomic.make 0 in
  let from = Clock.now () in
  for i = 0 to n - 1 do
    let early = from +. (float_of_int i *. period) -. Clock.now () in
    if early > 0. then Unix.sleepf early;
    asked.(i) <- Clock.now ();
    pool.submit (fun () ->
        started.(i) <- Clock.now ();
        Atomic.incr ended)
  done;
  while Atomic.get ended < n do
    Unix.sleepf period
  done;
  Array.map2 (fun started asked -> started -. asked) started asked

let every_ms =
  let compute n =
    let pool = Pools.current () in
    with_cpu_percent (fun () -> submit_every_period pool n)
  in
  let way contestant =
    Simple.way
      ~check:(fun n (delays, _) -> Weft_bench_suites.Wake.check n delays)
      ~figures:(fun ~seconds:_ (delays, cpu) -> percent cpu :: Figure.distribution ~what:"wake" delays)
      compute contestant
  in
  (* The hand-written pool of one domain has no worker besides the submitter. *)
  let of_several (way : Benchmark.way) =
    { way with work = (fun params -> if params.domains > 1 then way.work params else None) }
  in
  Simple.benchmark ~name:"every_ms" ~doc:"a task that does next to nothing, submitted every millisecond"
    ~size_doc:"the number of tasks" ~default_size:1_200 ~paced:true
    [ way Pools.none; of_several (way (Pools.rested Pools.parked)); way (Pools.rested Pools.weft) ]
