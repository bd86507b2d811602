open Made

let write n channel =
  output_string channel {|{"displayTimeUnit":"ns","traceEvents":[
|};
  let workers = 4 in
  for worker = 0 to workers - 1 do
    output_string channel (name worker (Printf.sprintf "worker %d of default" worker) ^ ",\n")
  done;
  let state = Random.State.make [| 42 |] in
  let span tid cat name args from until =
    Printf.fprintf channel
      {|{"ph":"X","ts":%.3f,"dur":%.3f,"pid":4711,"tid":%d,"cat":"%s","name":"%s","args":{%s}},
|} from
      (until -. from) tid cat name args
  in
  let line worker time =
    let own = Printf.sprintf {|"worker":%d,"pool":"default"|} worker in
    let length = 2. +. Random.State.float state 60. in
    let stop = time +. length in
    span worker "job" "job"
      (Printf.sprintf {|%s,"from":"stolen","victim":%d|} own (Random.State.int state workers))
      time stop;
    (if Random.State.int state 3 = 0 then
       span worker "gc" "minor" "" (time +. (length /. 3.)) (time +. (length /. 2.))
     else
       let first = Random.State.int state 1000 in
       span worker "loop" "block"
         (Printf.sprintf {|"first":%d,"last":%d|} first (first + 100))
         (time +. 0.5) (stop -. 0.5));
    let idle = 1. +. Random.State.float state 10. in
    span worker
      (if idle > 8. then "park" else "search")
      (if idle > 8. then "park" else "search")
      own stop (stop +. idle);
    stop +. idle
  in
  let times = Array.make workers 0. in
  for i = 0 to (n / 3) - 1 do
    let worker = i mod workers in
    times.(worker) <- line worker times.(worker)
  done;
  let length = Array.fold_left Float.max 0. times in
  for i = 0 to 9 do
    let part = length /. 10. in
    let from = float_of_int i *. part in
    output_string channel
      (apart ~tid:0 ~cat:"region" ~id:(string_of_int i)
         (if i = 7 then "needle" else "step")
         from
         (from +. (part *. 0.9))
      ^ ",\n")
  done;
  output_string channel (steal 0 ~from:1 1.);
  Printf.fprintf channel {|
],"otherData":{"weft":{"version":1,"program":"large","arguments":[]}}}
|}
