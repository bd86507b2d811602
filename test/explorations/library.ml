(* Functions that use one part of Weft each, and hold under every schedule. *)

open Points
module Promise = Weft.Promise
module Mutex = Weft.Mutex
module Condition = Weft.Condition
module Chan = Weft.Chan
module Cancel = Weft.Cancel
module Scope = Weft.Scope
module Select = Weft.Select

let three f g h = both f (fun () -> both g h)

exception Planned

(* --- locks --- *)

(* No two fibers are inside at once, or as many as [most]. *)
let exclusion ?(most = 1) protect () =
  let inside = ref 0 and entries = ref 0 in
  let enter () =
    protect (fun () ->
        incr inside;
        point ();
        assert (!inside <= most);
        incr entries;
        decr inside)
  in
  three enter enter enter;
  assert (!entries = 3)

let mutex () =
  let m = Mutex.create () in
  exclusion (Mutex.protect m) ()

let mutex_given_up () =
  let m = Mutex.create () and inside = ref 0 in
  let enter () =
    match Mutex.lock_timeout 1. m with
    | () ->
        incr inside;
        assert (!inside = 1);
        Weft.sleep 0.7;
        decr inside;
        Mutex.unlock m
    | exception Cancel.Timeout -> ()
  in
  three enter enter enter;
  Mutex.protect m ignore

let semaphore () =
  let s = Weft.Semaphore.create 2 in
  exclusion ~most:2 (Weft.Semaphore.protect s) ();
  assert (Weft.Semaphore.available s = 2)

let rwlock () =
  let l = Weft.Rwlock.create () and a = ref 0 and b = ref 0 in
  let write () =
    Weft.Rwlock.write l (fun () ->
        incr a;
        point ();
        incr b)
  in
  let read () =
    Weft.Rwlock.read l (fun () ->
        let x = !a in
        point ();
        assert (x = !b))
  in
  three write read (fun () ->
      read ();
      write ());
  assert (!a = 2 && !b = 2)

let bounded_buffer () =
  let m = Mutex.create () and changed = Condition.create () in
  let items = Queue.create () and sum = ref 0 in
  let put n =
    Mutex.protect m (fun () ->
        while Queue.length items = 1 do
          Condition.wait changed m
        done;
        Queue.add n items;
        Condition.broadcast changed)
  in
  let take () =
    Mutex.protect m (fun () ->
        while Queue.is_empty items do
          Condition.wait changed m
        done;
        sum := !sum + Queue.take items;
        Condition.broadcast changed)
  in
  let twice f () =
    f ();
    f ()
  in
  three
    (fun () ->
      put 1;
      put 2)
    (fun () ->
      put 4;
      put 8)
    (fun () -> both (twice take) (twice take));
  assert (!sum = 15)

let barrier () =
  let b = Weft.Barrier.create 3 and arrived = ref 0 in
  let go () =
    for round = 1 to 2 do
      incr arrived;
      ignore (Weft.Barrier.wait b : int);
      assert (!arrived >= 3 * round)
    done
  in
  three go go go

let latch_and_ivar () =
  let l = Weft.Latch.create 2 and v = Weft.Ivar.create () and n = ref 0 in
  let down () =
    incr n;
    Weft.Latch.count_down l
  in
  three down
    (fun () ->
      down ();
      assert (Weft.Ivar.read v = 2))
    (fun () ->
      Weft.Latch.wait l;
      Weft.Ivar.fill v !n)

let once () =
  let made = ref 0 in
  let o =
    Weft.Once.make (fun () ->
        incr made;
        point ();
        !made)
  in
  let get () = assert (Weft.Once.get o = 1) in
  three get get get

let mvar () =
  let v = Weft.Mvar.create () and sum = ref 0 in
  let take () = sum := !sum + Weft.Mvar.take v in
  three
    (fun () ->
      Weft.Mvar.put v 1;
      Weft.Mvar.put v 2)
    (fun () -> Weft.Mvar.put v 4)
    (fun () ->
      take ();
      take ();
      take ());
  assert (!sum = 7 && Weft.Mvar.try_take v = None)

(* --- channels --- *)

