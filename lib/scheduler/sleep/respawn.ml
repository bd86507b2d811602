open Sleepers

type leave = Gone | Woken | Needed

(* Nanoseconds. While no domain can be had, the pause grows: each attempt costs a thread that ends at once. *)
let longest_again_after = 400_000_000

(* A worker that cannot be respawned is tried again when another worker has retired, since a domain may be
   free then; and now and then. *)
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

(* A domain may be free again. Returns whether workers are listed anew: what was pushed meanwhile woke
   nobody, so a caller that is not about to wake one of them must wake another. *)
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

(* The first in the list that has a thread or gets one; retired workers come last. *)
let rec somebody t ~to_search =
  match t.listed with
  | [] -> None
  | s :: _ when not s.is_retired -> Some s
  | s :: _ -> if t.shut then None else if respawn t s ~to_search then Some s else somebody t ~to_search

let came t s =
  s.is_retired <- false;
  s.counts.returns <- s.counts.returns + 1;
  t.present <- t.present + 1

(* --- the spare --- *)

(* Active workers may never come back, and timers and deferred jobs need a thread that waits for the alarm. *)
let needs_spare t = is_full t || t.needs_alarm ()
let has_spare t = match t.listed with s :: _ -> not s.is_retired | [] -> true

(* A worker that is starting keeps a spare as soon as it works. *)
let keep_spare t =
  if t.starting = 0 && (not (has_spare t)) && needs_spare t then
    ignore (somebody t ~to_search:false : sleeper option)

let alarm_needed t =
  if Membarrier.by_owner then Membarrier.full ();
  if not (has_spare t) then Lock.do_soon t.lock (fun () -> keep_spare t)

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

(* --- going and coming --- *)

(* The worker is marked as retired first, and then timers and deferred jobs are looked at once more: a thread
   that adds one looks at the list without the lock. *)
let mark_gone t s others =
  let there, gone = List.partition (fun (other : sleeper) -> not other.is_retired) others in
  let was = t.listed and listed = there @ (s :: gone) @ t.unable in
  s.is_retired <- true;
  t.listed <- listed;
  Membarrier.heavy ();
  let stays = (not (has_spare t)) && t.needs_alarm () in
  if stays then begin
    s.is_retired <- false;
    t.listed <- was;
    Needed
  end
  else begin
    t.present <- t.present - 1;
    t.unable <- [];
    s.counts.retired <- s.counts.retired + 1;
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

(* --- hints --- *)

let is_deserted t = t.present = 0
let[@inline never] present t = t.present
let shut t = Lock.protect t.lock (fun () -> t.shut <- true)
let shut_soon t = Lock.do_soon t.lock (fun () -> t.shut <- true)
