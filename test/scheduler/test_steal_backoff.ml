(* Times are made up: a steal takes [cost]. *)

open Weft_scheduler

let cost = 1_000
let check_bool = Alcotest.(check bool)

(* A steal of a thief whose job ran that long. Returns the time of its end. *)
let steals p ~at ?(cost = cost) ?(more = false) ran =
  Steal_backoff.stolen p ~began:at ~now:(at + cost);
  check_bool "it has stolen" true (Steal_backoff.has_stolen p);
  let now = at + cost + ran in
  Steal_backoff.ended p ~more ~now;
  check_bool "its end is told" false (Steal_backoff.has_stolen p);
  now

let pauses p now = Steal_backoff.pauses p ~now:(fun () -> now)

let check_pause p ~from ticks =
  if ticks > 0 then check_bool "pauses" true (pauses p (from + ticks - 1));
  check_bool (Fmt.str "steals again after %d" ticks) false (pauses p (from + ticks))

let at_first () = check_bool "steals" false (pauses (Steal_backoff.make ()) 5)

let short_jobs () =
  let p = Steal_backoff.make () in
  let next from times =
    let now = steals p ~at:from (cost - 1) in
    check_pause p ~from:now (times * cost);
    now + (times * cost)
  in
  let at = List.fold_left next 1_000_000 [ 1; 2; 4; 4; 4 ] in
  (* A long job makes the thief eager. *)
  check_pause p ~from:(steals p ~at cost) 0;
  ignore (next (at + (10 * cost)) 1)

let with_more_left () =
  let p = Steal_backoff.make () in
  check_pause p ~from:(steals p ~at:7 ~more:true 1) 0

(* The thief was preempted in the steal, or moved to a processor with another clock. *)
let strange_clocks () =
  let p = Steal_backoff.make () in
  check_pause p ~from:(steals p ~at:1_000_000 ~cost:50_000_000 10) 20_000;
  let p = Steal_backoff.make () in
  check_pause p ~from:(steals p ~at:1_000_000 ~cost:(-5_000) 10) 0;
  let p = Steal_backoff.make () in
  let now = steals p ~at:9_000_000 10 in
  check_bool "a clock behind" false (pauses p (now - (2 * cost)))

let () =
  Alcotest.run "steal backoff"
    [
      ( "thief",
        [
          Testing.Watchdog.case "begins without a pause" at_first;
          Testing.Watchdog.case "pauses longer and longer while jobs are short" short_jobs;
          Testing.Watchdog.case "does not where a job left more" with_more_left;
          Testing.Watchdog.case "pauses shortly whatever the clock says" strange_clocks;
        ] );
    ]
