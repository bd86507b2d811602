(* The test makes the moves of one worker. Orders of several threads: test/model_check. *)

open Weft_platform
module Sleep = Weft_scheduler.Sleep
module Sleepers = Weft_scheduler.Sleepers
module Respawn = Weft_scheduler.Respawn

let no_more () = false
let check_bool = Alcotest.(check bool)
let check_int = Alcotest.(check int)

(* A worker that has been respawned to search, and has not begun. *)
let respawned () =
  let t = Sleepers.create ~watch:ignore ~needs_alarm:no_more ~room:2 (Deque_memory.make_word ()) in
  let s = Sleepers.sleeper ~interruptible:false in
  s.respawn <-
    Some
      (fun () ->
        Respawn.came t s;
        true);
  Respawn.absent t s;
  Sleep.wake_one t ignore;
  check_bool "searches" true (s.status = Searching);
  check_bool "is starting" true s.starting;
  (t, s)

let begins () =
  let t, s = respawned () in
  Sleep.working_at_once t s ~more:no_more (fun () -> check_bool "works" true (s.status = Working));
  check_bool "has started" false s.starting;
  check_int "active" 1 (Sleepers.active t)

(* The function that it has left to the lock's holder runs when the worker has moved already. *)
let begins_late ~moved status () =
  let t, s = respawned () in
  moved t s;
  check_bool "has started" false s.starting;
  Sleep.working_at_once t s ~more:no_more ignore;
  check_bool "is as it was" true (s.status = status);
  check_int "active" (if status = Idle then 0 else 1) (Sleepers.active t);
  (* No worker is starting: otherwise nobody would provide a spare. *)
  let other = Sleepers.sleeper ~interruptible:false in
  let comes = ref false in
  other.respawn <-
    Some
      (fun () ->
        comes := true;
        Respawn.came t other;
        true);
  Respawn.absent t other;
  Sleep.wake_another t;
  check_bool "nobody is respawned for one that has begun" false !comes

let work t s = Sleep.stop_search t s ~more:no_more

let leaves () =
  let t, s = respawned () in
  Sleep.leave t s ~more:no_more;
  check_bool "has started" false s.starting;
  check_int "active" 0 (Sleepers.active t)

let () =
  let case name f = Testing.Watchdog.case name f in
  Alcotest.run "sleep"
    [
      ( "a worker that is respawned",
        [
          case "begins to work" begins;
          case "is listed before it is noted that it has begun" (begins_late ~moved:Sleep.prepare_wait Idle);
          case "works already" (begins_late ~moved:work Working);
          case "leaves" leaves;
        ] );
    ]
