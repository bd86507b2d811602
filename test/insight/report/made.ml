type args = (string * Yojson.Safe.t) list

let pool : Yojson.Safe.t = `String "default"
let ms x = x *. 1000.

let event ph ?(more = []) ~tid ~cat name ts args =
  Yojson.Safe.to_string
    (`Assoc
       ([ ("ph", `String ph); ("ts", `Float ts) ]
       @ more
       @ [
           ("pid", `Int 4711);
           ("tid", `Int tid);
           ("cat", `String cat);
           ("name", `String name);
           ("args", `Assoc args);
         ]))

(* As weft trace marks the end of a span that was not read. *)
let unfinished = ("unfinished", `Bool true)

let span ?(args = []) ~tid ~cat name from until =
  event "X" ~more:[ ("dur", `Float (until -. from)) ] ~tid ~cat name from args

let of_worker n args = ("worker", `Int n) :: ("pool", pool) :: args
let job ?(args = []) n from until = span ~args:(of_worker n args) ~tid:n ~cat:"job" "job" from until

let search n from until =
  span ~args:(of_worker n [ ("found", `Bool false) ]) ~tid:n ~cat:"search" "search" from until

let park n from until = span ~args:(of_worker n []) ~tid:n ~cat:"park" "park" from until
let gc n name from until = span ~tid:n ~cat:"gc" name from until
let steal n ~from time = event "i" ~tid:n ~cat:"steal" "steal" time (of_worker n [ ("victim", `Int from) ])

let apart ?(args = []) ~tid ~cat ~id name from until =
  let half ph time args = event ph ~more:[ ("id", `String id) ] ~tid ~cat name time args in
  half "b" from args ^ ",\n" ^ half "e" until []

let block n ~first ~last from until =
  span ~args:[ ("first", `Int first); ("last", `Int last) ] ~tid:n ~cat:"loop" "block" from until

let counter counter ~id values time =
  event "C"
    ~more:[ ("id", `String id) ]
    ~tid:0 ~cat:"counter" counter time
    (List.map (fun (key, x) -> (key, `Float x)) values)

let name tid text =
  Yojson.Safe.to_string
    (`Assoc
       [
         ("ph", `String "M");
         ("pid", `Int 4711);
         ("tid", `Int tid);
         ("name", `String "thread_name");
         ("args", `Assoc [ ("name", `String text) ]);
       ])

let gap n ~lost from until =
  span
    ~args:[ ("words", `Int (4 * lost)); ("events", `Int lost) ]
    ~tid:n ~cat:"trace" "events lost" from until

let weft ?(version = 1) ?(lost = 0) ?damaged ?tracer ?by ?last ?(program = "./made") ?(workers = []) events =
  let worker (number, index) : Yojson.Safe.t =
    `Assoc [ ("worker", `Int index); ("pool", pool); ("number", `Int number) ]
  in
  Printf.sprintf
    {|{"displayTimeUnit":"ns","traceEvents":[
%s
],"otherData":{"weft":{"version":%d,"program":%s,"arguments":["40"],"by":%s,"last_s":%s,"lost":{"words":0,"events":%d},"damaged":%s,%s"workers":%s}}}
|}
    (String.concat ",\n" events) version
    (Yojson.Safe.to_string (`String program))
    (Yojson.Safe.to_string (match by with Some by -> `String by | None -> `Null))
    (match last with Some seconds -> Printf.sprintf "%g" seconds | None -> "null")
    lost
    (match damaged with Some why -> Yojson.Safe.to_string (`String why) | None -> "null")
    (match tracer with
    | Some (cpu, length) -> Printf.sprintf {|"tracer_cpu_ns":%d,"duration_ns":%d,|} cpu length
    | None -> "")
    (Yojson.Safe.to_string (`List (List.map worker workers)))

let plain events = "[" ^ String.concat ",\n" events ^ "]\n"

let in_file ?(name = "trace.json") text f =
  Testing.Folder.within "weft-report" @@ fun folder ->
  let path = Filename.concat folder name in
  Out_channel.with_open_bin path (fun channel -> output_string channel text);
  f path

(* {1 Programs} *)

let names = [ name 0 "worker 0 of default"; name 1 "worker 1 of default" ]
let times n f = List.init n f

let balanced =
  weft
    (names
    @ [ job 0 0. (ms 990.); search 0 (ms 990.) (ms 990.02); park 0 (ms 990.02) (ms 1000.); search 1 0. 15. ]
    @ [ steal 1 ~from:0 15. ]
    @ times 10 (fun i -> job 1 (15. +. ms (float_of_int i *. 99.)) (10. +. ms (float_of_int (i + 1) *. 99.)))
    @ [
        counter "forks" ~id:"0" [ ("forks", 1000.) ] (ms 500.);
        counter "forks" ~id:"0" [ ("forks", 5000.) ] (ms 900.);
      ])

let region name from until = apart ~tid:0 ~cat:"region" ~id:name name from until

let forced_chunk =
  let chunk n i at = block n ~first:(i * 1000) ~last:((i * 1000) + 999) at (at +. ms 40.) in
  weft
    (names
    @ [ job 0 0. (ms 200.); job 1 0. (ms 80.); search 1 (ms 80.) (ms 80.02); park 1 (ms 80.02) (ms 200.) ]
    @ [ region "sort" 0. (ms 200.) ]
    @ times 5 (fun i -> chunk 0 i (ms (40. *. float_of_int i)))
    @ times 2 (fun i -> chunk 1 (i + 5) (ms (40. *. float_of_int i))))

let long_iteration =
  weft
    (names
    @ [ job 0 0. (ms 200.); job 1 0. (ms 60.); search 1 (ms 60.) (ms 200.) ]
    @ times 20 (fun i ->
          block 0 ~first:(9 * i) ~last:((9 * i) + 8) (float_of_int i *. 30.) ((float_of_int i *. 30.) +. 25.))
    @ [ block 0 ~first:777 ~last:777 (ms 50.) (ms 200.) ])

let locked =
  let waits i =
    let at = ms (float_of_int i) in
    let tid = i mod 2 in
    apart ~tid ~cat:"lock" ~id:(string_of_int i) ~args:[ ("object", `Int 7) ] "Weft.Mutex.lock" at (at +. 900.)
  in
  weft
    (names
    @ times 100 (fun i -> job 0 (ms (float_of_int i)) (ms (float_of_int i) +. 990.))
    @ times 100 (fun i -> job 1 (ms (float_of_int i)) (ms (float_of_int i) +. 200.))
    @ times 100 (fun i -> search 1 (ms (float_of_int i) +. 200.) (ms (float_of_int i) +. 1000.))
    @ times 100 waits
    @ [ apart ~tid:1 ~cat:"lock" ~id:"other" ~args:[ ("object", `Int 3) ] "Weft.Mutex.lock" 5. 30. ])

