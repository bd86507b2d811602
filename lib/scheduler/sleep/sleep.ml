open Sleepers
open Respawn

(* --- waking --- *)

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

(* A searcher has stopped to search, with the word updated. What was pushed while it searched was not
   announced to anyone else; the barrier makes it visible, as for a worker that goes to sleep. *)
let is_left t ~more =
  t.word.value <> 0
  && begin
       Membarrier.heavy ();
       more ()
     end

let hand_on t ~more done_so = if is_left t ~more then wake_one t done_so
let woke s () = s.counts.wakes <- s.counts.wakes + 1

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

(* [stop_search], all of it under the lock, by the lock's holder. It may come late, when the worker has
   already moved by itself, in work nested in its first job: then the worker is not starting any more, and
   there is nothing to do. *)
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

let while_moving_jobs t f =
  let count by = Lock.protect t.lock (fun () -> t.moving <- t.moving + by) in
  count 1;
  Fun.protect ~finally:(fun () -> count (-1)) f

let while_waiting s f = match s.place with None -> f () | Some place -> Outside_waiters.while_queued place f

let commit_wait s = function
  | None -> (
      s.counts.parks <- s.counts.parks + 1;
      match s.place with
      | None -> Parker.park s.parker
      | Some place ->
          Outside_waiters.park place infinity;
          Parker.Token)
  | Some seconds ->
      s.counts.parks <- s.counts.parks + 1;
      Parker.park_for s.parker seconds

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

(* Read without the lock: the two may be of different moments. *)
let room t = Int.max 0 (t.room - t.extra)
let excess t = active t - t.room
let is_watched t = t.watched

(* --- hints --- *)

let nobody_comes t = t.searching = 0 && (t.listed = [] || is_full t)
let all_listed t ~and_ = Lock.protect t.lock (fun () -> active t = 0 && t.moving = 0 && and_ ())
