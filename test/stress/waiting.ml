open Kit

let chan st =
  let cap = match ri st 4 with 0 -> 0 | 1 -> 1 | 2 -> ri st 10 | _ -> 1000 in
  let c = Weft.Chan.bounded cap in
  let sent = Atomic.make 0 and got = Atomic.make 0 and nsent = Atomic.make 0 and ngot = Atomic.make 0 in
  let producers = 1 + ri st 6 and consumers = 1 + ri st 6 and n = 1 + ri st 60 in
  let left = Atomic.make producers in
  Weft.Scope.run (fun s ->
      for p = 1 to producers do
        let st = split () in
        ignore
          (Weft.Scope.async s (fun () ->
               for i = 1 to n do
                 let v = (p * 1000) + i in
                 match
                   maybe_cancel st (fun () ->
                       match ri st 4 with
                       | 0 -> (
                           match Weft.Chan.send ~timeout:(tiny st) c v with
                           | () ->
                               Atomic.incr nsent;
                               ignore (Atomic.fetch_and_add sent v)
                           | exception Weft.Cancel.Timeout -> ())
                       | 1 ->
                           if Weft.Chan.send_poll c v then (
                             Atomic.incr nsent;
                             ignore (Atomic.fetch_and_add sent v))
                       | 2 ->
                           Weft.Select.select
                             [
                               Weft.Select.send c v (fun () ->
                                   Atomic.incr nsent;
                                   ignore (Atomic.fetch_and_add sent v));
                               Weft.Select.timeout (tiny st) (fun () -> ());
                             ]
                       | _ ->
                           Weft.Chan.send c v;
                           Atomic.incr nsent;
                           ignore (Atomic.fetch_and_add sent v))
                 with
                 | _ -> ()
               done;
               if Atomic.fetch_and_add left (-1) = 1 then Weft.Chan.close c))
      done;
      for _ = 1 to consumers do
        let st = split () in
        ignore
          (Weft.Scope.async s (fun () ->
               let take v =
                 Atomic.incr ngot;
                 ignore (Atomic.fetch_and_add got v)
               in
               let rec go () =
                 match
                   maybe_cancel st (fun () ->
                       match ri st 4 with
                       | 0 -> (
                           match Weft.Chan.recv ~timeout:(tiny st) c with
                           | v -> take v
                           | exception Weft.Cancel.Timeout -> ())
                       | 1 -> (
                           match Weft.Chan.recv_poll c with
                           | Some v -> take v
                           | None ->
                               if Weft.Chan.is_closed c && Weft.Chan.length c = 0 then raise Weft.Chan.Closed
                               else Weft.yield ())
                       | 2 ->
                           Weft.Select.select
                             [ Weft.Select.recv c take; Weft.Select.timeout (tiny st) (fun () -> ()) ]
                       | _ -> take (Weft.Chan.recv c))
                 with
                 | _ -> go ()
                 | exception Weft.Chan.Closed -> ()
               in
               go ()))
      done);
  let rec drain () =
    match Weft.Chan.recv_opt c with
    | Some v ->
        Atomic.incr ngot;
        ignore (Atomic.fetch_and_add got v);
        drain ()
    | None -> ()
  in
  drain ();
  check
    (Printf.sprintf "chan cap %d: sent %d/%d got %d/%d" cap (Atomic.get nsent) (Atomic.get sent)
       (Atomic.get ngot) (Atomic.get got))
    (Atomic.get sent = Atomic.get got && Atomic.get nsent = Atomic.get ngot);
  did (Atomic.get nsent + Atomic.get ngot)

let mutex st =
  let m = Weft.Mutex.create () in
  let plain = ref 0 and ok = Atomic.make 0 and inside = Atomic.make 0 in
  Weft.Scope.run (fun s ->
      for _ = 1 to 1 + ri st 10 do
        let st = split () in
        ignore
          (Weft.Scope.async s (fun () ->
               for _ = 1 to 20 do
                 let body () =
                   if Atomic.fetch_and_add inside 1 <> 0 then check "mutex: two inside" false;
                   let v = !plain in
                   if ri st 5 = 0 then Weft.Cancel.shield Weft.yield else spin (ri st 30);
                   plain := v + 1;
                   Atomic.incr ok;
                   Atomic.decr inside
                 in
                 match
                   maybe_cancel st (fun () ->
                       match ri st 4 with
                       | 0 -> (
                           match Weft.Mutex.lock_timeout (tiny st) m with
                           | () -> Fun.protect ~finally:(fun () -> Weft.Mutex.unlock m) body
                           | exception Weft.Cancel.Timeout -> ())
                       | 1 ->
                           if Weft.Mutex.try_lock m then
                             Fun.protect ~finally:(fun () -> Weft.Mutex.unlock m) body
                       | 2 ->
                           Weft.Select.select
                             [
                               Weft.Select.lock m (fun () ->
                                   Fun.protect ~finally:(fun () -> Weft.Mutex.unlock m) body);
                               Weft.Select.timeout (tiny st) (fun () -> ());
                             ]
                       | _ -> (
                           try
                             Weft.Mutex.protect m (fun () ->
                                 body ();
                                 if ri st 10 = 0 then raise (Boom 1))
                           with Boom 1 -> ()))
                 with
                 | _ -> ()
               done))
      done);
  did !plain;
  check "mutex counter" (!plain = Atomic.get ok);
  check "mutex free" (Weft.Mutex.try_lock m)

