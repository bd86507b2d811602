(* What a dump says of locks and channels: their names, and who holds a mutex. *)

let is what = Alcotest.(check bool) what true
let until = Testing.Watchdog.until
let waiting_in = Dumps.waiting_in
let waits_in = Dumps.waits_in

let held_by f =
  match (f : Weft.Dump.fiber).held_by with
  | None -> "nobody"
  | Some Thread -> "a thread"
  | Some Running -> "a fiber that runs"
  | Some (Waiting { waits_for; name; _ }) -> Printf.sprintf "a fiber in %s %S" waits_for name

let named () =
  Weft.Pool.with_pool ~domains:1 @@ fun p ->
  let mutex = Weft.Mutex.(named "table" (create ()))
  and chan = Weft.Chan.(named "replies" (bounded 1))
  and semaphore = Weft.Semaphore.(named "slots" (make 0))
  and rwlock = Weft.Rwlock.(named "cache" (create ()))
  and condition = Weft.Condition.(named "ready" (create ()))
  and own = Weft.Mutex.create () in
  let waits = waits_in p in
  Weft.Rwlock.write_lock rwlock;
  let fibers =
    [
      waits (fun () ->
          Weft.Mutex.protect mutex (fun () ->
              Weft.Chan.recv chan;
              Sys.opaque_identity ()));
      waits (fun () -> Weft.Semaphore.acquire semaphore);
      waits (fun () -> Weft.Rwlock.read rwlock ignore);
      waits (fun () -> Weft.Mutex.protect own (fun () -> Weft.Condition.wait condition own));
    ]
  in
  until "they wait" (fun () -> List.length (waiting_in p) = 4);
  let second =
    waits (fun () ->
        Weft.Mutex.lock mutex;
        Weft.Mutex.unlock mutex)
  in
  until "all wait" (fun () -> List.length (waiting_in p) = 5);
  Alcotest.(check (list (triple string string string)))
    "what, its name, its holder"
    [
      ("Weft.Chan.recv", "replies", "nobody");
      ("Weft.Condition.wait", "ready", "nobody");
      ("Weft.Mutex.lock", "table", {|a fiber in Weft.Chan.recv "replies"|});
      ("Weft.Rwlock.read", "cache", "nobody");
      ("Weft.Semaphore.acquire", "slots", "nobody");
    ]
    (List.sort compare
       (List.map (fun (f : Weft.Dump.fiber) -> (f.waits_for, f.name, held_by f)) (waiting_in p)));
  let text = Weft.Dump.to_string () in
  let has part = is (Printf.sprintf "%S in:\n%s" part text) (Testing.Text.contains part text) in
  has "  1 fiber waits in Weft.Mutex.lock \"table\", for ";
  has "    held by a fiber that waits in Weft.Chan.recv \"replies\":\n      Called from ";
  Weft.Chan.send chan ();
  Weft.Semaphore.release semaphore;
  Weft.Rwlock.write_unlock rwlock;
  Weft.Mutex.protect own (fun () -> Weft.Condition.signal condition);
  List.iter Weft.await (second :: fibers)

(* A thread has the mutex, and then a fiber that gives way and does not wait. *)
let held () =
  Weft.Pool.with_pool ~domains:1 @@ fun p ->
  let mutex = Weft.Mutex.create () in
  let waits () = Weft.Pool.async p (fun () -> Weft.Mutex.protect mutex ignore) in
  let holders () = List.map held_by (waiting_in p) in
  Weft.Mutex.lock mutex;
  let first = waits () in
  until "it waits" (fun () -> holders () = [ "a thread" ]);
  Weft.Mutex.unlock mutex;
  Weft.await first;
  let over = Atomic.make false and has_it = Atomic.make false in
  let gives_way () =
    Weft.Mutex.protect mutex @@ fun () ->
    Atomic.set has_it true;
    while not (Atomic.get over) do
      Weft.yield ()
    done
  in
  let holder = Weft.Pool.async p gives_way in
  until "the fiber has it" (fun () -> Atomic.get has_it);
  let second = waits () in
  until "another one waits" (fun () -> holders () = [ "a fiber that runs" ]);
  Atomic.set over true;
  List.iter Weft.await [ holder; second ]

(* A mutex is handed from fiber to fiber. A fiber that has got it after it was listed holds it and runs; it is not
   said to wait for it. *)
let handed_over () =
  Weft.Pool.with_pool ~domains:1 @@ fun p ->
  let mutex = Weft.Mutex.(named "table" (create_fair ())) and over = Atomic.make false in
  let rec section () =
    Weft.Mutex.protect mutex Weft.yield;
    if not (Atomic.get over) then section ()
  in
  let fibers = List.init 30 (fun _ -> Weft.Pool.async p section) in
  let waits_for_its_own f = held_by f = {|a fiber in Weft.Mutex.protect "table"|} in
  Fun.protect ~finally:(fun () ->
      Atomic.set over true;
      List.iter Weft.await fibers)
  @@ fun () ->
  until "they wait" (fun () -> List.length (waiting_in p) > 20);
  for i = 1 to Testing.Effort.count ~quick:1_000 ~usual:3_000 ~long:30_000 do
    if List.exists waits_for_its_own (waiting_in p) then
      Alcotest.failf "dump %d: a mutex is held by a fiber that waits for it" i
  done

let test = Clocked.test

let tests =
  [
    test "names of what is waited for, and the fiber that holds a mutex" named;
    test "a thread holds it, or a fiber that runs" held;
    test "a mutex that goes from fiber to fiber" handed_over;
  ]
