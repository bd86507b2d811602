open Support
module Pool = Weft.Pool
module Timer_thread = Weft_platform.Timer_thread

(* Workers go when the program collects. *)
let wait_for_retirement pool ~left =
  wait_until "the workers have retired" (fun () ->
      Gc.minor ();
      Pool.present pool <= left)

let idle_workers_retire () =
  List.iter
    (fun domains ->
      Pool.with_pool ~domains @@ fun pool ->
      wait_for_retirement pool ~left:0;
      (* The caller is one of the workers, and this fiber may have moved to another. *)
      Pool.run pool (fun () ->
          check_int "fib" (fib_of 20) (fib 20);
          wait_for_retirement pool ~left:2;
          check_int "fib again" (fib_of 20) (fib 20)))
    sizes

let outsiders_respawn () =
  List.iter
    (fun domains ->
      Pool.with_pool ~domains @@ fun pool ->
      for i = 1 to Testing.Effort.count ~quick:2 ~usual:10 ~long:10 do
        wait_for_retirement pool ~left:0;
        check_int "a task" i (Weft.await (Pool.async pool (fun () -> i)))
      done)
    [ 2; 3; 8 ]

(* Each task from outside spins until the other has begun. Beside the slot, which nobody takes, there are
   two workers or more. The second task comes at once, or when the first is running. *)
let outsiders_meet () =
  List.iter
    (fun domains ->
      Pool.with_pool ~domains @@ fun pool ->
      for i = 1 to Testing.Effort.count ~quick:2 ~usual:10 ~long:10 do
        wait_for_retirement pool ~left:0;
        let begun = Atomic.make 0 in
        let meet () =
          Atomic.incr begun;
          while Atomic.get begun < 2 do
            Domain.cpu_relax ()
          done
        in
        let first = Pool.async pool meet in
        if i mod 2 = 0 then wait_until "the first has begun" (fun () -> Atomic.get begun = 1);
        let second = Pool.async pool meet in
        Weft.await first;
        Weft.await second
      done)
    [ 3; 8 ]

