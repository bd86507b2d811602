type t = {
  always_pass : bool;
  clock : unit -> int;
  mutable count : int; (* of the items so far *)
  mutable since : int; (* when the clock was read last *)
  mutable looks : int; (* since the last change of [keeps] *)
  mutable keeps : bool;
  mutable trial : bool; (* [keeps] is not what was faster so far *)
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
    stay = 1;
    patience = least_patience;
  }

let keeps t = t.keeps

let change t ~trial =
  t.keeps <- not t.keeps;
  t.trial <- trial;
  t.looks <- 0

let stay t patience =
  t.patience <- Int.min most_patience (Int.max least_patience patience);
  t.stay <- t.patience

let back t =
  change t ~trial:false;
  stay t (2 * t.patience)

let surprise t =
  t.surprises <- t.surprises + 1;
  if t.keeps && t.surprises > most_surprises then back t

(* A thread that is preempted, or a collection, makes one window long: it counts little. *)
let mean before each = ((3 * before) + Int.min each (2 * before)) / 4

let note t each =
  let before = if t.keeps then t.kept else t.passed in
  let is_first = before = 0 || (t.trial && t.looks = settling + 1) in
  let now = if is_first then each else mean before each in
  if t.keeps then t.kept <- now else t.passed <- now

let end_trial t =
  if t.kept < t.passed = t.keeps then begin
    t.trial <- false;
    stay t least_patience
  end
  else back t

let judge t each =
  t.long_looks <- (if each > long then t.long_looks + 1 else 0);
  if t.keeps && t.long_looks > 1 then back t
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
  t.looks <- t.looks + 1;
  t.surprises <- 0;
  (* The clock of another processor may be far behind. *)
  if each >= 0 then judge t each

let[@inline] next t =
  if not t.always_pass then begin
    t.count <- t.count + 1;
    if t.count land (window - 1) = 0 then look t
  end
