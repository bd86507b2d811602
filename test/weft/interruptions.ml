(* A handler raises at each poll of a program in turn: its exception ends the call, whose fibers unwind; no
   fiber is lost, and none waits for ever. *)

open Support
module Promise = Weft.Promise
module Pool = Weft.Pool

exception Interrupted

(* From [start] on, each step of the program sends a signal, so that the next poll finds one. The
   handler raises at the poll numbered [next], and then after as many further polls as each number of
   [later] says. Handlers of one computation run one after the other. *)
type polls = { mutable next : int; mutable later : int list; mutable came : bool }

let polls = { next = 0; later = []; came = false }
let armed = Atomic.make false
let step () = if Atomic.get armed then Unix.kill (Unix.getpid ()) Sys.sigusr2

let handler _ =
  if Atomic.get armed then begin
    polls.next <- polls.next - 1;
    if polls.next = 0 then begin
      polls.came <- true;
      (match polls.later with
      | [] -> Atomic.set armed false
      | next :: others ->
          polls.next <- next;
          polls.later <- others);
      raise Interrupted
    end
  end

let where () = Printf.sprintf "%d polls from the exception" polls.next

let start () =
  Atomic.set armed true;
  step ()

(* Whether [f] has at least so many polls. *)
let at ~again k f =
  polls.came <- false;
  polls.later <- again;
  polls.next <- k;
  (match f () with () | (exception Interrupted) -> ());
  Atomic.set armed false;
  polls.came

let most = tries 60

let rec from k ~again f =
  let came = ref false in
  f (fun g -> came := at ~again k g);
  if !came && k < most then from (k + 1) ~again f else k

(* Calls [f run] for each poll of the function that [run] is given. *)
let at_each ~again f =
  let before = Sys.signal Sys.sigusr2 (Signal_handle handler) in
  Fun.protect ~finally:(fun () -> Sys.set_signal Sys.sigusr2 before) @@ fun () ->
  if from 1 ~again f = 1 then Alcotest.fail "it was never interrupted"

let how = function
  | [] -> "once"
  | again -> "again after " ^ String.concat ", " (List.map string_of_int again)

type fibers = { begun : int Atomic.t; ended : int Atomic.t; closed : int Atomic.t }

