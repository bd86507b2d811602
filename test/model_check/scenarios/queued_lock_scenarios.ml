(* A mutex or a semaphore. *)
type lock = {
  enter : float option -> unit;
  select : unit -> unit;  (** the same by a select *)
  leave : unit -> unit;
  room : int;
  is_free : unit -> bool;  (** for the judgement: nobody is inside or waits *)
}

let mutex_of ~fair () =
  let m = if fair then Fiber_mutex.create_fair () else Fiber_mutex.create () in
  {
    enter =
      (fun timeout ->
        match timeout with None -> Fiber_mutex.lock m | Some seconds -> Fiber_mutex.lock_timeout seconds m);
    select = (fun () -> Select_cases.(choose ~in_order:false ~what:"select" [ lock m Fun.id ]));
    leave = (fun () -> Fiber_mutex.unlock m);
    room = 1;
    is_free = (fun () -> Fiber_mutex.try_lock m);
  }

let mutex = mutex_of ~fair:false
let fair = mutex_of ~fair:true

let semaphore units () =
  let s = Fiber_semaphore.create units in
  {
    enter =
      (function
      | None -> Fiber_semaphore.acquire s
      | Some seconds -> Fiber_semaphore.acquire_timeout seconds s);
    select = ignore;
    leave = (fun () -> Fiber_semaphore.release s);
    room = units;
    is_free = (fun () -> Fiber_semaphore.available s = units);
  }

type test = { notes : Notes.t; lock : lock; inside : int Atomic.t; mutable wrong : string option }

(* An exception here would be the outcome of a fiber that nobody awaits. *)
let leave t = try t.lock.leave () with Invalid_argument why -> t.wrong <- Some why

(* A step at the beginning and one at the end, so that other processes inside are seen. *)
let section t name =
  if Atomic.fetch_and_add t.inside 1 >= t.lock.room then t.wrong <- Some "too many inside";
  Notes.add t.notes (name ^ " was in");
  ignore (Atomic.fetch_and_add t.inside (-1))

let use ?timeout t name =
  match t.lock.enter timeout with
  | () ->
      section t name;
      leave t
  | exception Context.Timeout -> Notes.add t.notes (name ^ " gave up")

(* A thread outside of any pool; one that waits [soon] may give up at any time, unless it gets in before. *)
let soon = 1e-9
let thread ?timeout t name = Process.spawn name (fun () -> use ?timeout t name)

let scenario ?(long = false) ?(workers = 2) name lock ~who ~stopped ~outcomes spawn : Scenario.t =
  let set_up () =
    Section.ignore_all ();
    Whole_deque.use true;
    let crew = Crew.make workers in
    let t = { notes = Notes.make (); lock = lock (); inside = Atomic.make 0; wrong = None } in
    spawn crew t;
    fun () ->
      Crew.run_rest crew;
      Option.iter (Explore.violate "%s") t.wrong;
      let ending name =
        Notes.the_one t.notes
          ((name ^ " was in") :: (if List.mem name stopped then [ name ^ " gave up" ] else []))
      in
      let verdict = String.concat ", " (List.map ending who) in
      if not (t.lock.is_free ()) then Explore.violate "%s; but it is not free" verdict;
      verdict
  in
  { name; long; outcomes; set_up }

let waits crew t name = Crew.begun crew 0 (fun () -> use t name)
let stopper context = Crew.stopper context Context.Timeout
let worker crew i name = Crew.worker crew i name Crew.run_own

let comes crew t name =
  let context = Crew.context crew 0 in
  Crew.worker crew 0 name (fun w ->
      Crew.run_in w context (fun () -> use t name);
      Crew.run_own w);
  stopper context

(* The fiber is inside when the processes begin; the first worker that looks resumes it. *)
let holding_fiber crew t name =
  let hold () =
    t.lock.enter None;
    Poll.yield ();
    section t name;
    leave t
  in
  ignore (Crew.begun crew 0 hold)

(* [times] is the number of units that it takes. *)
let holding_thread ?(times = 1) t name =
  let each f = List.iter f (List.init times Fun.id) in
  each (fun _ -> t.lock.enter None);
  ignore (Atomic.fetch_and_add t.inside times);
  Process.spawn name (fun () ->
      Notes.add t.notes (name ^ " was in");
      each (fun _ ->
          ignore (Atomic.fetch_and_add t.inside (-1));
          leave t))

