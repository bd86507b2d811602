(* Programs without data races: what one task has written, another may read if Weft orders the two.
   [publishes NAME] runs one, [publishes list] lists their names, [publishes] runs all. ThreadSanitizer
   must not report any line of this file. *)

let spin n =
  for _ = 1 to n do
    ignore (Sys.opaque_identity n)
  done

let rounds = 200

(* The task writes and its awaiter reads: it awaits before the task's end, or after. *)
let await () =
  for k = 1 to rounds do
    let r = ref 0 in
    let p =
      Weft.async (fun () ->
          spin 20_000;
          r := k)
    in
    spin (if k mod 2 = 0 then 60_000 else 10);
    Weft.await p;
    assert (!r = k)
  done

let par () =
  for k = 1 to rounds do
    let a = Array.make 2 0 in
    a.(0) <- k;
    let x, y =
      Weft.par
        (fun () ->
          spin 40_000;
          a.(0))
        (fun () ->
          spin 10_000;
          a.(1) <- k;
          a.(0))
    in
    assert (x = k && y = k && a.(1) = k)
  done

let loops () =
  let n = 100_000 in
  for k = 1 to 20 do
    let a = Array.make n k in
    Weft.parallel_for ~start:0 ~finish:(n - 1) ~body:(fun i -> a.(i) <- a.(i) + 1) ();
    Array.iter (fun x -> assert (x = k + 1)) a;
    let sum = Weft.parallel_for_reduce ~start:0 ~finish:(n - 1) ~body:(fun i -> a.(i)) ( + ) 0 in
    assert (sum = n * (k + 1));
    Weft.Array.sort compare a
  done

let chans () =
  List.iter
    (fun make ->
      Weft.run @@ fun () ->
      let c : int ref Weft.Chan.t = make () in
      let send () =
        for i = 1 to 2_000 do
          Weft.Chan.send c (ref i)
        done;
        Weft.Chan.close c
      in
      ignore (Weft.par send (fun () -> Weft.Chan.iter incr c)))
    [ (fun () -> Weft.Chan.bounded 0); (fun () -> Weft.Chan.bounded 4); Weft.Chan.unbounded ];
  for k = 1 to rounds do
    Weft.run @@ fun () ->
    let c : unit Weft.Chan.t = Weft.Chan.bounded 0 and r = ref 0 in
    let close () =
      r := k;
      Weft.Chan.close c
    in
    let (), () = Weft.par close (fun () -> Weft.Chan.iter ignore c) in
    assert (!r = k)
  done

let selects () =
  Weft.run @@ fun () ->
  let c : int ref Weft.Chan.t = Weft.Chan.bounded 0 and d = Weft.Chan.bounded 2 in
  let send () =
    for i = 1 to 500 do
      Weft.Select.(select [ send c (ref i) ignore; send d (ref i) ignore ])
    done
  and receive () =
    for _ = 1 to 500 do
      Weft.Select.(select [ recv c incr; recv d incr ])
    done
  in
  ignore (Weft.par send receive)

let locks () =
  let count = 8 and times = 200 in
  let protected protect =
    let r = ref 0 in
    let add () =
      for _ = 1 to times do
        protect (fun () -> incr r)
      done
    in
    ignore (Weft.all (List.init count (fun _ -> add)));
    assert (!r = count * times)
  in
  let m = Weft.Mutex.create () in
  protected (fun f -> Weft.Mutex.protect m f);
  let s = Weft.Semaphore.create 1 in
  protected (fun f ->
      Weft.Semaphore.acquire s;
      f ();
      Weft.Semaphore.release s);
  let l = Weft.Rwlock.create () in
  protected (fun f ->
      Weft.Rwlock.write l f;
      Weft.Rwlock.read l ignore);
  let only_one = Weft.Limit.create 1 in
  protected (fun f -> Weft.Limit.run only_one f);
  protected (fun f ->
      Weft.Select.(select [ lock m f ]);
      Weft.Mutex.unlock m)

(* A reader sees what writers wrote: two values that writers keep equal. *)
let readers () =
  let l = Weft.Rwlock.create () and a = ref 0 and b = ref 0 in
  let write () =
    for _ = 1 to rounds do
      Weft.Rwlock.write l (fun () ->
          incr a;
          incr b)
    done
  and read () =
    for _ = 1 to rounds do
      Weft.Rwlock.read l (fun () -> assert (!a = !b))
    done
  in
  ignore (Weft.all [ write; read; read; write ])

let conditions () =
  let m = Weft.Mutex.create () and c = Weft.Condition.create () and turn = ref 0 in
  let take_turns mine () =
    for _ = 1 to rounds do
      Weft.Mutex.protect m (fun () ->
          while !turn <> mine do
            Weft.Condition.wait c m
          done;
          turn := 1 - mine;
          Weft.Condition.signal c)
    done
  in
  Weft.run (fun () -> ignore (Weft.par (take_turns 0) (take_turns 1)))

(* A task resolves the promise, or a thread that is no worker. *)
let promises () =
  for k = 1 to rounds do
    let r = ref 0 and p = Weft.Promise.create () in
    let resolve () =
      spin 1_000;
      r := k;
      Weft.Promise.resolve p ()
    in
    let (), () = Weft.par resolve (fun () -> Weft.await p) in
    assert (!r = k);
    let q = Weft.Promise.create () and s = ref 0 in
    let read () =
      Weft.await q;
      !s
    in
    let reads = List.init 3 (fun _ -> Weft.async read) in
    s := k;
    Weft.Promise.resolve q ();
    List.iter (fun read -> assert (Weft.await read = k)) reads
  done

(* The promise's state is read without awaiting. *)
let settled () =
  for k = 1 to rounds do
    Weft.run @@ fun () ->
    let r = ref 0 and p = Weft.Promise.create () in
    let write () =
      spin 1_000;
      r := k;
      Weft.Promise.resolve p ()
    in
    let rec ask () =
      let is_settled = if k mod 2 = 0 then Weft.Promise.is_settled p else Weft.Promise.peek p <> None in
      if is_settled then !r
      else begin
        Weft.yield ();
        ask ()
      end
    in
    let (), seen = Weft.par write ask in
    assert (seen = k)
  done

let failures () =
  for k = 1 to rounds do
    let r = ref 0 in
    let fail () =
      spin 10_000;
      r := k;
      raise Exit
    in
    let p = Weft.async fail in
    (try Weft.await p with Exit -> ());
    assert (!r = k);
    (try
       ignore
         (Weft.par
            (fun () -> spin 1_000)
            (fun () ->
              r := -k;
              raise Exit))
     with Exit -> ());
    assert (!r = -k)
  done

let scopes () =
  for k = 1 to rounds do
    let a = Array.make 8 0 in
    Weft.Scope.run (fun s ->
        for i = 0 to 7 do
          ignore (Weft.Scope.async s (fun () -> a.(i) <- k) : unit Weft.Promise.t)
        done);
    Array.iter (fun x -> assert (x = k)) a
  done

(* One side writes and then signals; the other waits and then reads. *)
let told make =
  for k = 1 to rounds do
    let tell, wait = make () and r = ref 0 in
    let write () =
      spin 1_000;
      r := k;
      tell ()
    in
    let read () =
      wait ();
      assert (!r = k)
    in
    Weft.run (fun () -> ignore (Weft.par write read))
  done

let others () =
  told (fun () ->
      let v = Weft.Ivar.create () in
      ((fun () -> Weft.Ivar.fill v ()), fun () -> Weft.Ivar.read v));
  told (fun () ->
      let v = Weft.Mvar.create () in
      ((fun () -> Weft.Mvar.put v ()), fun () -> Weft.Mvar.take v));
  told (fun () ->
      let l = Weft.Latch.create 1 in
      ((fun () -> Weft.Latch.count_down l), fun () -> Weft.Latch.wait l));
  told (fun () ->
      let c = Weft.Broadcast.create 1 in
      let s = Weft.Broadcast.subscribe c in
      ((fun () -> Weft.Broadcast.send c ()), fun () -> Weft.Broadcast.recv s));
  told (fun () ->
      let p, r = Weft.Promise.make () and told = Weft.Ivar.create () in
      Weft.Promise.on_settled p (fun _ -> Weft.Ivar.fill told ());
      ((fun () -> Weft.Promise.Resolver.resolve r ()), fun () -> Weft.Ivar.read told));
  told (fun () ->
      let m = Weft.Mvar.create () and s = Weft.Semaphore.create 0 in
      let wait () = Weft.Select.(select [ take m ignore; acquire s ignore ]) in
      ((fun () -> Weft.Semaphore.release s), wait));
  told (fun () ->
      let b = Weft.Barrier.create 2 in
      let wait () = ignore (Weft.Barrier.wait b : int) in
      (wait, wait))

let onces () =
  for k = 1 to rounds do
    let r = ref 0 in
    let o =
      Weft.Once.make (fun () ->
          spin 1_000;
          r := k)
    in
    let read () =
      Weft.Once.get o;
      assert (!r = k)
    in
    ignore (Weft.all [ read; read; read ])
  done

(* Fork and join of other pools and of threads; the tasks of one worker use its slot one after the other. *)
let pools () =
  for k = 1 to 10 do
    let a = Array.make 8 0 in
    let tasks p = List.init 8 (fun i -> Weft.Pool.async p (fun () -> a.(i) <- a.(i) + k)) in
    let p = Weft.Pool.create ~domains:2 () in
    a.(0) <- 1;
    Weft.Pool.run p (fun () -> a.(0) <- a.(0) - 1);
    assert (a.(0) = 0);
    List.iter Weft.await (tasks p);
    Array.iter (fun x -> assert (x = k)) a;
    ignore (tasks p : unit Weft.Promise.t list);
    (* Two close the pool: whichever does it, both see what the tasks wrote. *)
    let close () =
      Weft.Pool.close p;
      Array.iter (fun x -> assert (x = 2 * k)) a
    in
    let other = Domain.spawn close in
    close ();
    Domain.join other
  done

let blocking () =
  for k = 1 to rounds do
    Weft.run @@ fun () ->
    let r = ref k in
    Weft.blocking (fun () -> r := !r + 1);
    assert (!r = k + 1)
  done

let slots () =
  let count = Weft.Local.Worker_local.create (fun () -> ref 0) in
  Weft.parallel_for ~start:1 ~finish:10_000 ~body:(fun _ -> incr (Weft.Local.Worker_local.get count)) ();
  assert (Weft.Local.Worker_local.fold (fun sum r -> sum + !r) 0 count = 10_000)

let batched () =
  let c = Weft_batch.Counter.create () in
  let add () =
    for _ = 1 to 200 do
      Weft_batch.Counter.incr c
    done
  in
  ignore (Weft.all (List.init 8 (fun _ -> add)));
  assert (Weft_batch.Counter.get c = 1_600)

let programs =
  [
    ("await", await);
    ("par", par);
    ("loops", loops);
    ("promises", promises);
    ("settled", settled);
    ("failures", failures);
    ("scopes", scopes);
    ("pools", pools);
    ("blocking", blocking);
    ("slots", slots);
    ("chans", chans);
    ("selects", selects);
    ("locks", locks);
    ("readers", readers);
    ("conditions", conditions);
    ("others", others);
    ("onces", onces);
    ("batched", batched);
  ]

let () =
  match Sys.argv with
  | [| _; "list" |] -> List.iter (fun (name, _) -> print_endline name) programs
  | [| _; name |] -> Testing.Watchdog.guard name (List.assoc name programs)
  | _ -> List.iter (fun (name, f) -> Testing.Watchdog.guard name f) programs
