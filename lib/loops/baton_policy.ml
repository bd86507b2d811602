type t = {
  always_pass : bool;
  clock : unit -> int;
  mutable count : int; (* of the items so far *)
  mutable since : int; (* when the clock was read last *)
  mutable looks : int; (* since the last change of [keeps] *)
  mutable keeps : bool;
  mutable trial : bool; (* ends after [2 * settling] looks *)
  mutable kept : int; (* ticks from item to item, when the baton is kept, *)
  mutable passed : int; (* and when it is passed on; 0: not known *)
  mutable long_looks : int; (* one after the other *)
  mutable surprises : int; (* since the last look *)
  mutable stay : int; (* so many looks until the next trial *)
  mutable patience : int; (* what [stay] begins with *)
}

(* Items between two looks at the clock. *)
let window = 32

(* Looks that do not count after a change: the items that are under way pass, and idle workers fall asleep or
   wake. As many count in a trial. *)
let settling = 8
let least_patience = 32
let most_patience = 1024

(* In ticks. *)
let long = 8192
let most_surprises = 2

let make ?(clock = Tsc.now) ~always_pass () =
  {
    always_pass;
    clock;
    count = 0;
    since = 0;
    looks = 0;
    keeps = false;
    trial = false;
    kept = 0;
    passed = 0;
    long_looks = 0;
    surprises = 0;
    stay = 2;
    patience = least_patience;
  }

let keeps t = t.keeps

let change t ~trial =
  t.keeps <- not t.keeps;
  t.trial <- trial;
  t.looks <- 0

let stay_for t patience =
  t.patience <- Int.min most_patience patience;
  t.stay <- t.patience

(* Trials that fail become rare. *)
let give_up t =
  stay_for t (if t.trial then 2 * t.patience else least_patience);
  change t ~trial:false

let surprise t =
  t.surprises <- t.surprises + 1;
  if t.keeps && t.surprises > most_surprises then give_up t

(* A thread that is preempted, or a collection, makes one window long: it counts little. Rounded up, so that
   it can grow from 1. *)
let mean before each = ((3 * before) + Int.min each (2 * before) + 3) / 4

(* What was measured long ago does not count in a trial. Of the first two windows, the shorter one does. *)
let note t each =
  let before = if t.keeps then t.kept else t.passed in
  let is_fresh = t.trial || t.kept = 0 in
  let now =
    if is_fresh && t.looks = settling + 1 then each
    else if is_fresh && t.looks = settling + 2 then Int.min before each
    else mean before each
  in
  if t.keeps then t.kept <- now else t.passed <- now

let end_trial t =
  if t.kept < t.passed = t.keeps then begin
    t.trial <- false;
    stay_for t least_patience
  end
  else give_up t

let judge t each =
  t.long_looks <- (if each > long then t.long_looks + 1 else 0);
  if t.keeps && t.long_looks > 1 then give_up t
  else if t.looks > settling then begin
    note t each;
    if t.trial then begin
      if t.looks = 2 * settling then end_trial t
    end
    else begin
      t.stay <- t.stay - 1;
      if t.stay <= 0 && t.long_looks = 0 then change t ~trial:true
    end
  end

let look t =
  let now = t.clock () in
  let each = (now - t.since) / window in
  t.since <- now;
  t.surprises <- 0;
  (* The clock of another processor may be far behind. *)
  if each >= 0 then begin
    t.looks <- t.looks + 1;
    judge t each
  end

let[@inline] next t =
  if not t.always_pass then begin
    t.count <- t.count + 1;
    if t.count land (window - 1) = 0 then look t
  end