let two_come ?long name lock =
  scenario ?long
    (name ^ ": two come, one is stopped")
    lock ~who:[ "P"; "R" ] ~stopped:[ "P" ]
    ~outcomes:[ "P gave up, R was in"; "P was in, R was in" ]
  @@ fun crew t ->
  comes crew t "P";
  thread t "R"

let two_threads ?long name lock =
  scenario ?long (name ^ ": two come, one gives up") lock ~who:[ "P"; "R" ] ~stopped:[ "P" ]
    ~outcomes:[ "P gave up, R was in"; "P was in, R was in" ]
  @@ fun _ t ->
  thread ~timeout:soon t "P";
  thread t "R"

let three_threads ?long name lock =
  scenario ?long
    (name ^ ": three come, one gives up")
    lock ~who:[ "P"; "Q"; "R" ] ~stopped:[ "P" ]
    ~outcomes:[ "P gave up, Q was in, R was in"; "P was in, Q was in, R was in" ]
  @@ fun _ t ->
  thread ~timeout:soon t "P";
  thread t "Q";
  thread t "R"

let both_orders =
  List.concat_map (fun (kind, lock) ->
      let name what = kind ^ ": " ^ what in
      let stopped = [ "P" ] and who = [ "H"; "P"; "Q" ] in
      let outcomes = [ "H was in, P gave up, Q was in"; "H was in, P was in, Q was in" ] in
      [
        ( scenario (name "a holder, two wait, one is stopped") lock ~who ~stopped ~outcomes @@ fun crew t ->
          holding_fiber crew t "H";
          let p = waits crew t "P" in
          ignore (waits crew t "Q");
          worker crew 0 "W";
          stopper p );
        ( scenario (name "a holder, two wait, one is stopped, a thief") lock ~who ~stopped ~outcomes
        @@ fun crew t ->
          holding_fiber crew t "H";
          let p = waits crew t "P" in
          ignore (waits crew t "Q");
          worker crew 0 "W";
          Crew.worker crew 1 "V" Crew.steal_and_run;
          stopper p );
        ( scenario ~long:(kind = "mutex")
            (name "a holder, one waits and is stopped, one comes")
            lock ~who:[ "H"; "P"; "R" ] ~stopped
            ~outcomes:[ "H was in, P gave up, R was in"; "H was in, P was in, R was in" ]
        @@ fun crew t ->
          holding_fiber crew t "H";
          let p = waits crew t "P" in
          worker crew 0 "W";
          thread t "R";
          stopper p );
        two_come kind lock;
        two_threads kind lock;
        three_threads ~long:true kind lock;
      ])

let patience_ends () =
  let over = Atomic.make false in
  Patience.ends_when (fun () -> Atomic.get over);
  Process.spawn "clock" (fun () -> Atomic.set over true)