let semaphore st =
  let n = 1 + ri st 4 in
  let s0 = Weft.Semaphore.create n in
  let inside = Atomic.make 0 in
  Weft.Scope.run (fun s ->
      for _ = 1 to 1 + ri st 10 do
        let st = split () in
        ignore
          (Weft.Scope.async s (fun () ->
               for _ = 1 to 20 do
                 let body () =
                   let k = 1 + Atomic.fetch_and_add inside 1 in
                   if k > n then check "semaphore over" false;
                   did 1;
                   if ri st 4 = 0 then Weft.Cancel.shield Weft.yield else spin (ri st 30);
                   Atomic.decr inside
                 in
                 match
                   maybe_cancel st (fun () ->
                       match ri st 3 with
                       | 0 -> (
                           match Weft.Semaphore.acquire_timeout (tiny st) s0 with
                           | () -> Fun.protect ~finally:(fun () -> Weft.Semaphore.release s0) body
                           | exception Weft.Cancel.Timeout -> ())
                       | 1 ->
                           if Weft.Semaphore.try_acquire s0 then
                             Fun.protect ~finally:(fun () -> Weft.Semaphore.release s0) body
                       | _ -> (
                           try
                             Weft.Semaphore.protect s0 (fun () ->
                                 body ();
                                 if ri st 10 = 0 then raise (Boom 2))
                           with Boom 2 -> ()))
                 with
                 | _ -> ()
               done))
      done);
  check
    (Printf.sprintf "semaphore %d available %d" n (Weft.Semaphore.available s0))
    (Weft.Semaphore.available s0 = n)

let rwlock st =
  let l = Weft.Rwlock.create () in
  let r = Atomic.make 0 and w = Atomic.make 0 and plain = ref 0 and ok = Atomic.make 0 in
  Weft.Scope.run (fun s ->
      for _ = 1 to 1 + ri st 10 do
        let st = split () in
        ignore
          (Weft.Scope.async s (fun () ->
               for _ = 1 to 20 do
                 let rd () =
                   Atomic.incr r;
                   if Atomic.get w <> 0 then check "rw: reader with writer" false;
                   if ri st 4 = 0 then Weft.Cancel.shield Weft.yield;
                   Atomic.decr r
                 in
                 let wr () =
                   if Atomic.fetch_and_add w 1 <> 0 || Atomic.get r <> 0 then
                     check "rw: writer not alone" false;
                   let v = !plain in
                   if ri st 4 = 0 then Weft.Cancel.shield Weft.yield;
                   plain := v + 1;
                   Atomic.incr ok;
                   Atomic.decr w
                 in
                 match
                   maybe_cancel st (fun () ->
                       match ri st 6 with
                       | 0 -> (
                           match Weft.Rwlock.read_lock ~timeout:(tiny st) l with
                           | () -> Fun.protect ~finally:(fun () -> Weft.Rwlock.read_unlock l) rd
                           | exception Weft.Cancel.Timeout -> ())
                       | 1 -> (
                           match Weft.Rwlock.write_lock ~timeout:(tiny st) l with
                           | () -> Fun.protect ~finally:(fun () -> Weft.Rwlock.write_unlock l) wr
                           | exception Weft.Cancel.Timeout -> ())
                       | 2 -> Weft.Rwlock.write l wr
                       | 3 ->
                           if Weft.Rwlock.try_write_lock l then
                             Fun.protect ~finally:(fun () -> Weft.Rwlock.write_unlock l) wr
                       | _ -> Weft.Rwlock.read l rd)
                 with
                 | _ -> ()
               done))
      done);
  did !plain;
  check "rw counter" (!plain = Atomic.get ok);
  check "rw free" (Weft.Rwlock.try_write_lock l)

