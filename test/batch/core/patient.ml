(** How long callers wait before they line up: {!Spin_policy}, by itself. *)

open Support

let make ?(cutoff = `Adaptive) () = Spin_policy.make (Cutoff.make cutoff)

let entered p n ticks =
  for _ = 1 to n do
    Spin_policy.entered p ticks
  done

let short = Spin_policy.longest Spin_policy.impatient
let is_patient p = Spin_policy.longest p > short

(* A structure whose operations take a number of ticks if callers wait for each other, and another number
   if they line up. *)
type structure = { p : Spin_policy.t; mutable now : int; mutable operations : int }

let structure ?cutoff () = { p = make ?cutoff (); now = 1; operations = 0 }

let work s ~patient ~lined_up ticks =
  let until = s.now + ticks and waiting = ref 0 in
  while s.now < until do
    let cost = if is_patient s.p then patient else lined_up in
    if is_patient s.p then begin
      waiting := !waiting + 1;
      Spin_policy.entered s.p (cost / 2)
    end;
    s.operations <- s.operations + 1;
    s.now <- s.now + cost;
    Spin_policy.note s.p ~operations:s.operations ~now:s.now
  done;
  !waiting

let long = 4_000_000_000

(* The part of the operations whose callers were patient, once the policy has measured both ways. *)
let part_of_the_patient ?cutoff ~patient ~lined_up () =
  let s = structure ?cutoff () in
  ignore (work s ~patient ~lined_up (long / 4) : int);
  let before = s.operations in
  let waiting = work s ~patient ~lined_up long in
  float_of_int waiting /. float_of_int (s.operations - before)

let what_gets_more_done_goes_on () =
  let at_least what least part = if part < least then Alcotest.failf "%s: %.3f" what part in
  at_least "waiting is cheaper" 0.98 (part_of_the_patient ~patient:2_000 ~lined_up:4_000 ());
  at_least "much cheaper" 0.995 (part_of_the_patient ~patient:600 ~lined_up:60_000 ());
  at_least "batches are cheaper" 0.97 (1. -. part_of_the_patient ~patient:4_000 ~lined_up:2_000 ());
  at_least "much cheaper" 0.99 (1. -. part_of_the_patient ~patient:500_000 ~lined_up:10_000 ());
  at_least "trifles: nothing else is tried" 1. (part_of_the_patient ~patient:600 ~lined_up:500 ())

let what_changes_is_seen () =
  let s = structure () in
  ignore (work s ~patient:2_000 ~lined_up:4_000 long : int);
  check "patient" (is_patient s.p);
  ignore (work s ~patient:4_000 ~lined_up:2_000 long : int);
  check "now batches are cheaper" (not (is_patient s.p));
  ignore (work s ~patient:2_000 ~lined_up:4_000 long : int);
  check "and no longer" (is_patient s.p)

(* Callers do not wait for long operations; one that took long because it was interrupted does not count. *)
let long_operations_are_lined_up_for () =
  let p = make () in
  check "as long as nothing is known" (is_patient p);
  entered p 1 200;
  entered p 1 1_000_000;
  Spin_policy.note p ~operations:2 ~now:1;
  check "one was interrupted" (is_patient p);
  entered p 100 100_000;
  Spin_policy.note p ~operations:102 ~now:2;
  check "long" (not (is_patient p))

let where_batches_are_wanted () =
  entered Spin_policy.impatient 10 200;
  check "impatient" (Spin_policy.longest Spin_policy.impatient = short);
  let s = structure ~cutoff:(`Fixed 4) () in
  check_int "with a fixed cutoff" 0 (work s ~patient:2_000 ~lined_up:4_000 long)

(* While callers do not meet, or do something else, the policy learns nothing. *)
let pauses_do_not_count () =
  let s = structure () in
  ignore (work s ~patient:2_000 ~lined_up:4_000 (long / 4) : int);
  for _ = 1 to 100 do
    s.now <- s.now + long;
    ignore (work s ~patient:2_000 ~lined_up:4_000 1_000_000 : int);
    Spin_policy.start_again s.p;
    s.now <- s.now + 30_000_000;
    ignore (work s ~patient:2_000 ~lined_up:4_000 1_000_000 : int)
  done;
  check "still patient" (is_patient s.p)

(* Callers that wait in vain for a short time change nothing. After 64 in a row that wait in vain for long,
   some thousands do not wait. *)
let vain_waits_end () =
  let p = make () in
  let long = Spin_policy.longest p in
  let in_vain_of p n longest =
    for _ = 1 to n do
      Spin_policy.in_vain p ~longest
    done
  in
  in_vain_of p 8 long;
  check "nobody has ever got in" (not (is_patient p));
  let p = make () in
  entered p 1 200;
  let in_vain = in_vain_of p in
  in_vain 10_000 short;
  in_vain 63 long;
  check "not yet" (is_patient p);
  entered p 1 200;
  in_vain 63 long;
  check "one got in between" (is_patient p);
  in_vain 1 long;
  check "64 in a row" (not (is_patient p));
  entered p 10 200;
  in_vain 1_000 short;
  check "still not" (not (is_patient p));
  in_vain 3_100 short;
  check "again" (is_patient p);
  in_vain 1 long;
  check "but in vain" (not (is_patient p))

(* The owner notes before it leaves the structure: there must be no point at which a signal's handler could
   raise. *)
let notes_allocate_nothing () =
  let s = structure () in
  let before = Gc.minor_words () in
  ignore (work s ~patient:2_000 ~lined_up:4_000 long : int);
  ignore (work s ~patient:4_000 ~lined_up:2_000 long : int);
  let words = Gc.minor_words () -. before in
  if words > 100. then Alcotest.failf "%.0f words" words

let tests =
  [
    case "what gets more done goes on" what_gets_more_done_goes_on;
    case "what changes is seen" what_changes_is_seen;
    case "long operations are lined up for" long_operations_are_lined_up_for;
    case "where batches are wanted" where_batches_are_wanted;
    case "pauses do not count" pauses_do_not_count;
    case "vain waits end" vain_waits_end;
    case "notes allocate nothing" notes_allocate_nothing;
  ]
