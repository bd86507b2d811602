let never () = false

(* [real_parts] runs the lock and the deques step by step; otherwise each of their operations is a step or two. [busy]: the
   jobs never end, so whoever takes one takes no other. [sleepers] are the workers that may end asleep. *)
let scenario ?(long = false) ?(real_parts = false) ?(busy = false) name ~outcomes ~workers ~sleepers spawn :
    Scenario.t =
  let set_up () =
    Section.collapse (not real_parts);
    Whole_deque.use (not real_parts);
    Undisturbed.promise true;
    let crew = Crew.make workers in
    let taken = ref 0 in
    let job () =
      Job.T
        (Job.task Job.nobody (fun () ->
             incr taken;
             if busy then Process.stop ()))
    in
    spawn crew job;
    fun () ->
      let asleep i = Parker.sleeps crew.workers.(i).sleeper.parker in
      let asleep = List.filter asleep sleepers in
      if asleep <> [] && Worker.is_work crew.parts then
        Explore.violate "a job is left and %d workers sleep" (List.length asleep);
      let waits = Array.fold_left (fun sum (w : Worker.t) -> sum + w.sleeper.parks) 0 crew.workers in
      (* The waits that have not ended are not counted. *)
      Printf.sprintf "%d taken, %d woken" !taken (waits - List.length asleep)
  in
  { name; long; outcomes; set_up }

(* From the moment on when a worker has found nothing and may not search. *)
let go_to_sleep crew i name = Crew.worker crew i name @@ fun w -> Worker.sleep w ~until:never
let all_day crew i name = Crew.worker crew i name @@ fun w -> Worker.work w ~until:never

(* The rest of [Worker.sleep], for a worker that is listed and has looked once more. *)
let asleep (crew : Crew.t) i name =
  let sleepers = crew.parts.sleepers in
  Sleepers.announce sleepers crew.workers.(i).sleeper;
  Crew.worker crew i name @@ fun w ->
  ignore (Sleepers.wait sleepers w.sleeper);
  Sleepers.retract sleepers w.sleeper;
  Worker.search_or_sleep w ~until:never

(* A worker that searches, from its one look around on. *)
let searching (crew : Crew.t) i name =
  if not (Sleepers.start_search crew.parts.sleepers crew.workers.(i).sleeper) then
    invalid_arg "one searcher too many";
  Crew.worker crew i name @@ fun w -> Worker.search_or_sleep w ~until:never

let pushes crew i name jobs = Crew.worker crew i name @@ fun w -> List.iter (Worker.push w) jobs

(* As a pool's [inject] does. *)
let submits (crew : Crew.t) job =
  Process.spawn "outsider" @@ fun () ->
  Injector.push crew.parts.injector job;
  Sleepers.wake_one crew.parts.sleepers ignore

let all =
  [
    ( scenario "a push, one goes to sleep, real lock and deque" ~real_parts:true
        ~outcomes:[ "1 taken, 0 woken"; "1 taken, 1 woken" ]
        ~workers:2 ~sleepers:[ 1 ]
    @@ fun crew job ->
      pushes crew 0 "A" [ job () ];
      all_day crew 1 "B" );
    ( scenario "two pushes, one goes to sleep"
        ~outcomes:[ "2 taken, 0 woken"; "2 taken, 1 woken"; "2 taken, 2 woken" ]
        ~workers:2 ~sleepers:[ 1 ]
    @@ fun crew job ->
      pushes crew 0 "A" [ job (); job () ];
      all_day crew 1 "B" );
    ( scenario "a push, two go to sleep" ~busy:true
        ~outcomes:[ "1 taken, 0 woken"; "1 taken, 1 woken" ]
        ~workers:3 ~sleepers:[ 1; 2 ]
    @@ fun crew job ->
      pushes crew 0 "A" [ job () ];
      go_to_sleep crew 1 "B";
      go_to_sleep crew 2 "C" );
    ( scenario "a submission, two go to sleep"
        ~outcomes:[ "1 taken, 0 woken"; "1 taken, 1 woken" ]
        ~workers:2 ~sleepers:[ 0; 1 ]
    @@ fun crew job ->
      submits crew (job ());
      go_to_sleep crew 0 "A";
      go_to_sleep crew 1 "B" );
    ( scenario "a submission, two workers all day" ~long:true
        ~outcomes:[ "1 taken, 0 woken"; "1 taken, 1 woken" ]
        ~workers:2 ~sleepers:[ 0; 1 ]
    @@ fun crew job ->
      submits crew (job ());
      all_day crew 0 "A";
      all_day crew 1 "B" );
    ( scenario "a push, one searches, one sleeps" ~busy:true
        ~outcomes:[ "1 taken, 0 woken"; "1 taken, 1 woken" ]
        ~workers:3 ~sleepers:[ 1; 2 ]
    @@ fun crew job ->
      pushes crew 0 "A" [ job () ];
      searching crew 1 "B";
      asleep crew 2 "C" );
    ( scenario "two pushes, one searches, one sleeps" ~busy:true
        ~outcomes:[ "2 taken, 1 woken"; "2 taken, 2 woken" ]
        ~workers:3 ~sleepers:[ 1; 2 ]
    @@ fun crew job ->
      pushes crew 0 "A" [ job (); job () ];
      searching crew 1 "B";
      asleep crew 2 "C" );
    ( scenario "a push, one searches, one sleeps, real lock and deque" ~real_parts:true ~busy:true
        ~outcomes:[ "1 taken, 0 woken"; "1 taken, 1 woken" ]
        ~workers:3 ~sleepers:[ 1; 2 ]
    @@ fun crew job ->
      pushes crew 0 "A" [ job () ];
      searching crew 1 "B";
      asleep crew 2 "C" );
    ( scenario "a push, a searcher leaves, one sleeps" ~busy:true ~outcomes:[ "1 taken, 1 woken" ] ~workers:3
        ~sleepers:[ 2 ]
    @@ fun crew job ->
      pushes crew 0 "A" [ job () ];
      let sleepers = crew.parts.sleepers in
      ignore (Sleepers.start_search sleepers crew.workers.(1).sleeper);
      Crew.worker crew 1 "B" (fun w ->
          Sleepers.leave sleepers w.sleeper ~left:(ref false) ~more:(fun () -> Worker.is_work crew.parts));
      asleep crew 2 "C" );
  ]
