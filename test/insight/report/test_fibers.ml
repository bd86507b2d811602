(* What weft report says of fibers, locks and lines, word for word, in made-up traces. *)

open Made_traces
open Weft_report

let case name f = Testing.Watchdog.case name f
let ms = Made.ms

(* --- traces that say who the fibers are --- *)

type fiber = { number : int; name : string; at : string }

let fiber_json { number; name; at } : Yojson.Safe.t =
  let text key value = if value = "" then [] else [ (key, `String value) ] in
  `Assoc ((("fiber", `Int number) :: text "name" name) @ text "at" at)

let with_fibers fibers text =
  let add key value = function
    | `Assoc members -> `Assoc (List.map (fun (k, v) -> if k = key then (k, value v) else (k, v)) members)
    | json -> json
  in
  let header = function
    | `Assoc members -> `Assoc (members @ [ ("fibers", `List (List.map fiber_json fibers)) ])
    | json -> json
  in
  Yojson.Safe.to_string (add "otherData" (add "weft" header) (Yojson.Safe.from_string text))

let analyse text =
  Made.in_file text @@ fun path ->
  match Trace.load path with
  | Ok trace -> Analysis.of_trace ~file:path trace
  | Error message -> Alcotest.fail message

let finding text kind =
  match List.find_opt (fun (d : Finding.t) -> d.kind = kind) (analyse text).diagnoses with
  | Some d -> d.text
  | None -> Alcotest.fail "no such finding"

let said text kind expected = Alcotest.(check string) (Finding.kind_name kind) expected (finding text kind)

(* [fiber] waits from [from] on, is woken by [by] at [woken], and goes on at [until]. *)
let wait ?(more = []) ~cat ~id ~fiber ~by name from woken until =
  [
    Made.apart ~tid:0 ~cat ~id ~args:(("object", `Int 1) :: ("fiber", `Int fiber) :: more) name from until;
    Made.event "s" ~more:[ ("id", `String id) ] ~tid:1 ~cat:"wake" "wake" woken [ ("by", `Int by) ];
    Made.event "f" ~more:[ ("bp", `String "e"); ("id", `String id) ] ~tid:0 ~cat:"wake" "wake" until [];
  ]

(* --- locks --- *)

(* Fiber 7 holds the lock for 40 ms, twice; fiber 3 for 1 ms. *)
let locked =
  let lock = wait ~cat:"lock" ~more:[ ("named", `String "table"); ("at", `String "a.ml:16") ] in
  Made.weft
    (Made.names
    @ [ Made.job 0 0. (ms 100.); Made.job 1 0. (ms 10.); Made.park 1 (ms 10.) (ms 100.) ]
    @ lock ~id:"1" ~fiber:3 ~by:7 "Weft.Mutex.protect" (ms 10.) (ms 50.) (ms 50.)
    @ lock ~id:"2" ~fiber:4 ~by:3 "Weft.Mutex.protect" (ms 20.) (ms 51.) (ms 52.)
    @ lock ~id:"3" ~fiber:4 ~by:7 "Weft.Mutex.protect" (ms 55.) (ms 95.) (ms 95.))

let who_held_it () =
  said
    (with_fibers [ { number = 7; name = ""; at = "a.ml:24" } ] locked)
    Lock_contention
    "worker 1 idle 90 % of the time: during 82 % of it fibers waited for lock 1 `table` \
     (Weft.Mutex.protect), 3 times for 37.3 ms on average, up to 2 at once; by 2 fibers. Fiber 7 (`a.ml:24`) \
     held it for 98 % of that time: 2 times, 40.0 ms each. Locked for `a.ml:16`."

(* --- chains --- *)

(* Fiber 9 waits for 8, and that for 7, which runs all the time. *)
let chain =
  let channel n = wait ~cat:"channel" ~more:[] ~id:(string_of_int n) in
  Made.weft
    (Made.names
    @ [ Made.job 0 0. (ms 100.); Made.search 1 0. (ms 1.); Made.park 1 (ms 1.) (ms 100.) ]
    @ channel 0 ~fiber:7 ~by:9 "Weft.Chan.send" (ms 1.) (ms 2.) (ms 2.)
    @ channel 1 ~fiber:8 ~by:7 "Weft.Chan.recv" (ms 2.) (ms 90.) (ms 91.)
    @ channel 2 ~fiber:9 ~by:8 "Weft.Chan.recv" (ms 3.) (ms 95.) (ms 96.))

let whom_they_waited_for () =
  let text = with_fibers [ { number = 7; name = "stage 37"; at = "alike.ml:10" } ] chain in
  let sentence =
    " In the end they waited for fiber 7 `stage 37` (`alike.ml:10`), which ran for 88.0 ms of the 93.0 ms \
     that the chain of waits took."
  in
  if not (String.ends_with ~suffix:sentence (finding text Channel_waits)) then
    Alcotest.fail (finding text Channel_waits)

(* --- loops --- *)

let where_the_loop_is () =
  let block =
    Made.span ~tid:1 ~cat:"loop" "block"
      ~args:[ ("first", `Int 999); ("last", `Int 999); ("at", `String "b.ml:9") ]
  in
  let text =
    Made.weft
      (Made.names
      @ [ Made.job 0 0. (ms 10.); Made.park 0 (ms 10.) (ms 100.); Made.job 1 0. (ms 100.) ]
      @ [ block (ms 5.) (ms 100.) ])
  in
  said text Long_block
    "worker 0 idle 90 % of the time: the last block of the loop at `b.ml:9` took 95.0 ms (iteration 999 \
     alone) on worker 1."

(* --- blocked threads --- *)

let which_fiber_blocks () =
  let text =
    Made.weft
      (Made.names
      @ [ Made.job 0 0. (ms 100.); Made.job 1 0. (ms 100.) ]
      @ [
          Made.apart ~tid:1 ~cat:"blocked" ~id:"1"
            ~args:(Made.of_worker 1 [ ("blocked_ns", `Int 50_000_000); ("fiber", `Int 5) ])
            "blocked" (ms 20.) (ms 71.);
        ])
  in
  said
    (with_fibers [ { number = 5; name = ""; at = "e.ml:27" } ] text)
    Blocked_in_fiber "Fiber 5 (`e.ml:27`) blocked worker 1 at 20.0 ms for 50.0 ms."

(* --- the page --- *)

let rows_of_fibers () =
  let a = analyse (with_fibers [ { number = 7; name = "stage 37"; at = "" } ] chain) in
  let labels = List.map (fun (row : Layout.row) -> row.label) (Layout.rows a.trace) in
  let is_fiber = String.starts_with ~prefix:"fiber " in
  Alcotest.(check (list string))
    "each that has waited"
    [ "fiber 7 `stage 37`"; "fiber 8"; "fiber 9" ]
    (List.filter is_fiber labels)

let () =
  Alcotest.run
    ~argv:[| "test_fibers"; "--compact"; "--show-errors" |]
    "fibers"
    [
      ("locks", [ case "who held the lock that fibers waited for" who_held_it ]);
      ("chains", [ case "whom fibers waited for in the end" whom_they_waited_for ]);
      ("loops", [ case "the line of a loop with a long block" where_the_loop_is ]);
      ("blocked threads", [ case "the fiber that blocks its worker" which_fiber_blocks ]);
      ("page", [ case "a row for each fiber that has waited" rows_of_fibers ]);
    ]