let barging =
  let all_in names = [ String.concat ", " (List.map (fun name -> name ^ " was in") names) ] in
  let h_p_r = [ "H"; "P"; "R" ] in
  let here ?long name = scenario ?long name mutex ~stopped:[] in
  let in_flight crew t name =
    t.lock.enter None;
    ignore (waits crew t name);
    t.lock.leave ()
  in
  let selects crew t name =
    let select () =
      t.lock.select ();
      section t name;
      leave t
    in
    ignore (Crew.begun crew 0 select)
  in
  [
    ( here "mutex: a holder, one waits, one comes" ~who:h_p_r ~outcomes:(all_in h_p_r) @@ fun crew t ->
      holding_fiber crew t "H";
      ignore (waits crew t "P");
      worker crew 0 "W";
      thread t "R" );
    ( here "mutex: a holder, one waits, one comes, patience ends" ~who:h_p_r ~outcomes:(all_in h_p_r)
    @@ fun crew t ->
      holding_fiber crew t "H";
      ignore (waits crew t "P");
      worker crew 0 "W";
      thread t "R";
      patience_ends () );
    ( here ~long:true "mutex: one is in flight, two come, patience has ended" ~who:[ "P"; "R"; "S" ]
        ~outcomes:(all_in [ "P"; "R"; "S" ])
    @@ fun crew t ->
      in_flight crew t "P";
      Patience.ends_when (fun () -> true);
      worker crew 0 "W";
      thread t "R";
      thread t "S" );
    ( here "mutex: one is in flight, a holder, a select waits, patience has ended" ~who:[ "P"; "H"; "Q" ]
        ~outcomes:(all_in [ "P"; "H"; "Q" ])
    @@ fun crew t ->
      in_flight crew t "P";
      holding_fiber crew t "H";
      selects crew t "Q";
      Patience.ends_when (fun () -> true);
      worker crew 0 "W";
      Crew.worker crew 1 "V" Crew.run_own );
    ( here "mutex: a holder, two wait, patience ends" ~who:[ "H"; "P"; "Q" ]
        ~outcomes:(all_in [ "H"; "P"; "Q" ])
    @@ fun crew t ->
      holding_fiber crew t "H";
      ignore (waits crew t "P");
      ignore (waits crew t "Q");
      worker crew 0 "W";
      Crew.worker crew 1 "V" Crew.steal_and_run;
      patience_ends () );
    ( here "mutex: a holder, a select waits, one comes" ~who:h_p_r ~outcomes:(all_in h_p_r) @@ fun crew t ->
      holding_fiber crew t "H";
      selects crew t "P";
      worker crew 0 "W";
      thread t "R" );
    ( scenario "mutex: a holder, two wait, one gives up in flight, one comes" mutex
        ~who:[ "H"; "P"; "Q"; "R" ] ~stopped:[ "P" ]
        ~outcomes:[ "H was in, P gave up, Q was in, R was in" ]
    @@ fun crew t ->
      Patience.first_wait_raises Context.Timeout;
      holding_fiber crew t "H";
      ignore (waits crew t "P");
      ignore (waits crew t "Q");
      worker crew 0 "W";
      thread t "R" );
  ]

let mutexes = both_orders [ ("mutex", mutex); ("fair mutex", fair) ] @ barging

let semaphores =
  let one = semaphore 1 and two = semaphore 2 in
  [
    ( scenario "semaphore: a holder, two wait, one is stopped" one ~who:[ "H"; "P"; "Q" ] ~stopped:[ "P" ]
        ~outcomes:[ "H was in, P gave up, Q was in"; "H was in, P was in, Q was in" ]
    @@ fun crew t ->
      holding_thread t "H";
      let p = waits crew t "P" in
      ignore (waits crew t "Q");
      worker crew 0 "W";
      stopper p );
    ( scenario "semaphore: a holder, one waits and is stopped, one comes" ~long:true one
        ~who:[ "H"; "P"; "R" ] ~stopped:[ "P" ]
        ~outcomes:[ "H was in, P gave up, R was in"; "H was in, P was in, R was in" ]
    @@ fun crew t ->
      holding_thread t "H";
      let p = waits crew t "P" in
      worker crew 0 "W";
      thread t "R";
      stopper p );
    ( scenario "semaphore: a holder of two, two wait, one is stopped" two ~who:[ "H"; "P"; "Q" ]
        ~stopped:[ "P" ]
        ~outcomes:[ "H was in, P gave up, Q was in"; "H was in, P was in, Q was in" ]
    @@ fun crew t ->
      holding_thread ~times:2 t "H";
      let p = waits crew t "P" in
      ignore (waits crew t "Q");
      worker crew 0 "W";
      stopper p );
    ( scenario "semaphore: two holders, two wait, one is stopped" ~long:true two ~who:[ "H"; "K"; "P"; "Q" ]
        ~stopped:[ "P" ]
        ~outcomes:[ "H was in, K was in, P gave up, Q was in"; "H was in, K was in, P was in, Q was in" ]
    @@ fun crew t ->
      holding_thread t "H";
      holding_thread t "K";
      let p = waits crew t "P" in
      ignore (waits crew t "Q");
      worker crew 0 "W";
      stopper p );
    two_come ~long:true "semaphore" one;
    two_threads "semaphore" one;
  ]
