type t = {
  crew : Crew.t;
  busy : bool;
  mutable takers : string list;
  mutable sleepers : int list;
  mutable judges : (unit -> string) list;
}

let never () = false
let sleepers c = c.crew.parts.sleepers
let worker c i = c.crew.workers.(i)
let more c () = Worker.is_work c.crew.parts

(* --- jobs --- *)

let job c =
  Job.T
    (Job.task Spawn_context.nobody (fun () ->
         c.takers <- Process.name () :: c.takers;
         if c.busy then Process.stop ()))

let pushes c i name n =
  let jobs = List.init n (fun _ -> job c) in
  Crew.worker c.crew i name @@ fun w -> List.iter (Worker.push w) jobs

let holds c i =
  let w = worker c i in
  Worker.attach w;
  Worker.push_only w (job c);
  Worker.detach w

(* As a pool's [inject] does. *)
let submits ?(more = false) c n =
  let submit job =
    Injector.push c.crew.parts.injector job;
    Sleep.wake_one (sleepers c) ignore;
    if more then Sleep.wake_another (sleepers c)
  in
  let jobs = List.init n (fun _ -> job c) in
  Process.spawn "outsider" (fun () -> List.iter submit jobs)

let awaited_job () =
  let taken = Atomic.make false in
  (taken, Job.T (Job.task Spawn_context.nobody (fun () -> Atomic.set taken true)))

let asks c ~taken =
  let parts = c.crew.parts in
  Process.spawn "closer" @@ fun () ->
  if Timers.is_empty parts.timers && Worker.is_idle parts && not (Atomic.get taken) then
    failwith "a job is left, and nothing to do"

(* --- workers --- *)

let process c i name f =
  c.sleepers <- i :: c.sleepers;
  Crew.worker c.crew i name f

let all_day c i name = process c i name @@ fun w -> Worker_loop.work w ~until:never
let goes_to_sleep c i name = process c i name @@ fun w -> Worker_loop.sleep w ~until:never ~retire:None

let may_step_down c i name =
  process c i name @@ fun w ->
  if Sleep.is_over (sleepers c) then Worker_loop.work w ~until:never else Process.stop ()

let waits w = Worker_loop.wait_and_go_on w ~until:never ~retire:None

let sleeps c i name =
  Sleep.prepare_wait (sleepers c) (worker c i).sleeper;
  process c i name waits

let start_search c i =
  if not (Sleep.start_search (sleepers c) (worker c i).sleeper) then invalid_arg "one searcher too many"

let searches c i name =
  start_search c i;
  process c i name @@ fun w -> Worker_loop.search_or_sleep w ~until:never ~retire:None

(* --- workers whose threads end and begin --- *)

let is_there (w : Worker.t) = w.sleeper.status = Idle && not w.sleeper.is_retired

(* As in [External_caller]. *)
let leave c (w : Worker.t) () =
  if Deque.size w.deque > 0 then Respawn.Needed
  else begin
    Worker.detach w;
    match Respawn.retire (sleepers c) w.sleeper with
    | Gone -> Respawn.Gone
    | (Woken | Needed) as stays ->
        Worker.attach w;
        stays
  end

let elastic c i names =
  let w = worker c i and respawns = Section.word "respawns" and respawned = ref 0 and running = ref 0 in
  let first = if w.sleeper.is_retired then 1 else 0 and last = List.length names - 1 in
  let respawn () =
    if Array.exists is_there c.crew.workers then failwith "a thread is started, though another one waits";
    Respawn.came (sleepers c) w.sleeper;
    incr respawned;
    Section.write respawns !respawned;
    true
  in
  let retire : Worker_loop.retire = { after = { least = 1.; most = 1. }; leave = leave c w } in
  let life k name =
    let is_summoned () = Section.value respawns >= k + first in
    Process.spawn name @@ fun () ->
    if k + first > 0 && Section.read respawns < k + first then begin
      Process.discard_if is_summoned;
      Process.stop ()
    end;
    Worker.attach w;
    incr running;
    if k + first > 0 then Sleep.started (sleepers c) w.sleeper;
    Worker_loop.wait_and_go_on w ~until:never ~retire:(if k < last then Some retire else None);
    decr running
  in
  w.sleeper.respawn <- Some respawn;
  if not w.sleeper.is_retired then Sleep.prepare_wait (sleepers c) w.sleeper;
  c.sleepers <- i :: c.sleepers;
  List.iteri life names;
  let judge () =
    match (w.sleeper.is_retired, !running) with
    | true, 0 -> List.hd names ^ " is gone"
    | false, 1 -> ""
    | gone, n ->
        Explore.violate "%s is %s, and %d threads are" (List.hd names) (if gone then "gone" else "there") n
  in
  c.judges <- judge :: c.judges

(* --- judging --- *)

let asleep c = List.filter (fun i -> Parker.sleeps (worker c i).sleeper.parker) c.sleepers
let gone c = List.filter (fun i -> (worker c i).sleeper.is_retired) c.sleepers

let judge c =
  let parts = c.crew.parts in
  let active = Sleepers.active parts.sleepers and room = Sleep.room parts.sleepers in
  let asleep = List.length (asleep c) and gone = List.length (gone c) in
  if active < room && asleep + gone > 0 && Worker.is_work parts then
    Explore.violate "a job is left and %d workers sleep" (asleep + gone);
  if active >= room && asleep + gone > 0 then begin
    if asleep = 0 then Explore.violate "the room is full, and there is no spare";
    if not (Sleep.is_watched parts.sleepers) then Explore.violate "the room is full, and nobody is to look"
  end

let tell c =
  let taken =
    match List.sort compare c.takers with
    | [] -> "nothing is taken"
    | takers -> "taken by " ^ String.concat " and " takers
  in
  String.concat ", " (taken :: List.filter (( <> ) "") (List.map (fun judge -> judge ()) c.judges))

let scenario ?(long = false) ?(real_parts = false) ?(busy = false) ?room ?except ?gone ?away ?timers
    ?(tell = tell) name ~outcomes ~workers spawn : Scenario.t =
  let set_up () =
    Section.collapse (not real_parts);
    Whole_deque.use (not real_parts);
    Undisturbed.promise true;
    let crew = Crew.make ?room ?except ?gone ?away ?timers_are:timers workers in
    let c = { crew; busy; takers = []; sleepers = []; judges = [] } in
    spawn c;
    fun () ->
      judge c;
      tell c
  in
  { name; long; outcomes; set_up }
