type status = Detached | Working | Searching | Idle
type leave = Gone | Woken | Needed

type sleeper = {
  parker : Parker.t;
  mutable status : status;
  place : Outside_waiters.t option;
  mutable is_retired : bool; (* idle, and no thread is this worker *)
  mutable respawn : (unit -> bool) option;
  mutable spells : int;
  mutable woken : bool;
  mutable starting : bool;
  mutable searches : int;
  mutable late : int;
  mutable idle_wakes : int;
  mutable retired : int;
  mutable returns : int;
  mutable parks : int;
  mutable wakes : int;
}

type t = {
  lock : Lock.t;
  word : Deque_memory.word;
  mutable listed : sleeper list;
      (* youngest first: its caches are the warmest; after them those that are gone, likewise *)
  mutable unable : sleeper list; (* gone, and could not be respawned *)
  mutable failed_at : int; (* when that was seen last *)
  mutable again_after : int; (* how long they are not tried again *)
  mutable present : int; (* workers that a thread is *)
  mutable shut : bool;
  mutable working : int;
  mutable searching : int;
  mutable starting : int; (* of those who search: whose threads have yet to begin *)
  mutable attending : int; (* of those who are listed *)
  mutable room : int; (* for all, the extra workers too *)
  mutable extra : int; (* of it, the extra workers' *)
  mutable watched : bool; (* [watch] was called, and nobody has looked since *)
  watch : unit -> unit;
  timers : unit -> bool;
}

(* Nanoseconds. Longer and longer, while no domain is to be had: who cannot be respawned costs a thread that ends at once. *)
let first_again_after = 50_000_000
let longest_again_after = 400_000_000

let create ~watch ~timers ~room word =
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
    attending = 0;
    room;
    extra = 0;
    watched = false;
    watch;
    timers;
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
    searches = 0;
    late = 0;
    idle_wakes = 0;
    retired = 0;
    returns = 0;
    parks = 0;
    wakes = 0;
  }

(* --- under the lock --- *)

let active t = t.working + t.searching
let is_full t = active t >= t.room

(* Several at work may be too many; who sleeps because the room is full relies on those who do not; who could not be
   respawned is wanted while somebody works; and who works is called at each look, and hands over what is ready. *)
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

(* Only who searches is starting: see [begins]. *)
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

(* --- waking --- *)

(* Who cannot be respawned is tried again when another one has gone: there may be one more then; and now and then. *)
let respawn t (s : sleeper) ~to_search =
  let starting by =
    if to_search then begin
      s.starting <- by > 0;
      t.starting <- t.starting + by
    end
  in
  starting 1;
  let comes = match s.respawn with Some respawn -> respawn () | None -> false in
  if comes then t.again_after <- first_again_after
  else begin
    starting (-1);
    let unable = s :: t.unable and listed = List.filter (fun other -> other != s) t.listed in
    t.unable <- unable;
    t.listed <- listed;
    t.failed_at <- Timer_thread.now ();
    updated t
  end;
  comes

let may_try_again t = t.unable <> [] && Timer_thread.now () - t.failed_at > t.again_after

(* There may be a domain to be had again. Whether they are listed anew: what was pushed meanwhile was announced to nobody, so
   whoever is not about to wake one of them must hand on. *)
let try_the_unable t =
  let tries = may_try_again t in
  if tries then begin
    let listed = t.listed @ t.unable in
    t.again_after <- min longest_again_after (2 * t.again_after);
    t.unable <- [];
    t.listed <- listed;
    updated t
  end;
  tries

(* Of those who are listed, the first that is there or comes: those that are gone come last. *)
let rec somebody t ~to_search =
  match t.listed with
  | [] -> None
  | s :: _ when not s.is_retired -> Some s
  | s :: _ -> if t.shut then None else if respawn t s ~to_search then Some s else somebody t ~to_search

let came t s =
  s.is_retired <- false;
  s.returns <- s.returns + 1;
  t.present <- t.present + 1

(* Counted as a searcher from here on, so that the next pusher need not wake another one. *)
let let_search t s =
  move t s Searching;
  s.woken <- true;
  Parker.unpark s.parker

let wake_somebody t done_so =
  ignore (try_the_unable t : bool);
  if not (is_full t) then
    match somebody t ~to_search:true with
    | None -> ()
    | Some s ->
        let_search t s;
        done_so ()

let wake_one t done_so = Lock.do_soon t.lock (fun () -> if t.searching = 0 then wake_somebody t done_so)

let wake_another t =
  if t.starting > 0 then
    Lock.do_soon t.lock (fun () -> if t.searching = t.starting then wake_somebody t ignore)

let started t s = Lock.protect t.lock (fun () -> no_longer_starting t s)

(* --- the spare --- *)

(* Who is active may never come back, and timers need a thread that waits for the alarm. *)
let needs_spare t = is_full t || t.timers ()
let has_spare t = match t.listed with s :: _ -> not s.is_retired | [] -> true

(* Who has yet to begin will see to it, as soon as it begins to work. *)
let keep_spare t =
  if t.starting = 0 && (not (has_spare t)) && needs_spare t then
    ignore (somebody t ~to_search:false : sleeper option)

let timer_added t =
  if Membarrier.by_owner then Membarrier.full ();
  if not (has_spare t) then Lock.do_soon t.lock (fun () -> keep_spare t)

(* A searcher has stopped to search, with the word updated. What was pushed while it searched was not announced to anyone
   else; the barrier makes it visible, as for a worker that goes to sleep. *)
let is_left t ~more =
  t.word.value <> 0
  && begin
       Membarrier.heavy ();
       more ()
     end