let collecting =
  let collection n i =
    let at = ms (float_of_int i) in
    [
      gc n "stw_leader" (at +. 300.) (at +. 1000.);
      gc n "minor" (at +. 310.) (at +. 950.);
      gc n "major_slice" (at +. 955.) (at +. 990.);
    ]
  in
  let both f = f 0 @ f 1 in
  weft
    (names
    @ both (fun n -> [ job n 0. (ms 100.) ])
    @ both (fun n -> List.concat (times 100 (collection n)))
    @ times 100 (fun i ->
          counter "minor_promoted" ~id:"0" [ ("bytes", 208000.) ] (ms (float_of_int i) +. 960.))
    @ times 100 (fun i ->
          counter "minor_allocated" ~id:"0" [ ("bytes", 2097152.) ] (ms (float_of_int i) +. 960.)))

let all_forks n at = counter "forks" ~id:"0" [ ("forks", n) ] (ms at)

(* Worker 1 is woken every 5 ms, steals a part of a loop, and finds no more. *)
let short_loops =
  let help i =
    let at = ms (5. *. float_of_int i) in
    [
      steal 1 ~from:0 at;
      job 1 at (at +. 10.);
      search 1 (at +. 10.) (at +. 40.);
      park 1 (at +. 40.) (at +. ms 5.);
    ]
  in
  weft
    (names @ [ job 0 0. (ms 500.); all_forks 0. 0.; all_forks 600_000. 500. ] @ List.concat (times 100 help))

let alone_at_last =
  weft
    (names
    @ [ job 0 0. (ms 100.); job 1 0. (ms 50.); search 1 (ms 50.) (ms 51.); park 1 (ms 51.) (ms 100.) ]
    @ [ all_forks 300_000. 50.; all_forks 600_000. 100. ])

let rounds ~samples =
  let start i = 10. *. float_of_int i in
  let forks i = 10_000. *. float_of_int i in
  let round i =
    let at = ms (start i) in
    let later = at +. ms 5. in
    let next = at +. ms 10. in
    [ steal 1 ~from:0 at; job 1 at later; search 1 later (later +. 40.); park 1 (later +. 40.) next ]
    @ [ apart ~tid:0 ~cat:"region" ~id:(Printf.sprintf "r%d" i) "sequential" later (next -. 1.) ]
    @
    match samples with
    | `Ends -> []
    | `Steps -> [ all_forks (forks i) (start i); all_forks (forks (i + 1)) (start i +. 5.) ]
  in
  weft
    (names
    @ [ job 0 0. (ms (start 100)); all_forks 0. 0. ]
    @ List.concat (times 100 round)
    @ [ all_forks (forks 100) (start 100) ])

let sequential = weft (names @ [ job 0 0. (ms 100.); search 1 0. (ms 1.); park 1 (ms 1.) (ms 100.) ])
let leave n time = event "i" ~tid:n ~cat:"worker" "leave" time (of_worker n [ ("number", `Int n) ])

let outside =
  weft
    (names
    @ [
        job 0 0. (ms 50.);
        leave 0 (ms 50.);
        job 1 0. (ms 50.);
        park 1 (ms 50.) (ms 150.);
        gc 0 "minor" (ms 149.) (ms 150.);
      ])

let blocked =
  weft
    (names
    @ [ job 0 0. (ms 20.); park 0 (ms 20.) (ms 95.); job 0 (ms 95.) (ms 100.); park 1 0. (ms 100.) ]
    @ [ apart ~tid:2 ~cat:"blocking" ~id:"1" "blocking call" (ms 10.) (ms 95.) ])

let starved =
  weft
    (names
    @ [ job 0 0. (ms 100.); job 1 0. (ms 10.); park 1 (ms 10.) (ms 100.) ]
    @ [ apart ~tid:1 ~cat:"channel" ~id:"1" ~args:[ ("object", `Int 2) ] "Weft.Chan.recv" (ms 5.) (ms 100.) ]
    )