let channel size () =
  let c = Chan.bounded size and got = ref [] in
  let receive () = Chan.iter (fun v -> got := v :: !got) c in
  both
    (fun () ->
      both
        (fun () ->
          Chan.send c 1;
          Chan.send c 2)
        (fun () -> Chan.send c 3);
      Chan.close c)
    (fun () -> both receive receive);
  assert (List.sort compare !got = [ 1; 2; 3 ])

(* What is sent is received, or was given up and is not. *)
let channel_given_up () =
  let c = Chan.bounded 0 and sent = ref 0 and got = ref 0 in
  let send () = match Chan.send ~timeout:1. c () with () -> incr sent | exception Cancel.Timeout -> () in
  let receive () = match Chan.recv ~timeout:1. c with () -> incr got | exception Cancel.Timeout -> () in
  three
    (fun () ->
      send ();
      Weft.sleep 0.6;
      send ())
    receive receive;
  assert (!sent = !got)

let broadcast () =
  let c = Weft.Broadcast.create 4 in
  let one = Weft.Broadcast.subscribe c and other = Weft.Broadcast.subscribe c in
  let receive s () =
    assert (Weft.Broadcast.recv s = 1);
    assert (Weft.Broadcast.recv s = 2)
  in
  three
    (fun () ->
      Weft.Broadcast.send c 1;
      Weft.Broadcast.send c 2)
    (receive one) (receive other)

(* Each message is taken once, whichever case takes it. *)
let select () =
  let a = Chan.bounded 1 and b = Chan.unbounded () and sum = ref 0 in
  let take () =
    let v = Select.select [ Select.recv a Fun.id; Select.recv b (fun v -> 10 * v) ] in
    sum := !sum + v
  in
  both
    (fun () ->
      both
        (fun () ->
          Chan.send a 1;
          Chan.send a 2)
        (fun () -> Chan.send b 3))
    (fun () ->
      both take (fun () ->
          take ();
          take ()));
  assert (!sum = 33)

let select_given_up () =
  let c = Chan.bounded 1 and m = Mutex.create () and got = ref 0 in
  let choose () =
    Select.select
      [
        Select.recv c (fun () -> incr got); Select.lock m (fun () -> Mutex.unlock m); Select.timeout 1. ignore;
      ]
  in
  three choose choose (fun () -> Mutex.protect m (fun () -> Chan.send c ()));
  assert (!got + Chan.length c = 1)

(* --- tasks --- *)

let scope () =
  let ended = ref 0 in
  Scope.run (fun s ->
      for _ = 1 to 3 do
        ignore
          (Scope.async s (fun () ->
               point ();
               incr ended)
            : unit Promise.t)
      done);
  assert (!ended = 3)

(* A failure cancels the others, is raised, and nobody outlives the scope. *)
let failing_scope () =
  let begun = ref 0 and ended = ref 0 in
  let task f s =
    ignore
      (Scope.async s (fun () ->
           incr begun;
           Fun.protect f ~finally:(fun () -> incr ended))
        : unit Promise.t)
  in
  (match
     Scope.run (fun s ->
         task (fun () -> Weft.sleep 3600.) s;
         task (fun () -> raise Planned) s;
         task point s)
   with
  | () -> assert false
  | exception Planned -> ());
  assert (!begun = !ended)

let cancelled_scope () =
  let inside = ref 0 and p : unit Promise.t = Promise.create () in
  let task s =
    ignore
      (Scope.async s (fun () ->
           incr inside;
           Fun.protect (fun () -> Weft.await p) ~finally:(fun () -> decr inside))
        : unit Promise.t)
  in
  (match
     Scope.run (fun s ->
         task s;
         task s;
         point ();
         Scope.cancel s;
         point ())
   with
  | () -> ()
  | exception Cancel.Cancelled _ -> ());
  assert (!inside = 0)

(* A fiber that waits, or makes way for another one, leaves its room. *)
let limit () =
  let l = Weft.Limit.create 1 and done_ = ref 0 in
  let work () =
    assert (Weft.Limit.running l = 1);
    incr done_
  in
  let enter () =
    Weft.Limit.run l (fun () ->
        both work (fun () ->
            point ();
            work ()))
  in
  three enter enter enter;
  assert (Weft.Limit.running l = 0 && !done_ = 6)

