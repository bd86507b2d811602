(** Who waits for how long before it lines up: {!Patience}, by itself. *)

open Support

let make ?(cutoff = `Adaptive) () =
  let cutoff = Cutoff.make cutoff in
  (cutoff, Patience.make cutoff)

let entered p n ticks =
  for _ = 1 to n do
    Patience.entered p ticks
  done

let short = Patience.longest Patience.impatient
let is_patient p = Patience.longest p > short

let cheap_operations_are_waited_for () =
  let _, p = make () in
  check "nothing is known" (not (is_patient p));
  entered p 1 200;
  check "cheap" (is_patient p);
  entered p 1 1_000_000;
  check "one was interrupted" (is_patient p);
  entered p 100 100_000;
  check "dear" (not (is_patient p));
  entered p 100 0;
  check "too short to be measured" (is_patient p);
  entered Patience.impatient 10 200;
  check "impatient" (Patience.longest Patience.impatient = short);
  let _, p = make ~cutoff:(`Fixed 4) () in
  entered p 10 200;
  check "batches are wanted" (not (is_patient p))

let batches_that_pay_are_lined_up_for () =
  let cutoff, p = make () in
  Cutoff.record cutoff 64 ~batch:true (64 * 10_000);
  check_int "ticks" 10_000 (Cutoff.least_in_batches cutoff);
  entered p 100 3_900;
  check "batches are dearer" (is_patient p);
  for _ = 1 to 100 do
    Cutoff.record cutoff 64 ~batch:false 64;
    Cutoff.record cutoff 1024 ~batch:true (1024 * 40)
  done;
  check_int "the best class" 40 (Cutoff.least_in_batches cutoff);
  entered p 100 3_900;
  check "cheap enough" (is_patient p);
  entered p 100 4_100;
  check "batches pay" (not (is_patient p))

(* Those who wait in vain for a short time say nothing; those who do so for long: after 64 of them in a row some thousands do not. *)
let vain_waits_end () =
  let _, p = make () in
  entered p 1 200;
  let long = Patience.longest p in
  let in_vain n longest =
    for _ = 1 to n do
      Patience.in_vain p ~longest
    done
  in
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

let tests =
  [
    case "cheap operations are waited for" cheap_operations_are_waited_for;
    case "batches that pay are lined up for" batches_that_pay_are_lined_up_for;
    case "vain waits end" vain_waits_end;
  ]
