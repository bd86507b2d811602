open Weft_platform

type t = {
  mutable clock : Thread_clock.t;
  waits : Thread_clock.reading;
  usage : Thread_clock.usage;
  mutable asked : bool; (* since it was forgotten *)
  mutable begun : bool; (* and the system has told *)
  mutable looked : int; (* in ticks; the others in nanoseconds, when it looked last *)
  mutable at : int;
  mutable ran : int;
  mutable waited : int;
  mutable sleeps : int;
  mutable passed : int; (* between the last two looks, and what of it it did not run *)
  mutable blocked : int;
  mutable missed : int;
}

let window = 500_000
let least = 1_000_000

(* Padded, as each is written by another thread. *)
let create () =
  Multicore_magic.copy_as_padded
    {
      clock = Thread_clock.none;
      waits = Multicore_magic.copy_as_padded { Thread_clock.ran = 0; waited = 0 };
      usage = Multicore_magic.copy_as_padded { Thread_clock.used = 0; sleeps = 0 };
      asked = false;
      begun = false;
      looked = 0;
      at = 0;
      ran = 0;
      waited = 0;
      sleeps = 0;
      passed = 0;
      blocked = 0;
      missed = 0;
    }

(* The processor time before the waits: reading it brings what the kernel counts up to date. If the thread
   loses its processor between the readings, it seems to have waited longer than the time that has passed; so
   they are read again. *)
let soon = 100_000

let rec read_within attempts t =
  let at = Timer_thread.now () in
  if not (Thread_clock.use t.usage && Thread_clock.read t.clock t.waits) then false
  else if attempts > 1 && Timer_thread.now () - at > soon then read_within (attempts - 1) t
  else begin
    t.passed <- at - t.at;
    t.at <- at;
    true
  end

let read t = read_within 5 t

let remember t =
  t.ran <- t.usage.used;
  t.sleeps <- t.usage.sleeps;
  t.waited <- t.waits.waited

let begin_ t =
  Thread_clock.close t.clock;
  t.clock <- Thread_clock.of_self ();
  t.looked <- Tsc.now ();
  t.asked <- true;
  t.begun <- read t;
  remember t

let begin_once t = if not t.asked then begin_ t

let forget t =
  t.begun <- false;
  t.asked <- false

let end_ t =
  forget t;
  Thread_clock.close t.clock

let is_due t = t.begun && Tsc.now () - t.looked >= window

(* The clocks of the kernel and of the system run at rates that differ by less than a thousandth. *)
let worth t n = if n >= least + (t.passed / 1000) then n else 0

let[@inline never] look_now t =
  t.looked <- Tsc.now ();
  read t
  && begin
       let slept = t.usage.sleeps > t.sleeps and missed = t.waits.waited - t.waited in
       t.missed <- worth t missed;
       t.blocked <- (if slept then worth t (t.passed - (t.usage.used - t.ran) - missed) else 0);
       remember t;
       true
     end

let look t = is_due t && look_now t
let blocked t = t.blocked
let waited t = t.missed
let passed t = t.passed
