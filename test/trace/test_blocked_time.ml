open Weft_trace
open Weft_platform

(* If the system does not tell, nothing is ever said: only that is checked then. *)
let told =
  let clock = Thread_clock.of_self () in
  Fun.protect ~finally:(fun () -> Thread_clock.close clock) @@ fun () ->
  Thread_clock.read clock { ran = 0; waited = 0 } && Thread_clock.use { used = 0; sleeps = 0 }

let ms n = n * 1_000_000
let check what = Alcotest.(check bool) what true

let begun f =
  let t = Blocked_time.create () in
  Blocked_time.begin_ t;
  Fun.protect ~finally:(fun () -> Blocked_time.end_ t) (fun () -> f t)

(* Until a look is due: it computes, and does not sleep. *)
let rec compute t = if not (Blocked_time.is_due t) then compute t

(* Within the time that passed, since it cannot be exact to the nanosecond. *)
let about_twenty_ms n = n >= ms 20 - 100_000

let test_sleep () =
  begun @@ fun t ->
  Unix.sleepf 0.02;
  if told then begin
    check "a look is due" (Blocked_time.look t);
    check "as long as it slept at least" (about_twenty_ms (Blocked_time.blocked t));
    check "within what has passed" (Blocked_time.blocked t <= Blocked_time.passed t);
    check "the next look is not due at once, or finds nothing"
      ((not (Blocked_time.look t)) || Blocked_time.blocked t = 0)
  end
  else check "not known" (not (Blocked_time.look t))

(* A thread that only computes never gives its processor up, so whatever takes it away is no blocking. It
   may wait for a page once, so several attempts may be needed. *)
let test_computing () =
  if told then (
    Testing.Watchdog.until_undisturbed "a thread that computes is not blocked" @@ fun () ->
    begun @@ fun t ->
    compute t;
    check "a look is due" (Blocked_time.look t);
    if Blocked_time.blocked t = 0 then Ok () else Error "it was")

let test_forgotten () =
  begun @@ fun t ->
  Blocked_time.forget t;
  Unix.sleepf 0.02;
  check "nothing is said" (not (Blocked_time.look t));
  Blocked_time.begin_once t;
  Unix.sleepf 0.02;
  if told then begin
    check "until it is begun again" (Blocked_time.look t);
    check "of the time since then" (about_twenty_ms (Blocked_time.blocked t))
  end

(* The worker has another thread: its sleep is its own. *)
let test_other_thread () =
  begun @@ fun t ->
  Unix.sleepf 0.02;
  let thread () =
    Blocked_time.begin_ t;
    Unix.sleepf 0.02;
    if told then begin
      check "a look is due" (Blocked_time.look t);
      check "of this thread" (about_twenty_ms (Blocked_time.blocked t))
    end
  in
  Domain.join (Domain.spawn thread)

let tests =
  let case = Testing.Watchdog.case in
  [
    case "a thread that sleeps is blocked" test_sleep;
    case "one that computes is not" test_computing;
    case "what was forgotten is not said" test_forgotten;
    case "a worker may change its thread" test_other_thread;
  ]