let condition st =
  let m = Weft.Mutex.create () and ne = Weft.Condition.create () and nf = Weft.Condition.create () in
  let q = Queue.create () and cap = 1 + ri st 4 in
  let sent = Atomic.make 0 and got = Atomic.make 0 in
  let prods = 1 + ri st 4 and cons = 1 + ri st 4 and n = 20 in
  let left = Atomic.make prods and closed = ref false in
  Weft.Scope.run (fun s ->
      for _ = 1 to prods do
        let st = split () in
        ignore
          (Weft.Scope.async s (fun () ->
               for i = 1 to n do
                 ignore
                   (maybe_cancel st (fun () ->
                        try
                          Weft.Mutex.protect m (fun () ->
                              while Queue.length q >= cap do
                                if ri st 2 = 0 then Weft.Condition.wait nf m
                                else
                                  try Weft.Condition.wait_timeout (tiny st) nf m
                                  with Weft.Cancel.Timeout -> ()
                              done;
                              Queue.push i q;
                              ignore (Atomic.fetch_and_add sent i);
                              Weft.Condition.signal ne)
                        with Weft.Cancel.Timeout as e -> raise e))
               done;
               if Atomic.fetch_and_add left (-1) = 1 then
                 Weft.Mutex.protect m (fun () ->
                     closed := true;
                     Weft.Condition.broadcast ne)))
      done;
      for _ = 1 to cons do
        let st = split () in
        ignore
          (Weft.Scope.async s (fun () ->
               let stop = ref false in
               while not !stop do
                 ignore
                   (maybe_cancel st (fun () ->
                        Weft.Mutex.protect m (fun () ->
                            while Queue.is_empty q && not !closed do
                              Weft.Condition.wait ne m
                            done;
                            if Queue.is_empty q then stop := true
                            else begin
                              let i = Queue.pop q in
                              ignore (Atomic.fetch_and_add got i);
                              Weft.Condition.signal nf
                            end)))
               done))
      done);
  check
    (Printf.sprintf "condition sent %d got %d" (Atomic.get sent) (Atomic.get got))
    (Atomic.get sent = Atomic.get got);
  did (Atomic.get sent)

let promises st =
  let n = 1 + ri st 20 in
  let ps = List.init n (fun _ -> Weft.Promise.create ()) in
  let wins = Atomic.make 0 in
  let results =
    Weft.all
      ((fun () -> try Weft.await (Weft.Promise.any ps) with Boom 4 -> -1)
      :: (fun () -> try Weft.await (Weft.Promise.race ps) with Boom 4 -> -1)
      :: (fun () -> try List.fold_left max 0 (Weft.await (Weft.Promise.all ps)) with Boom 4 -> -1)
      :: List.concat_map
           (fun p ->
             List.init 3 (fun k ->
                 let st = split () in
                 fun () ->
                   spin (ri st 100);
                   if ri st 3 = 0 then Weft.yield ();
                   if if ri st 4 = 0 then Weft.Promise.try_reject p (Boom 4) else Weft.Promise.try_resolve p k
                   then Atomic.incr wins;
                   0))
           ps)
  in
  ignore results;
  check "promises: one winner each" (Atomic.get wins = n);
  did n

let sync_misc st =
  let n = 2 + ri st 5 in
  let b = Weft.Barrier.create n
  and l = Weft.Latch.create n
  and iv = Weft.Ivar.create ()
  and mv = Weft.Mvar.create () in
  let once =
    let c = Atomic.make 0 in
    Weft.Once.make (fun () ->
        Atomic.incr c;
        Weft.yield ();
        Atomic.get c)
  in
  let fills = Atomic.make 0 in
  let sum = Atomic.make 0 in
  ignore
    (Weft.all
       (List.init n (fun i ->
            fun () ->
             for _ = 1 to 5 do
               ignore (Weft.Barrier.wait b)
             done;
             if Weft.Ivar.try_fill iv i then Atomic.incr fills;
             ignore (Weft.Ivar.read iv);
             if Weft.Once.get once <> 1 then check "once" false;
             Weft.Latch.count_down l;
             Weft.Latch.wait l;
             Weft.Mvar.put mv i;
             ignore (Atomic.fetch_and_add sum (Weft.Mvar.take mv)))));
  did (9 * n);
  check "ivar" (Atomic.get fills = 1);
  check "mvar" (Atomic.get sum = n * (n - 1) / 2)

let all =
  [
    ("chan", chan);
    ("mutex", mutex);
    ("semaphore", semaphore);
    ("rwlock", rwlock);
    ("condition", condition);
    ("promises", promises);
    ("sync_misc", sync_misc);
  ]