let promises () =
  let p = Promise.create () and never : int Promise.t = Promise.create () in
  let all = Promise.all [ p; Promise.map succ p ] in
  let race = Promise.race [ never; p ] and any = Promise.any [ p; never ] in
  three
    (fun () -> Promise.resolve p 1)
    (fun () -> assert (Weft.await all = [ 1; 2 ]))
    (fun () -> assert (Weft.await race = 1 && Weft.await any = 1))

let a_cancelled_task () =
  let begun = ref false and ended = ref false and never : unit Promise.t = Promise.create () in
  let p =
    Promise.cancellable (fun () ->
        begun := true;
        Fun.protect (fun () -> Weft.await never) ~finally:(fun () -> ended := true))
  in
  point ();
  Promise.cancel p;
  (match Weft.await p with () -> assert false | exception Cancel.Cancelled _ -> ());
  assert (!begun = !ended)

let failing_forks () =
  let f i () =
    point ();
    if i > 0 then raise Planned
  in
  match three (f 0) (f 1) (f 2) with () -> assert false | exception Planned -> ()

(* A sleeper whose time has come may go on so late that the limit has passed, too. *)
let time_outs ~late () =
  let t = Weft.now () in
  let sleep seconds limit =
    match Cancel.with_timeout limit (fun () -> Weft.sleep seconds) with
    | () -> assert (seconds <= limit)
    | exception Cancel.Timeout -> assert (late || limit <= seconds)
  in
  let outer () = Cancel.with_timeout 100. (fun () -> sleep 1. 1.) in
  three
    (fun () -> sleep 1. 2.)
    (fun () -> sleep 3600. 5.)
    (fun () -> try outer () with Cancel.Timeout -> assert late);
  assert (late || Weft.now () -. t < 5.5)

let pipeline () =
  let next =
    let left = ref 4 in
    fun () ->
      if !left = 0 then None
      else begin
        decr left;
        Some (3 - !left)
      end
  in
  let slowly f i =
    point ();
    f i
  in
  let got =
    Weft.pipeline_to_list ~tokens:2 next Weft.Stage.(parallel (slowly succ) >>> in_order (slowly (( * ) 10)))
  in
  assert (got = [ 10; 20; 30; 40 ])

let loops () =
  let seen = Array.make 20 0 in
  Weft.parallel_for ~chunk_size:3 ~start:0 ~finish:19
    ~body:(fun i ->
      if i mod 7 = 0 then point ();
      seen.(i) <- seen.(i) + 1)
    ();
  assert (Array.for_all (( = ) 1) seen);
  let sum =
    Weft.parallel_for_reduce ~chunk_size:2 ~start:1 ~finish:10
      ~body:(fun i ->
        point ();
        i)
      ( + ) 0
  in
  assert (sum = 55);
  assert (Weft.Array.find_index (fun i -> i > 5) [| 1; 9; 3; 7 |] = Some 1)

let all =
  [
    ("mutex", mutex);
    ("mutex, given up", mutex_given_up);
    ("semaphore", semaphore);
    ("rwlock", rwlock);
    ("condition", bounded_buffer);
    ("barrier", barrier);
    ("latch and ivar", latch_and_ivar);
    ("once", once);
    ("mvar", mvar);
    ("channel without buffer", channel 0);
    ("channel of one", channel 1);
    ("channel, given up", channel_given_up);
    ("broadcast", broadcast);
    ("select", select);
    ("select, given up", select_given_up);
    ("scope", scope);
    ("failing scope", failing_scope);
    ("cancelled scope", cancelled_scope);
    ("limit", limit);
    ("promises", promises);
    ("a cancelled task", a_cancelled_task);
    ("failing forks", failing_forks);
    ("time-outs", time_outs ~late:true);
    ("pipeline", pipeline);
    ("loops", loops);
  ]

(* While a fiber is ready, no time passes. *)
let without_timers = [ ("time-outs in time", time_outs ~late:false) ]
