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

(* Within a tenth of a millisecond: if the thread loses its processor in a look, that may be less. So one
   attempt of several must do. *)
let slack = 100_000
let undisturbed = Testing.Watchdog.until_undisturbed

let slept_twenty_ms t =
  check "a look is due" (Blocked_time.look t);
  check "within what has passed" (Blocked_time.blocked t <= Blocked_time.passed t);
  if Blocked_time.blocked t >= ms 20 - slack then Ok () else Error "less than it slept"

let test_sleep () =
  if told then (
    undisturbed "a thread that sleeps is blocked as long" @@ fun () ->
    begun @@ fun t ->
    Unix.sleepf 0.02;
    slept_twenty_ms t)
  else
    begun @@ fun t ->
    Unix.sleepf 0.02;
    check "not known" (not (Blocked_time.look t))

(* It sleeps, and computes for 5 ms of processor time: that is not blocked. *)
let test_both () =
  let used () =
    let usage = { Thread_clock.used = 0; sleeps = 0 } in
    ignore (Thread_clock.use usage : bool);
    usage.used
  in
  let rec compute until = if used () < until then compute until in
  if told then (
    undisturbed "the processor time of a thread that also sleeps is not blocked" @@ fun () ->
    begun @@ fun t ->
    Unix.sleepf 0.02;
    compute (used () + ms 5);
    check "a look is due" (Blocked_time.look t);
    if Blocked_time.blocked t + Blocked_time.waited t + ms 5 > Blocked_time.passed t + slack then
      Error "too much"
    else if Blocked_time.blocked t < ms 20 - slack then Error "too little"
    else Ok ())

(* A thread that only computes never gives its processor up, so whatever takes it away is no blocking. It
   may wait for a page once, so several attempts may be needed. *)
let test_computing () =
  if told then (
    undisturbed "a thread that computes is not blocked" @@ fun () ->
    begun @@ fun t ->
    compute t;
    check "a look is due" (Blocked_time.look t);
    if Blocked_time.blocked t = 0 then Ok () else Error "it was")

let test_forgotten () =
  if told then (
    undisturbed "what was forgotten is not said" @@ fun () ->
    begun @@ fun t ->
    Blocked_time.forget t;
    Unix.sleepf 0.02;
    check "nothing is said" (not (Blocked_time.look t));
    Blocked_time.begin_once t;
    Unix.sleepf 0.02;
    slept_twenty_ms t)

(* The worker has another thread: its sleep is its own. *)
let test_other_thread () =
  if told then (
    undisturbed "the sleep of a worker's new thread" @@ fun () ->
    begun @@ fun t ->
    Unix.sleepf 0.02;
    let thread () =
      Blocked_time.begin_ t;
      Unix.sleepf 0.02;
      slept_twenty_ms t
    in
    Domain.join (Domain.spawn thread))

let tests =
  let case = Testing.Watchdog.case in
  [
    case "a thread that sleeps is blocked" test_sleep;
    case "a thread that computes is not blocked" test_computing;
    case "of a thread that computes and sleeps, a part is blocked" test_both;
    case "what was forgotten is not said" test_forgotten;
    case "a worker may change its thread" test_other_thread;
  ]