let hand_on t ~more done_so = if is_left t ~more then wake_one t done_so
let woke s () = s.wakes <- s.wakes + 1

(* --- a worker's moves --- *)

let join t s ~more =
  let tries = ref false in
  Lock.protect t.lock (fun () ->
      s.status <- Working;
      s.spells <- s.spells + 1;
      t.working <- t.working + 1;
      t.present <- t.present + 1;
      tries := try_the_unable t;
      updated t;
      keep_spare t);
  if !tries then hand_on t ~more (woke s)

let absent t s =
  Lock.protect t.lock @@ fun () ->
  let listed = t.listed @ [ s ] in
  s.status <- Idle;
  s.is_retired <- true;
  t.listed <- listed;
  updated t

let lost t s ~soon =
  Lock.protect t.lock @@ fun () ->
  let listed = t.listed @ [ s ] and unable = s :: t.unable in
  s.status <- Idle;
  s.is_retired <- true;
  if soon then t.listed <- listed
  else begin
    t.unable <- unable;
    t.failed_at <- Timer_thread.now ()
  end;
  updated t

let leave t s ~more =
  Lock.protect t.lock (fun () ->
      move t s Detached;
      t.present <- t.present - 1;
      updated t;
      keep_spare t);
  hand_on t ~more (woke s)

let start_search t s =
  Lock.protect t.lock @@ fun () ->
  let allowed = 2 * t.searching < max 1 t.working in
  if allowed then begin
    move t s Searching;
    no_longer_starting t s
  end;
  allowed

let stop_search t s ~more =
  Lock.protect t.lock (fun () ->
      move t s Working;
      keep_spare t);
  hand_on t ~more (woke s)

(* As [stop_search], all of it under the lock, for whoever holds it. It may come late, when the worker has already moved by itself, in
   work nested in its first job: then the worker is not starting any more, and there is nothing to do. *)
let begins t (s : sleeper) ~more () =
  if s.starting && s.status = Searching then begin
    move t s Working;
    s.woken <- false;
    keep_spare t;
    if is_left t ~more && t.searching = 0 then wake_somebody t (woke s)
  end

let working_at_once t s ~more f =
  let begins = begins t s ~more in
  Lock.do_soon t.lock begins;
  f ();
  Lock.protect t.lock begins

let prepare_wait t s =
  Lock.protect t.lock (fun () -> move t s Idle);
  Membarrier.heavy ()

let cancel_wait t s ~leaving =
  Lock.protect t.lock @@ fun () ->
  if s.status = Idle && (leaving || not (is_full t)) then move t s Searching;
  s.status <> Idle

let is_woken t s = Lock.protect t.lock (fun () -> s.status <> Idle)

let while_attending t f =
  let count by = Lock.protect t.lock (fun () -> t.attending <- t.attending + by) in
  count 1;
  Fun.protect ~finally:(fun () -> count (-1)) f

let while_waiting s f =
  match s.place with None -> f () | Some place -> Outside_waiters.while_in_line place f

let commit_wait _t s = function
  | None -> (
      s.parks <- s.parks + 1;
      match s.place with
      | None -> Parker.park s.parker
      | Some place ->
          Outside_waiters.park place infinity;
          Parker.Token)
  | Some seconds ->
      s.parks <- s.parks + 1;
      Parker.park_for s.parker seconds

(* --- going and coming --- *)

(* Marked first, and then asked about timers once more: who adds one looks at the list without the lock. *)
let mark_gone t s others =
  let there, gone = List.partition (fun (other : sleeper) -> not other.is_retired) others in
  let was = t.listed and listed = there @ (s :: gone) @ t.unable in
  s.is_retired <- true;
  t.listed <- listed;
  Membarrier.heavy ();
  let stays = (not (has_spare t)) && t.timers () in
  if stays then begin
    s.is_retired <- false;
    t.listed <- was;
    Needed
  end
  else begin
    t.present <- t.present - 1;
    t.unable <- [];
    s.retired <- s.retired + 1;
    updated t;
    Gone
  end

let retire t s =
  Lock.protect t.lock @@ fun () ->
  let others = List.filter (fun other -> other != s) t.listed in
  let last = List.for_all (fun other -> other.is_retired) others in
  if s.status <> Idle then Woken
  else if t.shut || (last && needs_spare t) then Needed
  else mark_gone t s others

(* --- room --- *)

let is_crowded t = is_full t && t.listed <> []
let is_over t = active t > t.room

let set_room t room ~more =
  Lock.protect t.lock (fun () ->
      let room = room + t.extra in
      t.room <- room;
      updated t;
      keep_spare t);
  hand_on t ~more ignore

let looked t ~more =
  let tries = ref false in
  Lock.protect t.lock (fun () ->
      t.watched <- false;
      tries := try_the_unable t;
      updated t;
      if !tries then keep_spare t);
  if !tries then hand_on t ~more ignore

let add_room t by =
  Lock.protect t.lock (fun () ->
      t.extra <- t.extra + by;
      t.room <- t.room + by;
      updated t)

let room t = t.room - t.extra
let excess t = active t - t.room
let is_watched t = t.watched

(* --- hints --- *)

let is_deserted t = t.present = 0
let present t = t.present
let shut t = Lock.protect t.lock (fun () -> t.shut <- true)
let shut_soon t = Lock.do_soon t.lock (fun () -> t.shut <- true)
let nobody_comes t = t.searching = 0 && (t.listed = [] || is_full t)
let all_listed t ~and_ = Lock.protect t.lock (fun () -> active t = 0 && t.attending = 0 && and_ ())