(* The user's own code would repeat the operation until it succeeds. *)
let insist f = Weft.Cancel.shield f

let fiber c f () =
  Atomic.incr c.begun;
  (try f () with Interrupted -> () | Pool.Closed _ -> Atomic.incr c.closed);
  Atomic.incr c.ended

let give_way n =
  for _ = 1 to n do
    step ();
    Weft.yield ()
  done

let rec fib n =
  step ();
  if n < 2 then n
  else
    let a, b = Weft.par (fun () -> fib (n - 1)) (fun () -> fib (n - 2)) in
    a + b

(* The pool still works: fibers wait for each other and for times, and yield. *)
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

(* Runs [body start spawn] in the slot of a pool. Whatever signals came, the pool is intact, and closing it
   ends: all fibers end by themselves, since what they wait for comes. *)
let everywhere ?(domains = 1) body again () =
  watched where @@ fun () ->
  at_each ~again @@ fun run ->
  let c = { begun = Atomic.make 0; ended = Atomic.make 0; closed = Atomic.make 0 } in
  let pool = Pool.create ~domains () in
  let spawn f =
    step ();
    insist (fun () -> ignore (Pool.async pool (fiber c f) : unit Weft.promise))
  in
  run (fun () -> Pool.run pool (fiber c (fun () -> body start spawn)));
  is_alive pool;
  Pool.close pool;
  let was what expected got =
    if expected <> got then Alcotest.failf "%s: expected %d, got %d; %s" what expected got (where ())
  in
  was "ended, of those begun" (Atomic.get c.begun) (Atomic.get c.ended);
  was "fibers that waited for ever" 0 (Atomic.get c.closed);
  if Weft_scheduler.Worker.current () <> None then Alcotest.failf "it is still a worker; %s" (where ());
  if Weft_scheduler.Context.current () != Weft_scheduler.Fiber.none then
    Alcotest.failf "it is still in a task; %s" (where ())

let yields start spawn =
  for _ = 1 to 3 do
    spawn (fun () -> give_way 3)
  done;
  start ();
  give_way 5

(* The fibers wait for [x] until [settle x], which may be called again. *)
let waiters make wait settle n start spawn =
  let x = make () in
  let before () =
    for _ = 1 to n do
      spawn (fun () -> wait x)
    done;
    start ();
    give_way 2
  in
  (match before () with () | (exception Interrupted) -> ());
  insist (fun () -> settle x);
  give_way 2

let promises = waiters Promise.create Weft.await (fun p -> ignore (Promise.try_resolve p () : bool))

let ivars =
  waiters Weft.Ivar.create (fun i -> Weft.Ivar.read i) (fun i -> ignore (Weft.Ivar.try_fill i () : bool))

let mvars =
  waiters
    (fun () -> Weft.Mvar.create ())
    (fun m -> Weft.Mvar.read m)
    (fun m -> ignore (Weft.Mvar.try_put m () : bool))

let latches =
  waiters
    (fun () -> Weft.Latch.create 1)
    (fun l -> Weft.Latch.wait l)
    (fun l -> if Weft.Latch.count l > 0 then Weft.Latch.count_down l)

let combined =
  waiters
    (fun () -> (Promise.create (), Promise.create ()))
    (fun (p, q) ->
      let sum = Promise.map (fun (a, b) -> a + b) (Promise.both p q) in
      let all = Promise.all [ p; q ] and first = Promise.race [ p; q ] and one = Promise.any [ q; p ] in
      ignore (Weft.await sum + List.length (Weft.await all) + Weft.await first + Weft.await one : int))
    (fun (p, q) -> List.iter (fun p -> ignore (Promise.try_resolve p 1 : bool)) [ p; q ])

(* A participant that is interrupted arrives again, since the others wait for it. *)
let barriers start spawn =
  let b = Weft.Barrier.create 3 in
  let arrive () = ignore (Weft.Barrier.wait b : int) in
  let meet () = match arrive () with () -> () | exception Interrupted -> insist arrive in
  spawn meet;
  spawn meet;
  (match start () with () -> () | exception Interrupted -> ());
  meet ();
  give_way 2

(* Whoever computes it may be taken away: then another one does. *)
let onces start spawn =
  let o = Weft.Once.make (fun () -> give_way 2) in
  spawn (fun () -> Weft.Once.get o);
  start ();
  Weft.Once.get o;
  spawn (fun () -> Weft.Once.get o)

let blocking start spawn =
  spawn (fun () -> Weft.blocking step);
  start ();
  Weft.blocking step;
  give_way 1

let selects start spawn =
  let c = Weft.Chan.bounded 0 in
  let wait () = Weft.Select.(select [ recv c Fun.id; timeout 0.0001 ignore ]) in
  spawn wait;
  start ();
  wait ();
  spawn (fun () -> ignore (Weft.Chan.send_poll c () : bool));
  wait ()

let pipelines start spawn =
  spawn (fun () -> give_way 1);
  start ();
  let next = ref 0 in
  let produce () =
    step ();
    incr next;
    if !next > 4 then None else Some ()
  in
  Weft.pipeline ~tokens:2 produce
    Weft.Stage.(parallel (fun () -> give_way 1) >>> serial ignore >>> in_order step)

let collections start spawn =
  spawn (fun () -> give_way 1);
  start ();
  let see _ = give_way 1 in
  Weft.Array.iter see [| 1; 2 |];
  Weft.List.iter see [ 1; 2 ];
  Weft.Seq.iter see (Weft.Seq.of_range 1 2);
  ignore
    (Weft.parallel_find ~start:1 ~finish:2
       ~body:(fun i ->
         see i;
         None)
       ()
      : unit option);
  Weft.Array.sort
    (fun x y ->
      step ();
      compare (x : int) y)
    [| 3; 1; 2 |]

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

(* A cancelled fiber leaves the lock to the others. *)
let locks protect start spawn =
  let held () = protect (fun () -> give_way 2) in
  spawn held;
  spawn held;
  start ();
  held ();
  spawn held;
  held ()

let mutexes start spawn = locks (Weft.Mutex.protect (Weft.Mutex.create ())) start spawn

(* The condition is signalled again until all have gone. *)
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
      (* Each program uses a signal of its own. *)
      insist tell_whatever_comes;
      raise exn

let semaphores start spawn = locks (Weft.Semaphore.protect (Weft.Semaphore.create 1)) start spawn
let writers start spawn = locks (Weft.Rwlock.write (Weft.Rwlock.create ())) start spawn
let readers start spawn = locks (Weft.Rwlock.read (Weft.Rwlock.create ())) start spawn
let limits start spawn = locks (Weft.Limit.run (Weft.Limit.create 1)) start spawn

(* Whatever comes, the channel is closed: that ends the receivers. *)
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
      step ();
      Weft.Chan.send c i
    done
  in
  (match send () with () -> () | exception Interrupted -> ());
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
  Weft.parallel_for ~chunk_size:2 ~start:1 ~finish:8 ~body:(fun i -> if i = 5 then give_way 1 else step ()) ();
  let body i =
    step ();
    i
  in
  ignore (Weft.parallel_for_reduce ~start:1 ~finish:8 ~body ( + ) 0 : int)

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
    ("readers", everywhere readers);
    ("limits", everywhere limits);
    ("conditions", everywhere conditions);
    ("ivars", everywhere (ivars 2));
    ("mvars", everywhere (mvars 2));
    ("latches", everywhere (latches 2));
    ("barriers", everywhere barriers);
    ("promises made of others", everywhere (combined 2));
    ("values computed once", everywhere onces);
    ("selects", everywhere selects);
    ("blocking calls", everywhere blocking);
    ("pipelines", everywhere pipelines);
    ("collections", everywhere collections);
    ("channels", everywhere channels);
    ("scopes", everywhere scopes);
    ("loops", everywhere loops);
  ]

(* The handler raises once, or twice: at the second, the caller leaves, and the tasks end by themselves. *)
let again = [ []; [ 1 ]; [ 3 ] ]

let tests =
  List.concat_map
    (fun again -> List.map (fun (name, body) -> case (name ^ ", " ^ how again) (body again)) bodies)
    again
