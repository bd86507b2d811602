type reading = {
  mutable working : bool;
  mutable ran : int;
  mutable waited : int;
  mutable known : bool;
  mutable progress : int;
}

let reading () = { working = false; ran = 0; waited = 0; known = false; progress = 0 }

(* For each worker. *)
type record = {
  last : reading;
  mutable still : int; (* nanoseconds without progress *)
  mutable idle : int; (* looks in a row at which it had used little *)
  mutable silent : int; (* or nothing *)
}

(* A number other than [from] is being tried. *)
type trial = { from : int; since : int }

type t = {
  workers : int;
  assumed : int option;
  records : record array;
  mutable looked : int;
  mutable collections : int;
  mutable scarce_until : int;
  (* The window: a time in which the same number of workers computed. *)
  mutable computing : int;
  mutable length : int;
  mutable ran : int;
  mutable waited : int;
  mutable collected : int;
  (* What has been learnt. *)
  mutable ours : int;
  got : float array; (* processors, by that many workers; 0 if that is not known *)
  filled : float array; (* minor heaps, in a window *)
  mutable trial : trial option;
  mutable more_at : int; (* when more may be tried *)
  mutable more_hold : int; (* how long not to try more after the next failure *)
  mutable fewer_at : int;
  mutable fewer_hold : int;
  mutable room : int;
}

let ms = 1_000_000
let least_interval = 4 * ms

(* A look that comes so late tells nothing of the time before. *)
let longest_interval = 50 * ms

