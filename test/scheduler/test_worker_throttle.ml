(* How many workers run at once, on a simulated machine. Nothing here depends on real time. *)

module Worker_throttle = Weft_scheduler.Worker_throttle
module S = Simulation

let check_bool = Alcotest.(check bool)
let seconds = 5
let always _ = true
let mostly_away at = at mod 5000 < 500

(* Without allocation; with a minor heap for 0.5 ms, as OCaml's; and with one for 2 ms, as a pool's. *)
let kinds =
  let computes = ("computes", None) and allocates = ("allocates", Some 5) in
  Testing.Effort.some ~quick:[ computes; allocates ] [ computes; allocates; ("allocates slowly", Some 20) ]

let told ?quota processors =
  match quota with Some q -> min processors (int_of_float (Float.ceil q)) | None -> processors

let rooms_after p ms = List.filter_map (fun (at, room) -> if at >= ms then Some room else None) (S.rooms p)

let mean p =
  let rooms = rooms_after p 0 in
  float_of_int (List.fold_left ( + ) 0 rooms) /. float_of_int (max 1 (List.length rooms))

(* The room that the controller finds is compared with the best fixed one, for one pool or several of the
   same program. *)
let compare_with_fixed ?quota ?(pools = 1) ?(share = 0.9) ~workers ~processors ~neighbours ~fixed name task =
  List.iter
    (fun (kind, collect_every) ->
      let go control =
        let pool _ =
          S.pool ?collect_every ~control ~workers ~processors:(told ?quota processors) (S.forever task)
        in
        let pools = List.init pools pool in
        S.run (S.machine ?quota ~neighbours ~processors pools) ~ms:(seconds * 1000);
        pools
      in
      let total pools = List.fold_left (fun sum p -> sum +. S.useful p) 0. pools in
      let each = List.map (fun room -> total (go (S.Fixed room))) fixed in
      let best = List.fold_left Float.max 0. each and crowd = go S.Crowd in
      Printf.printf "%-34s %-17s" name kind;
      List.iter2 (fun room useful -> Printf.printf " %d: %5.0f" room useful) fixed each;
      Printf.printf "  crowd: %5.0f = %.2f, room %.2f\n%!" (total crowd)
        (total crowd /. best)
        (mean (List.hd crowd));
      if total crowd < share *. best then
        Alcotest.failf "%s, %s: %.0f ms of work, but %.0f with a fixed room" name kind (total crowd) best;
      let fair = total crowd /. float_of_int (List.length crowd) in
      List.iter
        (fun p ->
          if S.useful p < 0.5 *. fair then
            Alcotest.failf "%s, %s: one pool did %.0f ms of work of %.0f" name kind (S.useful p) (total crowd))
        crowd)
    kinds

(* --- a machine of our own --- *)

let free () =
  List.iter
    (fun (kind, collect_every) ->
      List.iter
        (fun (workers, processors) ->
          let p = S.pool ?collect_every ~control:Crowd ~workers ~processors (S.forever Fork) in
          S.run (S.machine ~processors [ p ]) ~ms:2000;
          let what = Printf.sprintf "%d workers on %d processors, %s" workers processors kind in
          let wrong = List.filter (( <> ) (min workers processors)) (rooms_after p 0) in
          if List.length wrong > 2 then Alcotest.failf "%s: %d looks were wrong" what (List.length wrong))
        [ (2, 2); (4, 2); (8, 2); (16, 2); (4, 8); (8, 8); (16, 8); (2, 1) ])
    kinds

(* --- other programs --- *)

let neighbour () =
  List.iter
    (fun workers ->
      let name = Printf.sprintf "%d workers, 1 neighbour" workers in
      compare_with_fixed name Fork ~workers ~processors:2 ~neighbours:[ always ] ~fixed:[ 1; 2 ])
    [ 2; 8 ]

let neighbours () =
  List.iter
    (fun k ->
      let name = Printf.sprintf "2 workers, %d neighbours" k in
      compare_with_fixed name Fork ~workers:2 ~processors:2
        ~neighbours:(List.init k (fun _ -> always))
        ~fixed:[ 1; 2 ])
    [ 2; 3; 4 ]

(* Workers that do not allocate are not held up by those that do not run. *)
let selfish () =
  List.iter
    (fun k ->
      let p = S.pool ~control:Crowd ~workers:2 ~processors:2 (S.forever Fork) in
      let neighbours = List.init k (fun _ -> always) in
      S.run (S.machine ~neighbours ~processors:2 [ p ]) ~ms:3000;
      if List.exists (( <> ) 2) (rooms_after p 100) then Alcotest.failf "%d neighbours" k)
    [ 1; 2; 4; 8 ]

let occasional () =
  compare_with_fixed "a neighbour now and then" Fork ~share:0.97 ~workers:2 ~processors:2
    ~neighbours:[ mostly_away ] ~fixed:[ 1; 2 ]

