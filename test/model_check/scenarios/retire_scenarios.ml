open Sleep_crew

let leaves c = Process.spawn "slot" @@ fun () -> Sleep.leave (sleepers c) (worker c 0).sleeper ~more:(more c)
let cannot_come c i = (worker c i).sleeper.respawn <- Some (fun () -> false)

let adds_a_timer c =
  ignore (Timers.add c.crew.parts.timers ~at:(Timer_thread.time + 1) ignore);
  Respawn.alarm_needed c.crew.parts.sleepers

let somebody_waits c =
  if asleep c = [] then Explore.violate "a timer is pending, and nobody waits";
  tell c

let all =
  [
    ( scenario "a push, one retires" ~real_parts:true ~busy:true
        ~outcomes:[ "taken by B"; "taken by B again" ] ~workers:2
    @@ fun c ->
      pushes c 0 "A" 1;
      elastic c 1 [ "B"; "B again" ] );
    ( scenario "two pushes, one retires, one sleeps" ~busy:true
        ~outcomes:[ "taken by B and C"; "taken by B and C again" ]
        ~workers:3
    @@ fun c ->
      pushes c 0 "A" 2;
      sleeps c 1 "B";
      elastic c 2 [ "C"; "C again" ] );
    ( scenario "a push, two retire" ~busy:true
        ~outcomes:
          [
            "taken by B again, C is gone";
            "taken by B, C is gone";
            "taken by C again, B is gone";
            "taken by C, B is gone";
          ]
        ~workers:3
    @@ fun c ->
      pushes c 0 "A" 1;
      elastic c 1 [ "B"; "B again" ];
      elastic c 2 [ "C"; "C again" ] );
    ( scenario "a submission, one retires"
        ~outcomes:[ "taken by B"; "taken by B again"; "taken by B, B is gone" ]
        ~workers:2 ~away:[ 0 ]
    @@ fun c ->
      submits c 1;
      elastic c 1 [ "B"; "B again" ] );
    ( scenario "a push, one is gone, and goes again"
        ~outcomes:[ "taken by B"; "taken by B, B is gone" ]
        ~workers:2 ~gone:[ 1 ]
    @@ fun c ->
      pushes c 0 "A" 1;
      elastic c 1 [ "B"; "B again" ] );
    ( scenario "two pushes, one is gone, and goes again" ~long:true
        ~outcomes:[ "taken by B and B"; "taken by B and B again"; "taken by B and B, B is gone" ]
        ~workers:2 ~gone:[ 1 ]
    @@ fun c ->
      pushes c 0 "A" 2;
      elastic c 1 [ "B"; "B again" ] );
    ( scenario "a submission, two are gone, one more is respawned" ~busy:true
        ~outcomes:[ "taken by B"; "taken by B, C is gone"; "taken by C" ]
        ~workers:3 ~away:[ 0 ] ~gone:[ 1; 2 ]
    @@ fun c ->
      submits c 1 ~more:true;
      elastic c 1 [ "B" ];
      elastic c 2 [ "C" ] );
    ( scenario "a timer is added, one retires" ~real_parts:true ~timers:In_heap ~tell:somebody_waits
        ~outcomes:[ "nothing is taken" ] ~workers:2
    @@ fun c ->
      Crew.worker c.crew 0 "A" (fun _ -> adds_a_timer c);
      elastic c 1 [ "B"; "B again" ] );
    ( scenario "a timer is added, two retire" ~real_parts:true ~timers:In_heap ~tell:somebody_waits
        ~outcomes:[ "nothing is taken, B is gone"; "nothing is taken, C is gone" ]
        ~workers:3
    @@ fun c ->
      Crew.worker c.crew 0 "A" (fun _ -> adds_a_timer c);
      elastic c 1 [ "B"; "B again" ];
      elastic c 2 [ "C"; "C again" ] );
    ( scenario "a timer is pending, a push, one sleeps, one retires" ~busy:true ~timers:Pending
        ~tell:somebody_waits ~outcomes:[ "taken by B"; "taken by C" ] ~workers:3
    @@ fun c ->
      pushes c 0 "A" 1;
      sleeps c 1 "B";
      elastic c 2 [ "C"; "C again" ] );
    ( scenario "a timer is pending, one leaves, one retires" ~timers:Pending ~tell:somebody_waits
        ~outcomes:[ "nothing is taken" ] ~workers:2
    @@ fun c ->
      leaves c;
      elastic c 1 [ "B"; "B again" ] );
    ( scenario "a timer is pending, the last that waits leaves" ~timers:Pending ~tell:somebody_waits
        ~outcomes:[ "nothing is taken" ] ~workers:2 ~gone:[ 1 ]
    @@ fun c ->
      Sleep.prepare_wait (sleepers c) (worker c 0).sleeper;
      leaves c;
      elastic c 1 [ "B" ] );
    ( scenario "a push, two are gone, one cannot come" ~busy:true ~outcomes:[ "taken by C" ] ~workers:3
        ~gone:[ 1; 2 ]
    @@ fun c ->
      pushes c 0 "A" 1;
      cannot_come c 1;
      elastic c 2 [ "C" ] );
    ( scenario "a timer is due, one that waits attends, one asks" ~real_parts:true ~away:[ 0 ]
        ~tell:(fun _ -> "done")
        ~outcomes:[ "done" ] ~workers:2
    @@ fun c ->
      Whole_deque.use true;
      let parts = c.crew.parts in
      let taken, job = awaited_job () in
      ignore
        (Timers.add parts.timers ~at:(Timer_thread.time - 1) (fun () -> Injector.push parts.injector job));
      Timer_thread.look parts.alarm;
      Parker.unpark (worker c 1).sleeper.parker;
      sleeps c 1 "B";
      asks c ~taken );
  ]
