type t = {
  cutoff : Cutoff.t option;  (** none: {!impatient} *)
  mutable alone : int;
      (** how long an operation took by itself: an average, in [1 / parts] ticks; 0: not known *)
  mutable patient : bool;  (** the present way *)
  mutable vain : int;
      (** so many calls in a row have waited in vain; beyond [in_a_row], also those that then did not wait *)
  mutable from : int;  (** the tick at which the present stretch began; 0: it has not *)
  mutable before : int;  (** the operations applied by then *)
  mutable last : int;  (** the tick of the last note *)
  mutable settling : bool;  (** the way has just been changed: the first operations are not counted *)
  mutable cost_lined_up : int;  (** ticks per operation, in [1 / parts]; 0: not known *)
  mutable cost_patient : int;
  mutable trying : bool;  (** the present way is on trial *)
  mutable until_try : int;  (** so many more stretches *)
  mutable interval : int;
}

let fewest = 8
let most = 64

let impatient =
  {
    cutoff = None;
    alone = 0;
    patient = false;
    vain = 0;
    from = 0;
    before = 0;
    last = 0;
    settling = false;
    cost_lined_up = 0;
    cost_patient = 0;
    trying = false;
    until_try = 1;
    interval = fewest;
  }

(* About a microsecond in all: short pauses at first, since the caller inside may be about to leave. *)
let short = 640
let first_of_short = 40

(* About a millisecond in all. Long pauses from the beginning, too: moving the structure from processor to
   processor for each operation costs more than letting one of them go on for a while. [weft bench
   batch_counter batch_veb_insert batch_hash_table_insert --domains 2], k ops/s, with 40,000, 160,000 and
   640,000 ticks: 19,200, 18,700, 22,300; 1,560, 2,350, 3,130; 1,220, 1,320, 1,480. A caller that does other
   work as well waits no longer for it: an insertion and 0.1, 0.3, 1.2, 3.6 us of work each took 0.59, 0.72,
   0.93, 2.15 us on two domains when nobody was patient, and 0.30, 0.54, 0.81, 2.06 now. *)
let long = 640_000
let first_of_long = 640
let is_long longest = longest > short
let first ~longest = if is_long longest then first_of_long else first_of_short

(* Ticks of an operation. Below the first, joining the list need not be tried, since that costs more on any
   number of processors; above the second, nobody is patient before the other way has been measured. *)
let trifling = 500
let dear = 16_000
let parts = 16

(* A stretch lasts some milliseconds, and enough operations for some batches, or as many as there are.
   After a longer time without a note, callers did not meet, so nothing tells the two ways apart. *)
let least_ticks = 20_000_000
let least_operations = 1024
let most_ticks = 2 * least_ticks
let gap = 2 * least_ticks
let settling_ticks = least_ticks / 8

(* So many wait in vain, and then so many do not wait at all. *)
let in_a_row = 64
let none_for = 4096

(* Until one has got in, a few calls that wait in vain are enough: an operation may be waiting for this
   very worker. Fewer would be too few: while a list is served nobody gets in. *)
let at_first = 8

let make cutoff =
  { impatient with cutoff = Some cutoff; patient = Cutoff.is_measured cutoff; vain = in_a_row - at_first }

let longest t = if t.patient && t.vain < in_a_row then long else short

let in_vain t ~longest =
  if is_long longest || t.vain >= in_a_row then
    t.vain <- (if t.vain >= in_a_row + none_for then in_a_row - 1 else t.vain + 1)

let is_dear t = t.alone >= parts * dear
let is_trifling t = t.alone > 0 && t.alone < parts * trifling

(* Functions that the owner calls must not allocate, not even closures, nor loop: it has yet to leave. *)

let entered t ticks =
  match t.cutoff with
  | Some cutoff when Cutoff.is_measured cutoff ->
      if t.vain < in_a_row then t.vain <- 0;
      let cost = parts * Int.max 1 ticks in
      (* An operation that was interrupted does not count for much. *)
      t.alone <- (if t.alone = 0 then cost else t.alone + ((Int.min cost (4 * t.alone) - t.alone) / 8))
  | Some _ | None -> ()

let change t ~trying =
  t.patient <- not t.patient;
  t.trying <- trying;
  t.settling <- true

let note_cost t cost =
  let known = if t.patient then t.cost_patient else t.cost_lined_up in
  let cost = if t.trying || known = 0 then cost else ((3 * known) + cost) / 4 in
  if t.patient then t.cost_patient <- cost else t.cost_lined_up <- cost

(* A try wins by a sixteenth at least. *)
let try_has_won t =
  let before, now =
    if t.patient then (t.cost_lined_up, t.cost_patient) else (t.cost_patient, t.cost_lined_up)
  in
  now < before - (before / 16)

let go_on_with t interval =
  t.interval <- interval;
  t.until_try <- interval

let end_of_stretch t cost =
  note_cost t cost;
  if t.trying then
    if try_has_won t then begin
      t.trying <- false;
      go_on_with t fewest
    end
    else begin
      change t ~trying:false;
      go_on_with t (Int.min most (2 * t.interval))
    end
  else if t.until_try > 1 then t.until_try <- t.until_try - 1
  else if not (t.patient && is_trifling t) then change t ~trying:true

(* A trial ends early if it has not done half as much by an eighth of its time. *)
let is_hopeless t ~ticks cost =
  t.trying && ticks >= least_ticks / 8 && cost > 2 * if t.patient then t.cost_lined_up else t.cost_patient

let start t ~operations ~now =
  t.from <- now;
  t.before <- operations

let note t ~operations ~now =
  match t.cutoff with
  | Some cutoff when Cutoff.is_measured cutoff ->
      let since_last = now - t.last in
      t.last <- now;
      if t.patient && t.cost_lined_up = 0 && is_dear t then begin
        change t ~trying:false;
        t.from <- 0
      end
      else if t.patient && t.vain >= in_a_row then
        (* They join the list. *)
        t.from <- 0
      else if t.from = 0 || since_last > gap then start t ~operations ~now
      else begin
        let ticks = now - t.from and n = operations - t.before in
        if t.settling then begin
          if ticks >= settling_ticks then begin
            t.settling <- false;
            start t ~operations ~now
          end
        end
        else if n > 0 then begin
          let cost = parts * ticks / n in
          let has_ended = (ticks >= least_ticks && n >= least_operations) || ticks >= most_ticks in
          if has_ended || is_hopeless t ~ticks cost then begin
            end_of_stretch t cost;
            start t ~operations ~now
          end
        end
      end
  | Some _ | None -> ()

let start_again t = t.from <- 0
