(* A signal handler's exception, at each safepoint of the thread that works in a pool's seat: fibers may be ended by it, none is lost,
   and none waits for ever. *)

open Support
module Promise = Weft.Promise
module Pool = Weft.Pool

type fibers = { begun : int Atomic.t; ended : int Atomic.t; closed : int Atomic.t }

(* What the user's own code would do about it. *)
let insist f = try Weft_support.Interrupt.complete f with Injected.Interrupted -> ()

let fiber c f () =
  Atomic.incr c.begun;
  (try f () with Injected.Interrupted -> () | Pool.Closed _ -> Atomic.incr c.closed);
  Atomic.incr c.ended

(* At each safepoint, or each of so many. *)
let step again =
  if again = [] then Testing.Effort.count ~quick:7 ~usual:1 ~long:1
  else Testing.Effort.count ~quick:41 ~usual:5 ~long:1

let give_way n =
  for _ = 1 to n do
    Weft.yield ()
  done

(* The pool goes on: fibers wait for each other, for times, and give way. *)
let is_alive pool =
  Pool.run pool @@ fun () ->
  let m = Weft.Mutex.create () and c = Weft.Condition.create () in
  let told = ref false in
  let waits () =
    Weft.Mutex.protect m (fun () ->
        while not !told do
          Weft.Condition.wait c m
        done)
  and tells () =
    Weft.sleep 0.0001;
    Weft.Mutex.protect m (fun () ->
        told := true;
        Weft.Condition.broadcast c)
  and times_out () =
    match Weft.Cancel.with_timeout 0.0001 (fun () -> Weft.await (Promise.create ())) with
    | () -> Alcotest.fail "nobody resolves it"
    | exception Weft.Cancel.Timeout -> ()
  in
  ignore (Weft.all [ waits; tells; times_out; (fun () -> give_way 3) ])

(* [body start spawn] in the seat of a pool. Whatever came, the pool is whole, and closing it ends all: by itself, for what fibers wait
   for comes. *)
let everywhere ?(domains = 1) body again () =
  watched Injected.where @@ fun () ->
  Injected.at_each ~step:(step again) @@ fun k ->
  let c = { begun = Atomic.make 0; ended = Atomic.make 0; closed = Atomic.make 0 } in
  let pool = Pool.create ~domains () in
  let spawn f = insist (fun () -> ignore (Pool.async pool (fiber c f) : unit Weft.promise)) in
  let came = Injected.at ~again k (fun start -> Pool.run pool (fiber c (fun () -> body start spawn))) in
  is_alive pool;
  Pool.close pool;
  let was what expected got =
    if expected <> got then Alcotest.failf "%s: expected %d, got %d; %s" what expected got (Injected.where ())
  in
  was "ended, of those begun" (Atomic.get c.begun) (Atomic.get c.ended);
  was "fibers that waited for ever" 0 (Atomic.get c.closed);
  if Weft_sched.Worker.current () <> None then Alcotest.failf "it is still a worker; %s" (Injected.where ());
  if Weft_sched.Context.current () != Weft_sched.Fiber.none then
    Alcotest.failf "it is still in a task; %s" (Injected.where ());
  came

let yields start spawn =
  for _ = 1 to 3 do
    spawn (fun () -> give_way 3)
  done;
  start ();
  give_way 5

let promises waiters start spawn =
  let p = Promise.create () in
  let resolve () = try Promise.resolve p () with Invalid_argument _ -> () in
  let before () =
    for _ = 1 to waiters do
      spawn (fun () -> Weft.await p)
    done;
    start ();
    give_way 2
  in
  (match before () with () | (exception Injected.Interrupted) -> ());
  insist resolve;
  give_way 2

let tasks start spawn =
  start ();
  spawn (fun () ->
      let p = Weft.async (fun () -> Weft.yield ()) in
      Weft.yield ();
      Weft.await p);
  let p = Weft.async (fun () -> give_way 2) in
  spawn (fun () -> Weft.await p);
  spawn (fun () -> Weft.await p);
  give_way 2;
  Weft.await p

let forks start spawn =
  spawn (fun () -> ignore (fib 5));
  start ();
  ignore
    (Weft.par
       (fun () -> fib 4)
       (fun () ->
         Weft.yield ();
         fib 4))

let failures start spawn =
  start ();
  let p =
    Weft.async (fun () ->
        Weft.yield ();
        raise (Planned 1))
  in
  let meets () = match Weft.await p with () -> () | exception Planned 1 -> () in
  spawn meets;
  spawn meets;
  give_way 3;
  meets ();
  match Weft.par (fun () -> raise (Planned 2)) Weft.yield with _ -> () | exception Planned 2 -> ()

let sleeps start spawn =
  spawn (fun () -> Weft.sleep 0.0002);
  start ();
  Weft.sleep 0.0001;
  spawn (fun () -> Weft.sleep 0.0001);
  Weft.sleep 0.0001

(* Who is taken away leaves the lock to the others. *)
let locks protect start spawn =
  let held () = protect (fun () -> give_way 2) in
  spawn held;
  spawn held;
  start ();
  held ();
  spawn held;
  held ()

let mutexes start spawn = locks (Weft.Mutex.protect (Weft.Mutex.create ())) start spawn

(* Told again until all have gone. *)
let conditions start spawn =
  let m = Weft.Mutex.create () and c = Weft.Condition.create () in
  let told = Atomic.make false in
  let wait () =
    Weft.Mutex.protect m (fun () ->
        while not (Atomic.get told) do
          Weft.Condition.wait c m
        done)
  in
  spawn wait;
  spawn wait;
  let tell () =
    Atomic.set told true;
    Weft.Condition.broadcast c
  in
  (* Allocated here: between an exception and [insist] no other one may come. *)
  let tell_whatever_comes () = Weft.Mutex.protect m tell in
  let wait_and_tell () =
    start ();
    (match Weft.Cancel.with_timeout 0.0001 wait with () -> () | exception Weft.Cancel.Timeout -> ());
    give_way 2;
    tell ()
  in
  match wait_and_tell () with
  | () -> ()
  | exception exn ->
      (* A signal of his own. *)
      insist tell_whatever_comes;
      raise exn

let semaphores start spawn = locks (Weft.Semaphore.protect (Weft.Semaphore.create 1)) start spawn
let writers start spawn = locks (Weft.Rwlock.write (Weft.Rwlock.create ())) start spawn

(* Closed whatever comes: that ends those who receive. *)
let channels start spawn =
  let c = Weft.Chan.bounded 1 in
  let close () = Weft.Chan.close c in
  let receive_all () = Weft.Chan.iter ignore c in
  let receive () = insist receive_all in
  let send () =
    spawn receive;
    spawn receive;
    start ();
    for i = 1 to 4 do
      Weft.Chan.send c i
    done
  in
  (match send () with () -> () | exception Injected.Interrupted -> ());
  insist close

let scopes start spawn =
  spawn (fun () -> give_way 2);
  start ();
  Weft.Scope.run (fun s ->
      let p = Weft.Scope.async s (fun () -> give_way 2) in
      ignore (Weft.Scope.async s (fun () -> Weft.sleep 0.0001) : unit Weft.promise);
      Weft.await p)

let loops start spawn =
  spawn (fun () -> give_way 1);
  start ();
  Weft.parallel_for ~chunk_size:2 ~start:1 ~finish:8 ~body:(fun i -> if i = 5 then Weft.yield ()) ();
  ignore (Weft.parallel_for_reduce ~start:1 ~finish:8 ~body:Fun.id ( + ) 0 : int)

(* A close that was interrupted is gone on with by the next one. *)
let closes domains again () =
  watched Injected.where @@ fun () ->
  Injected.at_each ~step:(step again) @@ fun k ->
  let pool = Pool.create ~domains () in
  Pool.run pool (fun () -> ignore (fib 5));
  let came =
    Injected.at ~again k (fun start ->
        start ();
        Pool.close pool)
  in
  Pool.close pool;
  (match Pool.run pool ignore with
  | () -> Alcotest.failf "the pool was not closed; %s" (Injected.where ())
  | exception Invalid_argument _ -> ());
  came

let case = Testing.Watchdog.case

let bodies =
  [
    ("fibers that give way", everywhere yields);
    ("a fiber that waits", everywhere (promises 1));
    ("fibers that wait", everywhere (promises 4));
    ("tasks that are awaited", everywhere tasks);
    ("forks", everywhere forks);
    ("tasks that fail", everywhere failures);
    ("tasks that are awaited, two domains", everywhere ~domains:2 tasks);
    ("forks, two domains", everywhere ~domains:2 forks);
    ("sleeps", everywhere sleeps);
    ("mutexes", everywhere mutexes);
    ("semaphores", everywhere semaphores);
    ("writers", everywhere writers);
    ("conditions", everywhere conditions);
    ("channels", everywhere channels);
    ("scopes", everywhere scopes);
    ("loops", everywhere loops);
    ("closing a pool", closes 1);
    ("closing a pool of two domains", closes 2);
  ]

(* Those that follow come where the first is dealt with. *)
let again = [ []; [ 1 ]; [ 2 ]; [ 3 ]; [ 4 ]; [ 6 ]; [ 9 ]; [ 1; 1 ]; [ 2; 3 ] ]

let tests =
  List.concat_map
    (fun again -> List.map (fun (name, body) -> case (name ^ ", " ^ Injected.name again) (body again)) bodies)
    again
