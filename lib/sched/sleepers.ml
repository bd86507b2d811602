type status = Working | Searching | Listed
type sleeper = { parker : Parker.t; mutable status : status; mutable parks : int; mutable wakes : int }

type t = {
  lock : Lock.t;
  word : Deque_cells.word;
  mutable listed : sleeper list; (* youngest first: its caches are the warmest *)
  mutable working : int;
  mutable searching : int;
}

let create word = { lock = Lock.create (); word; listed = []; working = 0; searching = 0 }
let sleeper ~interruptible = { parker = Parker.create ~interruptible; status = Working; parks = 0; wakes = 0 }

(* --- under the lock --- *)

let update_word t = t.word.value <- (if t.searching = 0 && t.listed <> [] then 1 else 0)

let move t s status =
  (* Built before anything changes: see Lock. *)
  let listed =
    match (s.status, status) with
    | Listed, Listed -> t.listed
    | Listed, (Working | Searching) -> List.filter (fun other -> other != s) t.listed
    | (Working | Searching), Listed -> s :: t.listed
    | (Working | Searching), (Working | Searching) -> t.listed
  in
  let count status by =
    match status with
    | Working -> t.working <- t.working + by
    | Searching -> t.searching <- t.searching + by
    | Listed -> ()
  in
  count s.status (-1);
  count status 1;
  s.status <- status;
  t.listed <- listed;
  update_word t

(* --- waking --- *)

let wake_one t done_so =
  Lock.do_soon t.lock @@ fun () ->
  match t.listed with
  | s :: _ when t.searching = 0 ->
      (* Counted as a searcher from here on, so that the next pusher need not wake another one. *)
      move t s Searching;
      done_so ();
      Parker.unpark s.parker
  | _ -> ()

(* A searcher has stopped to search, with the word updated. What was pushed while it searched was not announced to anyone
   else; the barrier makes it visible, as for a worker that goes to sleep. *)
let hand_on t s ~more =
  if t.word.value <> 0 then begin
    Fence.heavy ();
    if more () then wake_one t (fun () -> s.wakes <- s.wakes + 1)
  end

(* --- a worker's moves --- *)

let join t s ~joined =
  Lock.protect t.lock @@ fun () ->
  s.status <- Working;
  t.working <- t.working + 1;
  joined := true

let leave t s ~left ~more =
  Lock.protect t.lock (fun () ->
      if not !left then begin
        move t s Working;
        t.working <- t.working - 1;
        left := true
      end);
  hand_on t s ~more

let start_search t s =
  Lock.protect t.lock @@ fun () ->
  let allowed = 2 * t.searching < max 1 t.working in
  if allowed then move t s Searching;
  allowed

let stop_search t s ~more =
  Lock.protect t.lock (fun () -> move t s Working);
  hand_on t s ~more

let announce t s =
  Lock.protect t.lock (fun () -> move t s Listed);
  Fence.heavy ()

let retract t s = Lock.protect t.lock (fun () -> if s.status = Listed then move t s Searching)

let wait _t s =
  s.parks <- s.parks + 1;
  Parker.park s.parker

let none_listed t = t.listed = []
let all_listed t = Lock.protect t.lock (fun () -> t.working = 0 && t.searching = 0)