let eight_processors () =
  List.iter
    (fun k ->
      let name = Printf.sprintf "8 workers on 8, %d neighbours" k in
      compare_with_fixed name Fork ~share:0.85 ~workers:8 ~processors:8
        ~neighbours:(List.init k (fun _ -> always))
        ~fixed:[ 1; 4; 7; 8 ])
    [ 1; 4; 8 ]

let gone () =
  List.iter
    (fun (workers, processors, k, within) ->
      List.iter
        (fun (kind, collect_every) ->
          let p = S.pool ?collect_every ~control:Crowd ~workers ~processors (S.forever Fork) in
          let until_3s at = at < 30_000 in
          S.run (S.machine ~neighbours:(List.init k (fun _ -> until_3s)) ~processors [ p ]) ~ms:8000;
          let later = rooms_after p (3000 + within) in
          if List.exists (( <> ) processors) later then
            Alcotest.failf "%s: the room was not %d again within %d ms" kind processors within)
        kinds)
    [ (2, 2, 1, 2500); (2, 2, 3, 2500); (8, 2, 2, 2500); (8, 8, 4, 4000) ]

let two_pools () =
  List.iter
    (fun (workers, fixed) ->
      let name = Printf.sprintf "two pools of %d" workers in
      compare_with_fixed name Fork ~pools:2 ~workers ~processors:2 ~neighbours:[] ~fixed)
    [ (2, [ 1; 2 ]); (8, [ 1; 2; 8 ]) ]

let quota () =
  List.iter
    (fun (workers, quota) ->
      let name = Printf.sprintf "%d workers, a quota of %.1f" workers quota in
      compare_with_fixed name Fork ~quota ~workers ~processors:2 ~neighbours:[] ~fixed:[ 1; 2 ])
    [ (2, 1.); (2, 1.5); (8, 1.); (8, 1.5) ]

(* --- workers that do not compute --- *)

let blocked () =
  List.iter
    (fun (processors, ms) ->
      let p = S.pool ~control:Crowd ~workers:8 ~processors (S.times 8 (Sleep 3000)) in
      S.run (S.machine ~processors [ p ]) ~ms;
      Alcotest.(check int) (Printf.sprintf "in after %d ms" ms) 8 (S.room p))
    [ (1, 170); (2, 65) ]

let next_of tasks =
  let i = ref (-1) in
  fun () ->
    incr i;
    Some tasks.(!i mod Array.length tasks)

(* Half of the tasks sleep, so the others get as much as they would get alone. *)
let mixed () =
  List.iter
    (fun (neighbours, share) ->
      List.iter
        (fun (kind, collect_every) ->
          let tasks = [| S.Sleep 1000; S.Compute 20 |] in
          let p = S.pool ?collect_every ~control:Crowd ~workers:8 ~processors:2 (next_of tasks) in
          S.run (S.machine ~neighbours ~processors:2 [ p ]) ~ms:(seconds * 1000);
          Printf.printf "mixed, %s: %d tasks, room %.2f\n%!" kind (S.finished p) (mean p);
          (* Eight workers would finish 80 sleeping tasks in a second, and as many of the others. *)
          let all = 2 * 8 * 10 * seconds in
          if float_of_int (S.finished p) < share *. float_of_int all then
            Alcotest.failf "%s: only %d tasks of %d" kind (S.finished p) all)
        kinds)
    [ ([], 0.9); ([ always ], 0.9) ]

let one_blocked () =
  List.iter
    (fun (kind, collect_every) ->
      (* One task sleeps for very long; the others compute on both processors. *)
      let first = ref true in
      let next () =
        if !first then begin
          first := false;
          Some (S.Sleep 1_000_000)
        end
        else Some S.Fork
      in
      let p = S.pool ?collect_every ~control:Crowd ~workers:4 ~processors:2 next in
      S.run (S.machine ~processors:2 [ p ]) ~ms:1000;
      check_bool kind true (List.for_all (( = ) 3) (rooms_after p 100)))
    kinds

(* A worker that is silent while others wait for processors may be waiting for one, too, but not for long. *)
let one_blocked_among_neighbours () =
  List.iter
    (fun (kind, collect_every) ->
      let first = ref true in
      let next () =
        if !first then begin
          first := false;
          Some (S.Sleep 1_000_000)
        end
        else Some S.Fork
      in
      let p = S.pool ?collect_every ~control:Crowd ~workers:4 ~processors:2 next in
      S.run (S.machine ~neighbours:[ always; always; always ] ~processors:2 [ p ]) ~ms:2000;
      if List.exists (( > ) 2) (rooms_after p 200) then
        Alcotest.failf "%s: who sleeps takes the only place" kind)
    kinds

let spinning () =
  let p = S.pool ~control:Crowd ~workers:8 ~processors:2 (S.times 8 (Meet 8)) in
  S.run (S.machine ~processors:2 [ p ]) ~ms:1000;
  Alcotest.(check int) "all have met" 8 (S.finished p)

