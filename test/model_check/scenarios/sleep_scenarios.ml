open Sleep_crew

let tell c =
  let waits = Array.fold_left (fun sum (w : Worker.t) -> sum + w.sleeper.counts.parks) 0 c.crew.workers in
  (* Waits that have not ended are not counted. *)
  Printf.sprintf "%d taken, %d woken" (List.length c.takers) (waits - List.length (asleep c))

let scenario ?long ?real_parts ?busy = scenario ?long ?real_parts ?busy ~tell

let all =
  [
    ( scenario "a push, one goes to sleep, real lock and deque" ~real_parts:true
        ~outcomes:[ "1 taken, 0 woken"; "1 taken, 1 woken" ]
        ~workers:2
    @@ fun c ->
      pushes c 0 "A" 1;
      all_day c 1 "B" );
    ( scenario "two pushes, one goes to sleep"
        ~outcomes:[ "2 taken, 0 woken"; "2 taken, 1 woken"; "2 taken, 2 woken" ]
        ~workers:2
    @@ fun c ->
      pushes c 0 "A" 2;
      all_day c 1 "B" );
    ( scenario "a push, two go to sleep" ~busy:true
        ~outcomes:[ "1 taken, 0 woken"; "1 taken, 1 woken" ]
        ~workers:3
    @@ fun c ->
      pushes c 0 "A" 1;
      goes_to_sleep c 1 "B";
      goes_to_sleep c 2 "C" );
    ( scenario "a submission, two go to sleep" ~outcomes:[ "1 taken, 0 woken"; "1 taken, 1 woken" ] ~workers:2
    @@ fun c ->
      submits c 1;
      goes_to_sleep c 0 "A";
      goes_to_sleep c 1 "B" );
    ( scenario "a submission, two workers all day" ~long:true
        ~outcomes:[ "1 taken, 0 woken"; "1 taken, 1 woken" ]
        ~workers:2
    @@ fun c ->
      submits c 1;
      all_day c 0 "A";
      all_day c 1 "B" );
    ( scenario "a push, one searches, one sleeps" ~busy:true
        ~outcomes:[ "1 taken, 0 woken"; "1 taken, 1 woken" ]
        ~workers:3
    @@ fun c ->
      pushes c 0 "A" 1;
      searches c 1 "B";
      sleeps c 2 "C" );
    ( scenario "two pushes, one searches, one sleeps" ~busy:true
        ~outcomes:[ "2 taken, 1 woken"; "2 taken, 2 woken" ]
        ~workers:3
    @@ fun c ->
      pushes c 0 "A" 2;
      searches c 1 "B";
      sleeps c 2 "C" );
    ( scenario "a push, one searches, one sleeps, real lock and deque" ~real_parts:true ~busy:true
        ~outcomes:[ "1 taken, 0 woken"; "1 taken, 1 woken" ]
        ~workers:3
    @@ fun c ->
      pushes c 0 "A" 1;
      searches c 1 "B";
      sleeps c 2 "C" );
    ( scenario "a push, a searcher leaves, one sleeps" ~busy:true ~outcomes:[ "1 taken, 1 woken" ] ~workers:3
    @@ fun c ->
      pushes c 0 "A" 1;
      start_search c 1;
      Crew.worker c.crew 1 "B" (fun w -> Sleep.leave (sleepers c) w.sleeper ~more:(more c));
      sleeps c 2 "C" );
  ]