let disturbed ?processors ~cpu ~waiting text =
  let allowed = match processors with Some n -> [ ("processors", float_of_int n) ] | None -> [] in
  let process at =
    counter "process" ~id:"0"
      ([ ("cpu_us", cpu *. at); ("waiting_us", waiting *. at) ] @ allowed)
      (ms (at *. 100.))
  in
  let marker = {|"traceEvents":[|} in
  let rec find i =
    if String.sub text i (String.length marker) = marker then i + String.length marker else find (i + 1)
  in
  let at = find 0 in
  String.sub text 0 at ^ process 0. ^ "," ^ process 1. ^ "," ^ String.sub text at (String.length text - at)

let of_two_processors =
  times 11 (fun i ->
      let t = float_of_int i *. 10. in
      counter "cpu" ~id:"0" [ ("total_ms", 2. *. t); ("steal_ms", 0.) ] (ms t))

let beside ~processors =
  let turn i =
    let at = ms (float_of_int i) in
    [ job (i mod 2) at (at +. 1000.); search ((i + 1) mod 2) at (at +. 1000.) ]
  in
  disturbed ~processors ~cpu:95_000. ~waiting:40_000.
    (weft (names @ List.concat (times 100 turn) @ of_two_processors))

let both_at_work = weft (names @ [ job 0 0. (ms 100.); job 1 0. (ms 100.) ] @ of_two_processors)

let last =
  let forks id n at = counter "forks" ~id [ ("forks", n) ] (ms at) in
  let lost n at =
    event "i" ~tid:0 ~cat:"trace" "events lost" (ms at) [ ("words", `Int n); ("events", `Int n) ]
  in
  weft ~lost:900_003 ~last:0.1
    (names
    @ [ job 0 (ms 5000.) (ms 5100.); job 1 (ms 5020.) (ms 5100.); lost 3 5050. ]
    @ [ forks "0" 1_000_000. 5000.; forks "0" 1_004_000. 5040.; forks "0" 1_005_000. 5090. ]
    @ [ forks "1" 20. 5030.; forks "1" 70. 5090. ])

let dump =
  let forks n at = counter "forks" ~id:"0" [ ("forks", n) ] (ms at) in
  weft ~by:"rings"
    (names
    @ [ job 0 0. (ms 100.); job 1 0. (ms 30.); search 1 (ms 30.) (ms 100.) ]
    @ [ forks 1_000_000. 10.; forks 1_000_040. 50.; forks 1_000_080. 90. ])

let successive_pools =
  let forks n at = counter "forks" ~id:"0" [ ("forks", n) ] (ms at) in
  weft
    (names
    @ [ job 0 0. (ms 100.); job 1 0. (ms 30.); search 1 (ms 30.) (ms 100.) ]
    @ [ forks 35_538. 20.; forks 35_538. 40.; forks 0. 60.; forks 35_538. 80. ])

let lost_start ~by_number ~workers =
  let of_number key n = [ (key, `Int n) ] in
  weft ~lost:40 ~workers
    [
      span ~args:(of_number by_number 17) ~tid:0 ~cat:"job" "job" 0. (ms 40.);
      event "i" ~tid:0 ~cat:"steal" "steal" (ms 20.)
        (if by_number = "number" then of_number by_number 17 @ of_number "victim_number" 18
         else of_worker 0 [ ("victim", `Int 1) ]);
      job 0 (ms 40.) (ms 100.);
      steal 0 ~from:1 (ms 50.);
      job 1 0. (ms 100.);
    ]

let taken_away =
  let collection n i ~own =
    let at = ms (float_of_int i *. 10.) in
    [ gc n "stw_leader" (at +. 10.) (at +. 5000.); gc n "minor" (at +. 10.) (at +. 10. +. own) ]
  in
  let both f = f 0 @ f 1 in
  weft
    (names
    @ both (fun n -> [ job n 0. (ms 100.) ])
    @ both (fun n ->
          List.concat (times 10 (fun i -> collection n i ~own:(if i mod 3 = 0 then 4900. else 20.)))))

let no_workers = weft [ gc 0 "minor" 0. 10.; gc 0 "minor" 90. 100. ]

let crowded =
  weft ~lost:12
    ((name 2 "worker 2 of default" :: names)
    @ [ job 0 0. (ms 100.); job 1 0. (ms 100.); job 2 0. (ms 95.); search 2 (ms 95.) (ms 100.) ]
    @ times 11 (fun i ->
          let t = float_of_int i *. 10. in
          counter "cpu" ~id:"0" [ ("total_ms", t); ("steal_ms", t /. 5.) ] (ms t)))