let timers_keep_one () =
  List.iter
    (fun domains ->
      Pool.with_pool ~domains @@ fun pool ->
      (* Nobody waits for the promise: the pool's own domains must run the timer. *)
      let woken = Atomic.make false in
      let sleeping =
        Pool.async pool (fun () ->
            Weft.sleep 0.1;
            Atomic.set woken true)
      in
      ignore sleeping;
      wait_until "the sleeper has woken" (fun () -> Atomic.get woken);
      wait_for_retirement pool ~left:0)
    [ 2; 3; 8 ]

(* The caller computes and does not fork: a domain that waits must run the timers. *)
let timers_beside_computations () =
  List.iter
    (fun domains ->
      Pool.with_pool ~domains @@ fun pool ->
      Pool.run pool @@ fun () ->
      wait_for_retirement pool ~left:1;
      let woken = Atomic.make false in
      ignore
        (Weft.async (fun () ->
             Weft.sleep 0.05;
             Atomic.set woken true)
          : unit Weft.promise);
      wait_until "the sleeper has woken" (fun () -> Atomic.get woken))
    [ 2; 3; 8 ]

(* A caller makes the timer, and then leaves. *)
let leavers_are_replaced () =
  List.iter
    (fun domains ->
      Pool.with_pool ~domains @@ fun pool ->
      let woken = Atomic.make false in
      Pool.run pool (fun () ->
          wait_for_retirement pool ~left:2;
          ignore
            (Weft.async (fun () ->
                 Weft.sleep 0.05;
                 Atomic.set woken true)
              : unit Weft.promise);
          Weft.yield ());
      wait_until "the sleeper has woken" (fun () -> Atomic.get woken))
    [ 1; 2; 3; 8 ]

(* --- a pool of one domain: its fallback worker --- *)

(* The fallback worker waits for work as other workers do, but it must hold up nobody, and it must not wait
   for a closed pool. *)
let fallback_workers_wait_for_more () =
  with_patience 1_000. @@ fun () ->
  let name = "of one" in
  let pool = Pool.create ~name ~domains:1 () in
  let of_pool = Option.get (Weft_scheduler.Pool_state.find name) in
  let rests () = of_pool.resting <> [] in
  let domain_of_task () =
    let task = Pool.async pool (fun () -> (Domain.self () :> int)) in
    (* If this thread awaited the task, it might run the task itself. *)
    wait_until "a task has ended" (fun () -> Weft.Promise.is_settled task);
    wait_until "the fallback worker rests" rests;
    Weft.await task
  in
  let first = domain_of_task () in
  for _ = 1 to 100 do
    check_int "the same domain" first (domain_of_task ())
  done;
  let self () = Thread.id (Thread.self ()) in
  check_int "a caller has the slot" (self ()) (Pool.run pool self);
  check_int "and it still rests" first (domain_of_task ());
  Pool.close pool;
  wait_until "the fallback worker has ended" (fun () -> not (rests ()))

let fallback_workers_end () =
  with_patience 0.001 @@ fun () ->
  let name = "of one" in
  Pool.with_pool ~name ~domains:1 @@ fun pool ->
  let of_pool = Option.get (Weft_scheduler.Pool_state.find name) in
  (* Each task needs one domain, and perhaps another one if it arrives after the fallback worker has left the
     slot and before that worker rests. There is no reason to start more. *)
  let domains_started = Weft_platform.Runtime_threads.count in
  let before = domains_started () in
  for i = 1 to 20 do
    let task = Pool.async pool (fun () -> i) in
    (* The test does not await the task from outside while it runs: that would enter the default pool,
       which may start a spare domain on a single processor. *)
    wait_until "a task has ended" (fun () -> Weft.Promise.is_settled task);
    check_int "a task" i (Weft.await task);
    wait_until "the fallback worker has ended" (fun () -> (not of_pool.slot_taken) && of_pool.resting = [])
  done;
  let started = domains_started () - before in
  if started > 2 * 20 then Alcotest.failf "%d domains for 20 tasks" started

(* --- room --- *)

let processors = Weft_scheduler.Processors.count ()
let is_assumed = Sys.getenv_opt "WEFT_PROCESSORS" <> None

let room_for_the_machine () =
  List.iter
    (fun domains ->
      Pool.with_pool ~domains @@ fun pool ->
      if not is_assumed then check_int "room" (min domains processors) (Pool.room pool))
    sizes

(* Each task waits for all the others, and none of them forks. *)
let meet ~wait domains =
  Weft.run ~domains @@ fun () ->
  let arrived = Atomic.make 0 in
  let arrive () =
    Atomic.incr arrived;
    while Atomic.get arrived < domains do
      wait ()
    done
  in
  ignore (Weft.all (List.init domains (fun _ -> arrive)));
  check_int "all have met" domains (Atomic.get arrived)

let spinning_tasks_meet () =
  List.iter (meet ~wait:Domain.cpu_relax) (Testing.Effort.some ~quick:[ 3 ] [ 2; 3; 8 ])

let blocking_tasks_meet () =
  List.iter (meet ~wait:(fun () -> Thread.delay 0.001)) (Testing.Effort.some ~quick:[ 8 ] [ 2; 3; 8; 16 ])

let allocating_tasks_meet () =
  List.iter
    (meet ~wait:(fun () -> ignore (Sys.opaque_identity (ref 0))))
    (Testing.Effort.some ~quick:[ 3 ] [ 2; 3 ])

(* Workers step down and return at random moments. *)
let room_changes_at_random () =
  let rounds = tries (if is_tiny then 20 else 60) in
  List.iter
    (fun domains ->
      let name = Printf.sprintf "room of %d" domains in
      Pool.with_pool ~name ~domains @@ fun pool ->
      let parts = (Option.get (Weft_scheduler.Pool_state.find name)).parts in
      let ended = Atomic.make false in
      let change () =
        let random = Stdlib.Random.State.make [| domains |] in
        while not (Atomic.get ended) do
          Weft_scheduler.Sleep.set_room parts.sleepers
            (1 + Stdlib.Random.State.int random domains)
            ~more:(fun () -> Weft_scheduler.Worker.is_work parts);
          Array.iter
            (fun (w : Weft_scheduler.Worker.t) -> Weft_scheduler.Deque.request_preempt w.deque)
            parts.workers;
          Thread.delay (Stdlib.Random.State.float random 0.002)
        done
      in
      let changer = Thread.create change () in
      Fun.protect
        ~finally:(fun () ->
          Atomic.set ended true;
          Thread.join changer)
        (fun () ->
          for i = 1 to rounds do
            let sum = Atomic.make 0 in
            Pool.run pool (fun () ->
                let fibs, () =
                  Weft.par
                    (fun () -> Weft.all (List.init 4 (fun _ () -> fib 18)))
                    (fun () ->
                      Weft.parallel_for ~start:1 ~finish:1000
                        ~body:(fun i -> ignore (Atomic.fetch_and_add sum i))
                        ())
                in
                check "fib" (List.for_all (( = ) (fib_of 18)) fibs));
            check_int "the loop" 500_500 (Atomic.get sum);
            if i mod 10 = 0 then check_int "from outside" i (Weft.await (Pool.async pool (fun () -> i)))
          done))
    [ 2; 3; 8 ]

(* A pool with room for both of its workers, whatever the machine does; and a function that takes the room of
   one of them away. *)
let with_room_for_two name f =
  with_processors 2
    (fun () ->
      Pool.with_pool ~name ~domains:2 @@ fun pool ->
      let parts = (Option.get (Weft_scheduler.Pool_state.find name)).parts in
      f pool parts (fun () -> Weft_scheduler.Sleep.add_room parts.sleepers (-1)))
    ()

(* Runs [f] on the worker that is not the calling one; the calling one is busy until then. *)
let on_the_other_worker f =
  let begun = Atomic.make false in
  let task =
    Weft.async (fun () ->
        Atomic.set begun true;
        f ())
  in
  wait_until "the other worker has begun it" (fun () -> Atomic.get begun);
  task

(* A worker steps down with tasks in its deque, while the only other one always has work. *)
let nothing_stays_behind () =
  with_room_for_two "one steps down" @@ fun pool _ take_room ->
  let begun = Atomic.make 0 and tasks = 50 in
  let leave_tasks () =
    let made = List.init tasks (fun _ -> Weft.async (fun () -> Atomic.incr begun)) in
    take_room ();
    Weft.yield ();
    made
  in
  Pool.run pool @@ fun () ->
  let left = on_the_other_worker leave_tasks in
  yield_until "all tasks have begun" (fun () -> Atomic.get begun = tasks);
  List.iter Weft.await (Weft.await left)

(* A signal handler of the slot's thread resumes a fiber there. There is room for the other worker alone,
   which always has work. *)
let nothing_stays_with_a_sleeper () =
  with_room_for_two "one sleeps" @@ fun pool parts take_room ->
  let resumed = Atomic.make false and p = Weft.Promise.create () in
  let before = Sys.signal Sys.sigusr1 (Signal_handle (fun _ -> Weft.Promise.resolve p ())) in
  Fun.protect ~finally:(fun () -> Sys.set_signal Sys.sigusr1 before) @@ fun () ->
  let keep_busy () =
    wait_until "the slot sleeps" (fun () -> parts.workers.(0).sleeper.status = Weft_scheduler.Sleepers.Idle);
    take_room ();
    Unix.kill (Unix.getpid ()) Sys.sigusr1;
    yield_until "the fiber goes on" (fun () -> Atomic.get resumed)
  in
  Pool.run pool @@ fun () ->
  let busy = on_the_other_worker keep_busy in
  Weft.await p;
  Atomic.set resumed true;
  Weft.await busy

(* Work comes from outside, in short jobs that hardly allocate, so no worker counts as blocked or stuck:
   not even the slot, whether nobody has ever taken it, or a caller has and now waits or computes
   elsewhere. On a busy machine the room may grow for a while; but if the slot made it grow, it would
   always be too large. *)
let empty_slots_make_no_room () =
  let domains = 8 in
  let spin_for seconds =
    let until = Timer_thread.now () + int_of_float (seconds *. 1e9) in
    while Timer_thread.now () < until do
      Domain.cpu_relax ()
    done
  in
  let watch pool ~pause =
    let seen = Atomic.make false in
    let rec compute () =
      spin_for 0.0002;
      Weft.yield ();
      if not (Atomic.get seen) then compute ()
    in
    let tasks = List.init domains (fun _ -> Pool.async pool compute) in
    (* A worker that gives no sign for 0.2 s counts as stuck, and one that waits counts as blocked sooner:
       see Weft_scheduler.Worker_throttle. *)
    pause (match Testing.Effort.level with Quick -> 0.3 | Usual | Long -> 0.5);
    watched
      (fun () -> Printf.sprintf "the room is %d with %d processors" (Pool.room pool) processors)
      (fun () ->
        for _ = 1 to 10 do
          while Pool.room pool > processors do
            pause 0.005
          done;
          pause 0.005
        done);
    Atomic.set seen true;
    List.iter Weft.await tasks
  in
  if (not is_assumed) && processors < domains then (
    Pool.with_pool ~domains @@ fun pool ->
    watch pool ~pause:Thread.delay;
    Pool.run pool ignore;
    watch pool ~pause:Thread.delay;
    watch pool ~pause:spin_for)

(* --- collections --- *)

let collections () = (Gc.quick_stat ()).minor_collections

(* Each way to block returns what ends the blocking; what blocks; and what is done at the end. *)
let by_condition () =
  let m = Stdlib.Mutex.create () and c = Stdlib.Condition.create () and ready = ref false in
  let finish () =
    Stdlib.Mutex.protect m (fun () ->
        ready := true;
        Stdlib.Condition.signal c)
  in
  let block () =
    Stdlib.Mutex.protect m (fun () ->
        while not !ready do
          Stdlib.Condition.wait c m
        done)
  in
  (finish, block, ignore)

let by_pipe block () =
  let from, into = Unix.pipe ~cloexec:true () in
  let finish () = ignore (Unix.write_substring into "." 0 1 : int) in
  let block () = block from in
  let clear_up () =
    Unix.close from;
    Unix.close into
  in
  (finish, block, clear_up)

let by_read = by_pipe (fun from -> ignore (Unix.read from (Bytes.create 1) 0 1 : int))
let by_sleep = by_pipe (fun from -> ignore (Unix.select [ from ] [] [] (-1.)))

(* The main domain's thread is in a system call until the task has ended. If collections waited for that
   thread, the task would never end. *)
let main_blocks () =
  List.iter
    (fun (what, way) ->
      Pool.with_pool ~domains:3 ~minor_heap:32_768 @@ fun pool ->
      let finish, block, clear_up = way () in
      let is_done = Atomic.make false in
      let enough = collections () + Testing.Effort.count ~quick:40 ~usual:200 ~long:200 in
      let rec allocate () =
        ignore (Sys.opaque_identity (List.init 1000 Fun.id));
        if collections () < enough then allocate ()
      in
      let task =
        Pool.async pool (fun () ->
            ignore (Weft.par allocate allocate);
            Atomic.set is_done true;
            finish ())
      in
      watched (fun () -> what ^ ", for a task that collects") block;
      check (what ^ ": the collections were done meanwhile") (Atomic.get is_done);
      Weft.await task;
      clear_up ())
    [ ("Condition.wait", by_condition); ("read", by_read); ("sleep", by_sleep) ]

let tests =
  [
    case "idle workers retire, and return" (all_at_once idle_workers_retire);
    case "tasks from outside respawn workers" (all_at_once outsiders_respawn);
    case "tasks from outside that spin for each other meet" (all_at_once outsiders_meet);
    case "a timer keeps one worker" timers_keep_one;
    case "timers come beside computations that do not fork" timers_beside_computations;
    case "a caller that leaves a timer is replaced" leavers_are_replaced;
    case "the fallback worker of a pool of one waits for more, and holds nobody up"
      fallback_workers_wait_for_more;
    case "a fallback worker ends when nothing comes" fallback_workers_end;
    case "there is room for as many as the machine runs" room_for_the_machine;
    case "tasks that spin for each other meet" spinning_tasks_meet;
    case "tasks that block for each other meet" blocking_tasks_meet;
    case "tasks that allocate while they wait meet" allocating_tasks_meet;
    case "room changes at random moments" room_changes_at_random;
    case "a worker that steps down leaves no task behind" nothing_stays_behind;
    case "nothing stays with a worker that sleeps" nothing_stays_with_a_sleeper;
    case "an empty slot makes no room" empty_slots_make_no_room;
    case "collections do not wait for a main domain that blocks" main_blocks;
  ]
