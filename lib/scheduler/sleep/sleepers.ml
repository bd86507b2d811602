include Types.Sleepers

let first_again_after = 50_000_000

let create ~watch ~needs_alarm ~room word =
  {
    lock = Lock.create ();
    word;
    listed = [];
    unable = [];
    failed_at = 0;
    again_after = first_again_after;
    present = 0;
    shut = false;
    working = 0;
    searching = 0;
    starting = 0;
    moving = 0;
    room;
    extra = 0;
    watched = false;
    watch;
    needs_alarm;
  }

let no_counts () : Worker_stats.counts =
  {
    steals = 0;
    failed_steals = 0;
    searches = 0;
    late_finds = 0;
    parks = 0;
    wakes = 0;
    idle_wakes = 0;
    retired = 0;
    returns = 0;
  }

let sleeper ~interruptible =
  let parker = Parker.create ~interruptible in
  {
    parker;
    place = (if interruptible then Some (Outside_waiters.place parker) else None);
    status = Detached;
    is_retired = false;
    respawn = None;
    spells = 0;
    woken = false;
    starting = false;
    counts = Multicore_magic.copy_as_padded (no_counts ());
  }

let active t = t.working + t.searching
let is_full t = active t >= t.room

(* Whether somebody is active: several active workers may be too many; a worker that sleeps because the
   room is full relies on the active ones; one that could not be respawned is wanted while others work; and an
   active worker is preempted at each look, and hands over what is ready. *)
let is_to_be_watched t = active t >= 1

let updated t =
  t.word.value <- (if t.searching = 0 && (not (is_full t)) && t.listed <> [] then 1 else 0);
  if is_to_be_watched t then begin
    Outside_waiters.wake ();
    if not t.watched then begin
      t.watched <- true;
      t.watch ()
    end
  end

let no_longer_starting t (s : sleeper) =
  if s.starting then begin
    s.starting <- false;
    t.starting <- t.starting - 1
  end

(* Only a worker that searches is starting. *)
let move t s status =
  let listed =
    match (s.status, status) with
    | Idle, Idle -> t.listed
    | Idle, (Detached | Working | Searching) -> List.filter (fun other -> other != s) t.listed
    | (Detached | Working | Searching), Idle -> s :: t.listed
    | (Detached | Working | Searching), (Detached | Working | Searching) -> t.listed
  in
  let count status by =
    match status with
    | Working -> t.working <- t.working + by
    | Searching -> t.searching <- t.searching + by
    | Detached | Idle -> ()
  in
  count s.status (-1);
  count status 1;
  if status <> Searching then no_longer_starting t s;
  if s.status = Idle then s.spells <- s.spells + 1;
  s.status <- status;
  t.listed <- listed;
  updated t