let coarse () =
  List.iter
    (fun ms ->
      let name = Printf.sprintf "tasks of %d ms" ms in
      compare_with_fixed name (Compute (ms * 10)) ~workers:8 ~processors:2 ~neighbours:[] ~fixed:[ 1; 2; 8 ])
    [ 50; 1000 ]

(* --- whatever it is told --- *)

let given () =
  let c = Worker_throttle.create ~workers:8 ~processors:2 ~assumed:(Some 5) in
  let readings = Array.init 8 (fun _ -> Worker_throttle.reading ()) in
  for i = 1 to 200 do
    Array.iteri
      (fun w (r : Worker_throttle.reading) ->
        r.working <- w < 5;
        r.known <- true;
        r.progress <- i;
        r.ran <- i * 2_000_000;
        r.waited <- i * 8_000_000)
      readings;
    let room =
      Worker_throttle.look c ~now:(i * 10_000_000) ~processors:2 ~share:2. ~collections:(10 * i) readings
    in
    if room <> 5 then Alcotest.failf "%d, not as assumed" room
  done

type look = {
  after : int;
  processors : int;
  share : float;
  collections : int;
  readings : (bool * int * int * bool * int) list;
}

let any_look workers =
  let open QCheck2.Gen in
  let number = oneof [ int_range (-5) 50; int_range 0 20_000_000; int ] in
  let reading = tup5 bool number number (map (fun n -> n > 0) (int_bound 5)) number in
  let after =
    oneof [ int_range 0 20_000_000; return 10_000_000; int_range (-20_000_000) 5_000_000_000; int ]
  in
  let share = oneof [ float_range 0. 9.; oneofl [ 0.; Float.nan; Float.infinity; -1. ] ] in
  let+ after = after
  and+ processors = oneof [ int_range 1 9; int ]
  and+ share = share
  and+ collections = number
  and+ readings = list_repeat workers reading in
  { after; processors; share; collections; readings }

(* Half of the readings are relative to the last ones, so that the clocks also advance as real ones do. *)
let always_sensible =
  let open QCheck2.Gen in
  let gen =
    int_range 1 9 >>= fun workers ->
    tup4 (return workers) (int_range 1 9) bool (list_size (int_range 1 80) (any_look workers))
  in
  QCheck2.Test.make ~name:"the room is from 1 to the number of workers, whatever is told"
    ~count:(Testing.Effort.few 2000) gen (fun (workers, processors, relative, looks) ->
      let c = Worker_throttle.create ~workers ~processors ~assumed:None in
      let readings = Array.init workers (fun _ -> Worker_throttle.reading ()) in
      let now = ref 0 in
      List.for_all
        (fun l ->
          now := !now + l.after;
          let next old n = if relative then old + n else n in
          List.iteri
            (fun i (working, ran, waited, known, progress) ->
              let r = readings.(i) in
              r.working <- working;
              r.ran <- next r.ran ran;
              r.waited <- next r.waited waited;
              r.known <- known;
              r.progress <- next r.progress progress)
            l.readings;
          let room =
            Worker_throttle.look c ~now:!now ~processors:l.processors ~share:l.share
              ~collections:l.collections readings
          in
          1 <= room && room <= workers && room = Worker_throttle.room c)
        looks)

let unknown () =
  let c = Worker_throttle.create ~workers:8 ~processors:2 ~assumed:None in
  let readings = Array.init 8 (fun _ -> Worker_throttle.reading ()) in
  for i = 1 to 500 do
    Array.iteri
      (fun w (r : Worker_throttle.reading) ->
        r.working <- w < 2;
        r.progress <- i)
      readings;
    let room = Worker_throttle.look c ~now:(i * 10_000_000) ~processors:2 ~share:2. ~collections:i readings in
    if room <> 2 then Alcotest.failf "%d" room
  done

let () =
  let case name f = Testing.Watchdog.case name f in
  Alcotest.run "worker throttle"
    [
      ("alone", [ case "as many as the processors" free ]);
      ( "others",
        [
          case "one neighbour on two processors" neighbour;
          case "more neighbours" neighbours;
          case "neighbours without allocation" selfish;
          case "one that comes now and then" occasional;
          case "eight processors" eight_processors;
          case "all are back when it has gone" gone;
          case "two pools" two_pools;
          case "a quota" quota;
        ] );
      ( "not computing",
        [
          case "all that sleep are let in" blocked;
          case "some sleep" mixed;
          case "one sleeps for ever" one_blocked;
          case "one sleeps for ever beside neighbours" one_blocked_among_neighbours;
          case "workers that spin for each other" spinning;
          case "tasks that do not fork" coarse;
        ] );
      ( "odd readings",
        [
          case "a number that was given" given;
          case "no clocks" unknown;
          case "anything" (fun () ->
              QCheck2.Test.check_exn ~rand:(Random.State.make [| 42 |]) always_sensible);
        ] );
    ]