(* Mostly the period of CPU quotas: a window must not lie in the part of the period in which nobody may
   run. It also spans many of the scheduler's slices, of about 4 ms. *)
let whole_window = 100 * ms

(* After two windows that say neither yes nor no, a trial of more has failed. *)
let longest_doubt = 150 * ms

(* Nor does a trial wait longer for workers that do not come, or do not fork. *)
let longest_trial = 1_000 * ms
let few = 10.
let first_hold = 400 * ms
let longest_hold = 2_000 * ms
let stuck_after = 200 * ms

let create ~workers ~processors ~assumed =
  let record _ = { last = reading (); still = 0; idle = 0; silent = 0 } in
  let ours = max 1 (min workers (Option.value assumed ~default:processors)) in
  {
    workers;
    assumed;
    records = Array.init workers record;
    looked = 0;
    collections = 0;
    scarce_until = 0;
    computing = 0;
    length = 0;
    ran = 0;
    waited = 0;
    collected = 0;
    ours;
    got = Array.make (workers + 1) 0.;
    filled = Array.make (workers + 1) 0.;
    trial = None;
    more_at = 0;
    more_hold = first_hold;
    fewer_at = 0;
    fewer_hold = first_hold;
    room = ours;
  }

let room t = t.room

(* --- the processors that there are for us --- *)

let start_window t ~computing =
  t.computing <- computing;
  t.length <- 0;
  t.ran <- 0;
  t.waited <- 0;
  t.collected <- 0

let try_instead t ~now ours =
  t.trial <- Some { from = t.ours; since = now };
  t.ours <- ours

let doubled hold = min longest_hold (2 * hold)

let fail t ~now ~from =
  if t.ours < from then begin
    t.fewer_at <- now + t.fewer_hold;
    t.fewer_hold <- doubled t.fewer_hold
  end
  else begin
    t.more_at <- now + t.more_hold;
    t.more_hold <- doubled t.more_hold
  end;
  t.ours <- from;
  t.trial <- None

(* A number that was given up is not tried again at once. *)
let succeed t ~now ~from =
  if t.ours < from then begin
    t.fewer_hold <- first_hold;
    t.more_at <- now + t.more_hold
  end
  else begin
    t.more_hold <- first_hold;
    t.fewer_at <- now + t.fewer_hold
  end;
  t.trial <- None

(* A number that did better before, or one more. *)
let more_than t k ~most =
  let best = ref k in
  for j = k + 1 to most do
    if t.got.(j) > 1.1 *. t.got.(!best) then best := j
  done;
  if !best > k then !best else k + 1

(* One window may mislead: the result depends on how the slices of several workers happen to lie. *)
let remember what k value = what.(k) <- (if what.(k) = 0. then value else (what.(k) +. value) /. 2.)
let in_window t n = float_of_int n /. float_of_int t.length
let cores t = in_window t t.ran
let heaps t = in_window t (t.collected * t.computing * whole_window)

(* [cores] and [heaps] as shares of what [from] had. A few heaps say nothing. *)
let compared t ~from ~cores ~heaps =
  let by_time = cores /. Float.max 0.01 t.got.(from) in
  let is_few = t.filled.(from) *. float_of_int t.length < few *. float_of_int whole_window in
  (by_time, if is_few then by_time else heaps /. t.filled.(from))

let judge t ~now ~most =
  let k = t.computing in
  (* Without collections no worker waits for another: the more, the better. *)
  let crowded = in_window t t.waited > 0.2 && t.collected > 0 in
  remember t.got k (cores t);
  remember t.filled k (heaps t);
  if k = t.ours then
    match t.trial with
    | Some { from; since } ->
        let by_time, by_heaps = compared t ~from ~cores:t.got.(k) ~heaps:t.filled.(k) in
        let success, failure =
          if k < from then (Float.max by_time by_heaps > 0.85, true)
          else
            let gain = Float.min by_time by_heaps in
            ((not crowded) || gain > 1.15, gain < 1. || now - since >= longest_doubt)
        in
        if success then succeed t ~now ~from else if failure then fail t ~now ~from
    | None ->
        (* So fewer workers might have done as much. *)
        let lost = float_of_int k -. t.got.(k) > 0.85 in
        if k >= 2 && crowded && lost && now >= t.fewer_at then
          try_instead t ~now (max 1 (min (k - 1) (int_of_float (Float.ceil t.got.(k)))))
        else if k < most && now >= t.more_at then try_instead t ~now (more_than t k ~most)

(* A third of a window is enough to see that more workers do much less. *)
let is_disaster t ~from =
  t.ours > from && t.computing = t.ours
  && t.length >= whole_window / 3
  &&
  let by_time, by_heaps = compared t ~from ~cores:(cores t) ~heaps:(heaps t) in
  Float.min by_time by_heaps < 0.7

let learn t ~now ~dt ~most ~computing ~ran ~waited ~collected =
  if t.ours > most then begin
    t.ours <- most;
    t.trial <- None
  end;
  if computing <> t.computing then start_window t ~computing
  else begin
    t.length <- t.length + dt;
    t.ran <- t.ran + ran;
    t.waited <- t.waited + waited;
    t.collected <- t.collected + collected
  end;
  match t.trial with
  | Some { since; from } when is_disaster t ~from || now - since > longest_trial -> fail t ~now ~from
  | _ ->
      if t.length >= whole_window then begin
        judge t ~now ~most;
        start_window t ~computing
      end

(* --- each worker --- *)

(* While processors are scarce, a worker that does not run may wait for a processor, which is counted when
   that ends, or for a collection in which another worker waits for a processor. But a collection is no reason
   to wait if collections end all the same, and nothing waits so long. *)
let is_blocked t r ~now ~collected =
  if now >= t.scarce_until then r.silent >= 1 || r.idle >= 2
  else (r.silent >= 2 && collected >= 2) || r.silent >= 5

let clear r =
  r.idle <- 0;
  r.silent <- 0

let note_progress r (now : reading) ~dt ~collected =
  if (not now.working) || now.progress <> r.last.progress then r.still <- 0
  else r.still <- (r.still + if collected > 0 then dt / 10 else dt)

let note_use r ~used ~little =
  r.idle <- (if used < little then r.idle + 1 else 0);
  r.silent <- (if used < 0.1 *. little then r.silent + 1 else 0)

let copy (a : reading) ~into:(b : reading) =
  b.working <- a.working;
  b.ran <- a.ran;
  b.waited <- a.waited;
  b.known <- a.known;
  b.progress <- a.progress

let update t ~now ~processors ~share ~collections readings =
  let since = now - t.looked in
  let dt = min since longest_interval and collected = max 0 (collections - t.collections) in
  let working = Array.fold_left (fun n (r : reading) -> if r.working then n + 1 else n) 0 readings in
  let little = 0.3 *. float_of_int dt *. Float.min 1. (share /. float_of_int (max 1 working)) in
  let ran = ref 0 and waited = ref 0 and all_known = ref (since <= longest_interval) in
  let note (r : record) (reading : reading) =
    let was = r.last in
    note_progress r reading ~dt ~collected;
    if not reading.working then clear r
    else if reading.known && was.known && reading.ran >= was.ran && reading.waited >= was.waited then begin
      let d_ran = min whole_window (reading.ran - was.ran) in
      let d_waited = min whole_window (reading.waited - was.waited) in
      ran := !ran + d_ran;
      waited := !waited + d_waited;
      note_use r ~used:(float_of_int (d_ran + d_waited)) ~little
    end
    else begin
      clear r;
      all_known := false
    end;
    copy reading ~into:was
  in
  Array.iter2 note t.records readings;
  if 5 * !waited > dt then t.scarce_until <- now + longest_interval;
  let blocked = ref 0 and stuck = ref 0 in
  Array.iter
    (fun r ->
      if is_blocked t r ~now ~collected then incr blocked else if r.still >= stuck_after then incr stuck)
    t.records;
  if t.assumed = None then begin
    let most = max 1 (min t.workers processors) in
    if !all_known && !stuck = 0 then
      learn t ~now ~dt ~most ~computing:(working - !blocked) ~ran:!ran ~waited:!waited ~collected
    else start_window t ~computing:0
  end;
  t.room <- max 1 (min t.workers (t.ours + !blocked + !stuck))

let look t ~now ~processors ~share ~collections readings =
  if now < t.looked then t.looked <- now;
  if now - t.looked >= least_interval then begin
    update t ~now ~processors ~share ~collections readings;
    t.looked <- now;
    t.collections <- collections
  end;
  t.room
