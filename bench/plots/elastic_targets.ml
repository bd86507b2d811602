open Target
open Readings

let sprintf = Printf.sprintf

(* {1 Idle} *)

let idle_cpu =
  make "an idle pool of 8: processor time" ~unit_:"%" (Less_than 0.1) "weft bench elastic --case idle_cpu"
    (of_figure "CPU %" (all_of [ bench "idle_cpu"; of_method "weft" ]))

let idle_slowdown =
  make "a sequential program that allocates, beside an idle pool of 8: time against without" (At_most 1.02)
    "weft bench elastic --case idle_slowdown"
    (against (all_of [ bench "idle_slowdown"; of_method "weft" ]) sequential times)

let burst =
  make "eight tasks for a pool of 8 that has idled: until all have begun, beyond parked domains" ~unit_:"us"
    (At_most 150.) "weft bench elastic --case burst"
    (of_figure "extra all us" (all_of [ bench "burst_after_250ms"; of_method "weft" ]))

(* Of a loop of a millisecond. *)
let bursts =
  List.map
    (fun (ms, bound) ->
      make
        (sprintf "a pool that has rested for %d ms: until its second domain works" ms)
        ~unit_:"us" (At_most bound) "weft bench elastic --case bursts"
        (of_figure "second domain median us"
           (all_of [ bench (sprintf "bursts_after_%dms" ms); of_method "weft" ])))
    [ (1, 30.); (20, 60.); (200, 250.) ]

let crowded_loops =
  List.map
    (fun processes ->
      make
        (sprintf "short loops on 2 domains beside %d busy process%s: time against a domain less" processes
           (if processes = 1 then "" else "es"))
        (At_most 1.05) "weft bench elastic --case crowded_loops"
        (against (all_of [ ours; in_case (sprintf "crowded_loops_%d" processes); on 2 ]) (same_on 1) times))
    [ 1; 2; 4 ]

let every_ms =
  make "a task every millisecond: processor time beyond that of the submitter" ~unit_:"%" (At_most 2.)
    "weft bench elastic --case every_ms"
    (of_figure "beyond %" (all_of [ bench "every_ms"; of_method "weft" ]))

(* {1 More domains than processors} *)

(* Other cases judge runs beside other programs. *)
let alone row = of_suites row || in_case "crowded" row

let crowded n =
  make (sprintf "every benchmark: time on %d domains against 2, with 2 processors" n)
    ~goal:(At_most 1.05) (At_most 1.1) ~speaks_of:Known.judged
    (sprintf "weft bench all --domains 2,%d && weft bench elastic --case crowded --domains 2,%d" n n)
    (fun run ->
      match Run.processors run with
      | Some 2 | None -> against (all_of [ ours; alone; on n; usual run ]) (same_on 2) times run
      | Some _ -> [])

let beside case what =
  make
    (sprintf "%s: time on 8 domains against 2" what)
    (At_most 1.1) ~speaks_of:[ "alloc"; "compute"; "fib" ]
    (sprintf "weft bench elastic --case %s" case)
    (against (all_of [ ours; in_case case; on 8 ]) (same_on 2) times)

(* {1 Events} *)

let events =
  make "tasks of 10 us: time more while events are written" ~unit_:"%" (Less_than 1.)
    "weft bench elastic --case events"
    (of_figure "% more" (bench "events"))

let all =
  List.map crowded [ 4; 8; 16 ]
  @ [
      beside "neighbour" "beside a process that keeps one processor busy";
      beside "twin" "beside the same program in another process";
      beside "quota_1" "under a CPU quota of one processor";
      beside "quota_1_5" "under a CPU quota of one and a half processors";
      idle_cpu;
      idle_slowdown;
      burst;
    ]
  @ bursts @ crowded_loops @ [ every_ms; events ]
