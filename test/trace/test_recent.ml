open Weft_insight_trace

let event ?(category : Weft_events.Category.t = Counter) ?(name = "forks") ?(arguments = []) time shape =
  { Event.time; track = 0; category; name; shape; arguments }

let forks time id n = event time (Event.Counter id) ~arguments:[ ("forks", Int n) ]

(* Times are in tenths of a second; the last second is kept. *)
let kept events ~until =
  let second = 1_000_000_000 in
  let recent = Recent.create ~seconds:1. in
  List.iter (fun (e : Event.t) -> Recent.add recent { e with time = e.time * second / 10 }) events;
  let kept = ref [] in
  Recent.close recent
    ~until:(until * second / 10)
    (fun e -> kept := { e with time = e.time * 10 / second } :: !kept);
  List.rev !kept

let told (e : Event.t) =
  match (e.shape, e.arguments) with
  | Counter id, (_, Int n) :: _ -> (e.time, id, n)
  | _ -> Alcotest.fail "no counter"

let check what expected events =
  Alcotest.(check (list (triple int int int))) what expected (List.sort compare (List.map told events))

let test_sums () =
  (* Files are replaced once a second: worker 1's value is in one that is gone long before the end. *)
  let before = forks 1 1 7 :: List.init 50 (fun i -> forks (i + 2) 0 (100 * i)) in
  check "each as it was then"
    [ (42, 0, 4425); (42, 1, 7); (45, 0, 6000); (46, 2, 9) ]
    (kept
       (List.filter (fun (e : Event.t) -> e.time < 42) before @ [ forks 45 0 6000; forks 46 2 9 ])
       ~until:52);
  check "all of a short one" [ (1, 1, 7); (2, 0, 0) ] (kept [ forks 1 1 7; forks 2 0 0 ] ~until:8)

(* Figures of one collection are not carried over to the time after it. *)
let test_figures () =
  let figure time =
    event ~category:Gc ~name:"minor_promoted" time (Counter 0) ~arguments:[ ("bytes", Int time) ]
  in
  check "only those of the time itself" [ (45, 0, 45) ] (kept [ figure 10; figure 41; figure 45 ] ~until:52)

(* The tool had no processor for a while, and tells of the machine long after the program's last event. *)
let test_late () =
  let region time shape = event ~category:Region ~name:"r" time shape in
  let late = List.init 6 (fun i -> event ~category:Machine ~name:"cpu" (60 + (15 * i)) (Counter 0)) in
  let gap = event ~category:Trace ~name:"events lost" 45 (Complete 100) in
  let times = List.map (fun (e : Event.t) -> e.time) in
  let own events = List.filter (fun (e : Event.t) -> e.category = Region) events in
  Alcotest.(check (list int))
    "what the program told is kept, and where it was" [ 42; 44; 45; 47 ]
    (times
       (own
          (kept
             ([ region 30 (Begin 1); region 44 (Begin 2); region 45 Instant; region 47 (Begin 3) ]
             @ late @ [ gap ])
             ~until:52)))

(* Nobody else can put anything there, and nothing is left of a tool that is killed. *)
let test_no_names () =
  Testing.Folder.within "recent" @@ fun folder ->
  let before = Filename.get_temp_dir_name () in
  Filename.set_temp_dir_name folder;
  Fun.protect ~finally:(fun () -> Filename.set_temp_dir_name before) @@ fun () ->
  let recent = Recent.create ~seconds:1e-6 in
  for time = 1 to 10_000 do
    Recent.add recent (forks time 0 time);
    if time mod 1_000 = 0 then Alcotest.(check (array string)) "no name" [||] (Sys.readdir folder)
  done;
  Recent.close recent ~until:10_000 ignore

let tests =
  let case name f = Testing.Watchdog.case name f in
  [
    case "sums are told as they were before" test_sums;
    case "figures of a moment are not" test_figures;
    case "what is told late drops nothing" test_late;
    case "the files have no names" test_no_names;
  ]
