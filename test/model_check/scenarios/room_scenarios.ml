open Sleep_crew

let resizes c room = Process.spawn "resizer" @@ fun () -> Sleep.set_room (sleepers c) room ~more:(more c)

(* No worker computes before it has looked. *)
let settled c =
  if Sleepers.active (sleepers c) > Sleep.room (sleepers c) then Explore.violate "one too many is active";
  tell c

let leave c (w : Worker.t) = Sleep.leave (sleepers c) w.sleeper ~more:(more c)

(* A call from outside that leaves with its job undone, as in [External_slot]. *)
let works c =
  let w = worker c 0 and job = job c in
  Process.spawn "slot" @@ fun () ->
  Sleep.join (sleepers c) w.sleeper ~more:(more c);
  Worker.attach w;
  Worker.push w job;
  let task = Deque.pop w.deque ~nil:Job.nil in
  if task != Job.nil then Injector.push c.crew.parts.injector task;
  Worker.detach w;
  leave c w

let all =
  [
    ( scenario "room for one: two submissions, one goes to sleep, one sleeps" ~room:1 ~away:[ 0 ]
        ~outcomes:[ "taken by A and A" ] ~workers:3
    @@ fun c ->
      Sleep.prepare_wait (sleepers c) (worker c 2).sleeper;
      submits c 2;
      goes_to_sleep c 1 "A";
      process c 2 "B" waits );
    ( scenario "room for one: one with a job steps down, one goes to sleep" ~room:1 ~away:[ 0 ]
        ~outcomes:[ "taken by A"; "taken by B" ] ~workers:3
    @@ fun c ->
      holds c 2;
      goes_to_sleep c 1 "A";
      all_day c 2 "B" );
    ( scenario "room for one: one has stepped down with a job, one sleeps, one asks" ~real_parts:true ~room:1
        ~away:[ 0 ]
        ~tell:(fun _ -> "done")
        ~outcomes:[ "done" ] ~workers:3
    @@ fun c ->
      Whole_deque.use true;
      let taken, job = awaited_job () in
      let b = worker c 2 in
      Worker.attach b;
      Worker.push_only b job;
      Worker.detach b;
      Sleep.prepare_wait (sleepers c) b.sleeper;
      Sleep.prepare_wait (sleepers c) (worker c 1).sleeper;
      Crew.worker c.crew 2 "B" Hand_over.hand_over_before_sleep;
      asks c ~taken );
    ( scenario "room for one: one of two with a job each steps down" ~busy:true ~room:1 ~away:[ 0 ]
        ~tell:settled ~outcomes:[ "taken by A"; "taken by B" ] ~workers:3
    @@ fun c ->
      holds c 1;
      holds c 2;
      all_day c 1 "A";
      all_day c 2 "B" );
    ( scenario "room for one: a submission, one of two steps down" ~busy:true ~room:1 ~away:[ 0 ]
        ~tell:settled ~outcomes:[ "taken by A"; "taken by B" ] ~workers:3
    @@ fun c ->
      submits c 1;
      all_day c 1 "A";
      all_day c 2 "B" );
    ( scenario "room for two: a push, one of two steps down" ~busy:true ~room:2
        ~outcomes:[ "nothing is taken"; "taken by B"; "taken by C" ]
        ~workers:3
    @@ fun c ->
      pushes c 0 "A" 1;
      may_step_down c 1 "B";
      may_step_down c 2 "C" );
    ( scenario "room grows, a push, one sleeps" ~busy:true ~room:1 ~outcomes:[ "taken by B" ] ~workers:2
    @@ fun c ->
      pushes c 0 "A" 1;
      sleeps c 1 "B";
      resizes c 2 );
    ( scenario "room grows, a push, one sleeps, real lock and deque" ~long:true ~real_parts:true ~busy:true
        ~room:1 ~outcomes:[ "taken by B" ] ~workers:2
    @@ fun c ->
      pushes c 0 "A" 1;
      sleeps c 1 "B";
      resizes c 2 );
    ( scenario "room grows, two pushes, two sleep" ~long:true ~busy:true ~room:1
        ~outcomes:[ "taken by B and C" ] ~workers:3
    @@ fun c ->
      pushes c 0 "A" 2;
      sleeps c 1 "B";
      sleeps c 2 "C";
      resizes c 3 );
    ( scenario "room shrinks: a submission, two work" ~long:true ~busy:true ~room:2 ~away:[ 0 ]
        ~outcomes:[ "nothing is taken"; "taken by A"; "taken by B" ]
        ~workers:3
    @@ fun c ->
      submits c 1;
      may_step_down c 1 "A";
      may_step_down c 2 "B";
      resizes c 1 );
    ( scenario "room shrinks, a push, one goes to sleep" ~busy:true ~room:2
        ~outcomes:[ "nothing is taken"; "taken by B" ] ~workers:2
    @@ fun c ->
      pushes c 0 "A" 1;
      all_day c 1 "B";
      resizes c 1 );
    ( scenario "room for one: a call that leaves a job" ~room:1 ~except:"slot" ~away:[ 0 ]
        ~outcomes:[ "taken by A" ] ~workers:2
    @@ fun c ->
      all_day c 1 "A";
      works c );
    ( scenario "room for one: a submission, one searches, one is gone" ~busy:true ~room:1 ~away:[ 0 ]
        ~gone:[ 2 ] ~outcomes:[ "taken by A" ] ~workers:3
    @@ fun c ->
      submits c 1;
      searches c 1 "A";
      elastic c 2 [ "B" ] );
    ( scenario "room for one: a submission, one sleeps, one retires" ~busy:true ~room:1 ~away:[ 0 ]
        ~outcomes:[ "taken by A"; "taken by B" ] ~workers:3
    @@ fun c ->
      submits c 1;
      sleeps c 1 "A";
      elastic c 2 [ "B"; "B again" ] );
    ( scenario "room for one: a submission, two retire" ~busy:true ~room:1 ~away:[ 0 ]
        ~outcomes:[ "taken by A"; "taken by A again"; "taken by B"; "taken by B again" ]
        ~workers:3
    @@ fun c ->
      submits c 1;
      elastic c 1 [ "A"; "A again" ];
      elastic c 2 [ "B"; "B again" ] );
    ( scenario "room for one: a submission, two are gone, one more is wanted" ~room:1
        ~outcomes:[ "taken by B" ] ~workers:3 ~away:[ 0 ] ~gone:[ 1; 2 ]
    @@ fun c ->
      submits c 1 ~more:true;
      elastic c 1 [ "B" ];
      elastic c 2 [ "C" ] );
    ( scenario "room shrinks, one retires" ~room:2 ~outcomes:[ "nothing is taken" ] ~workers:2 @@ fun c ->
      resizes c 1;
      elastic c 1 [ "B"; "B again" ] );
    ( scenario "room for one: the spare leaves, one is gone" ~room:1 ~except:"slot" ~gone:[ 2 ]
        ~outcomes:[ "nothing is taken" ] ~workers:3
    @@ fun c ->
      Sleep.prepare_wait (sleepers c) (worker c 0).sleeper;
      Process.spawn "slot" (fun () -> leave c (worker c 0));
      elastic c 2 [ "B" ] );
    ( scenario "room for one: a submission, one joins, one retires" ~busy:true ~room:1 ~except:"slot"
        ~away:[ 0 ]
        ~outcomes:[ "nothing is taken"; "taken by B"; "taken by B again" ]
        ~workers:2
    @@ fun c ->
      submits c 1;
      Process.spawn "slot" (fun () -> Sleep.join (sleepers c) (worker c 0).sleeper ~more:(more c));
      elastic c 1 [ "B"; "B again" ] );
  ]
