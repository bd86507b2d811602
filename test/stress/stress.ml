(* Random mixes of everything in the public interface, with invariants. The watchdog, which looks at each
   round, finds a fiber that waits for ever; see the dune file for the long form. *)

exception Boom of int
exception Sig

let progress = Atomic.make 0
let fails = Atomic.make 0

type run = { seed : int; domains : int; signals : signals }
and signals = Off | Handled | Raising

let now = ref { seed = 0; domains = 1; signals = Off }
let name_of = function Off -> "no signals" | Handled -> "signals" | Raising -> "signals that raise"
let this_run () = Printf.sprintf "seed %d, domains %d, %s" !now.seed !now.domains (name_of !now.signals)

let check name holds =
  if not holds then begin
    Atomic.incr fails;
    Printf.printf "not so: %s (%s)\n%!" name (this_run ())
  end

let rng = ref (Random.State.make [| 0 |])

(* Shared by the fibers of all domains. *)
let rng_lock = Mutex.create ()
let next () = Mutex.protect rng_lock (fun () -> Random.State.bits !rng)

let split () =
  let first = next () in
  Random.State.make [| first; next () |]

(* every fiber has its own rng *)
let ri st n = Random.State.int st n
let tiny st = float (ri st 300) *. 1e-6

let spin n =
  for _ = 1 to n do
    Domain.cpu_relax ()
  done

let maybe_cancel st f =
  (* runs f under random cancellation; Some of the result if it finished *)
  match ri st 6 with
  | 0 -> (
      match Weft.Cancel.with_timeout (tiny st) f with v -> Some v | exception Weft.Cancel.Timeout -> None)
  | 1 ->
      let t = Weft.Cancel.create () in
      let d = tiny st in
      let p =
        Weft.async (fun () ->
            Weft.sleep d;
            Weft.Cancel.cancel t)
      in
      let r = match Weft.Cancel.within t f with v -> Some v | exception Weft.Cancel.Cancelled _ -> None in
      Weft.await p;
      r
  | _ -> Some (f ())

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
    (Atomic.get sent = Atomic.get got && Atomic.get nsent = Atomic.get ngot)

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
                   if ri st 4 = 0 then Weft.Cancel.shield Weft.yield else spin (ri st 30);
                   Atomic.decr inside
                 in
                 match
                   maybe_cancel st (fun () ->
                       match ri st 3 with
                       | 0 -> (
                           match Weft.Semaphore.acquire ~timeout:(tiny st) s0 with
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
    (Atomic.get sent = Atomic.get got)

let rec tree_seq h =
  if h land 7 = 0 || h < 8 then h land 1023 else tree_seq ((h / 2) - 1) + (3 * tree_seq (h / 3))

let rec tree_par st h =
  if h land 7 = 0 || h < 8 then h land 1023
  else
    match ri st 5 with
    | 0 ->
        let p =
          Weft.async
            (let st = split_l st in
             fun () -> tree_par st (h / 3))
        in
        let a = tree_par st ((h / 2) - 1) in
        a + (3 * Weft.await p)
    | 1 ->
        let st2 = split_l st in
        Weft.Scope.run (fun s ->
            let p = Weft.Scope.async s (fun () -> tree_par st2 (h / 3)) in
            let a = tree_par st ((h / 2) - 1) in
            a + (3 * Weft.await p))
    | 2 ->
        let st2 = split_l st in
        let a, b =
          Weft.par
            (fun () ->
              Weft.yield ();
              tree_par st ((h / 2) - 1))
            (fun () -> tree_par st2 (h / 3))
        in
        a + (3 * b)
    | _ ->
        let st2 = split_l st in
        let a, b = Weft.par (fun () -> tree_par st ((h / 2) - 1)) (fun () -> tree_par st2 (h / 3)) in
        a + (3 * b)

and split_l st = Random.State.make [| Random.State.bits st |]

let tree st =
  let h = 1000 + ri st 3_000_000 in
  let r = tree_par st h in
  check "tree" (r = tree_seq h)

let exn_tree st =
  (* par raises the leftmost exception only if the sides do not depend on cancellation: this checks only
     that Boom is raised and that everything that started has ended *)
  let running = Atomic.make 0 in
  let rec go st d =
    Atomic.incr running;
    Fun.protect
      ~finally:(fun () -> Atomic.decr running)
      (fun () ->
        if d = 0 then if ri st 30 = 0 then raise (Boom 3) else 1
        else
          let st2 = split_l st in
          match ri st 3 with
          | 0 ->
              let a, b = Weft.par (fun () -> go st (d - 1)) (fun () -> go st2 (d - 1)) in
              a + b
          | 1 ->
              Weft.Scope.run (fun s ->
                  let p = Weft.Scope.async s (fun () -> go st2 (d - 1)) in
                  let a = go st (d - 1) in
                  a + Weft.await p)
          | _ ->
              List.fold_left ( + ) 0
                (Weft.all
                   [
                     (fun () -> go st (d - 1));
                     (fun () ->
                       Weft.yield ();
                       go st2 (d - 1));
                   ]))
  in
  (match go st (3 + ri st 6) with _ -> () | exception Boom 3 -> ());
  check (Printf.sprintf "exn_tree: %d outlive" (Atomic.get running)) (Atomic.get running = 0)

let timeouts st =
  let n = 50 + ri st 200 in
  let alive = Atomic.make 0 in
  ignore
    (Weft.all
       (List.init n (fun _ ->
            let st = split () in
            fun () ->
              try
                Weft.Cancel.with_timeout (tiny st) (fun () ->
                    Atomic.incr alive;
                    Fun.protect
                      ~finally:(fun () -> Atomic.decr alive)
                      (fun () ->
                        match ri st 4 with
                        | 0 -> Weft.sleep (tiny st)
                        | 1 -> Weft.await (Weft.Promise.create ())
                        | 2 -> (
                            try Weft.Cancel.with_timeout (tiny st) (fun () -> Weft.sleep 1.)
                            with Weft.Cancel.Timeout -> Weft.yield ())
                        | _ ->
                            while true do
                              Weft.yield ()
                            done))
              with Weft.Cancel.Timeout -> ())));
  check "timeouts alive" (Atomic.get alive = 0)

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
  check "promises: one winner each" (Atomic.get wins = n)

let loops st =
  let n = ri st 20000 in
  let a = Array.init n (fun i -> i * 7919 land 0xffff) in
  let s =
    Weft.parallel_for_reduce ~start:0 ~finish:(n - 1)
      ~body:(fun i -> if ri st 1 = 0 then a.(i) else 0)
      ( + ) 0
  in
  check "reduce" (s = Array.fold_left ( + ) 0 a);
  let sc = Weft.parallel_scan ( + ) a in
  let acc = ref 0 in
  let good = ref true in
  Array.iteri
    (fun i x ->
      acc := !acc + x;
      if sc.(i) <> !acc then good := false)
    a;
  check "scan" !good;
  let hits = Array.make (n + 1) 0 in
  (try
     Weft.parallel_for ~start:0 ~finish:(n - 1)
       ~body:(fun i ->
         hits.(i) <- hits.(i) + 1;
         if i land 0xfff = 0xfff && i land 0x3fff <> 0 && n land 1 = 0 then raise (Boom 5))
       ()
   with Boom 5 -> ());
  if n land 1 = 1 then check "for" (Array.for_all (fun x -> x = 1) (Array.sub hits 0 n));
  let b = Array.copy a in
  Weft.Array.sort compare b;
  let c = Array.copy a in
  Array.stable_sort compare c;
  check "sort" (b = c)

let limit st =
  let n = 1 + ri st 3 in
  let l = Weft.Limit.create n in
  let inside = Atomic.make 0 in
  ignore
    (Weft.all
       (List.init
          (5 + ri st 20)
          (fun _ ->
            let st = split () in
            fun () ->
              ignore
                (maybe_cancel st (fun () ->
                     Weft.Limit.run l (fun () ->
                         let k = 1 + Atomic.fetch_and_add inside 1 in
                         if k > n then check (Printf.sprintf "limit %d: %d" n k) false;
                         spin (ri st 200);
                         Atomic.decr inside;
                         Weft.yield ();
                         ignore (Weft.par (fun () -> spin 20) (fun () -> spin 20))))))));
  (* [running] returns to 0 *)
  check (Printf.sprintf "limit running %d" (Weft.Limit.running l)) (Weft.Limit.running l = 0)

let blocking st =
  let n = 1 + ri st 20 in
  let c = Atomic.make 0 and done_ = Atomic.make 0 in
  ignore
    (Weft.all
       (List.init n (fun i ->
            let st = split () in
            fun () ->
              match
                maybe_cancel st (fun () ->
                    Weft.blocking (fun () ->
                        Atomic.incr c;
                        Unix.sleepf (tiny st);
                        if ri st 5 = 0 then raise (Boom 6);
                        i))
              with
              | _ -> Atomic.incr done_
              | exception Boom 6 -> Atomic.incr done_)));
  check "blocking" (Atomic.get done_ = n)

let pools st =
  let d = 1 + ri st 3 in
  let leaked = ref None in
  let r =
    Weft.Pool.with_pool ~domains:d (fun p ->
        let ps =
          List.init 20 (fun i ->
              Weft.Pool.async p (fun () ->
                  Weft.yield ();
                  if i = 13 then raise (Boom 7) else i))
        in
        let x = Weft.Pool.run p (fun () -> tree_par (split ()) (1000 + ri st 10000) land 0) in
        leaked :=
          Some (Weft.Pool.async p (fun () -> try Weft.await (Weft.Promise.create ()) with e -> raise e));
        x + List.fold_left (fun acc q -> acc + try Weft.await q with Boom 7 -> 0) 0 ps)
  in
  check "pools sum" (r = 190 - 13);
  match !leaked with
  | Some q -> (
      match Weft.await q with
      | _ -> check "leaked awaited" false
      | exception Weft.Pool.Closed _ -> ()
      | exception e -> check ("leaked " ^ Printexc.to_string e) false)
  | None -> ()

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
  check "ivar" (Atomic.get fills = 1);
  check "mvar" (Atomic.get sum = n * (n - 1) / 2)

let batch_counter = Weft_batch.Counter.create ()
let batch_total = Atomic.make 0

let batch st =
  let k = 1 + ri st 40 in
  ignore
    (Weft.all
       (List.init k (fun _ ->
            let st = split () in
            fun () ->
              for _ = 1 to 10 do
                ignore
                  (maybe_cancel st (fun () ->
                       Weft_batch.Counter.add batch_counter 1;
                       Atomic.incr batch_total));
                if ri st 8 = 0 then Weft.yield ()
              done)));
  ()

let pipeline st =
  let n = ri st 200 in
  let i = ref 0 in
  let r =
    try
      Weft.pipeline_to_list
        (fun () ->
          if !i >= n then None
          else (
            incr i;
            Some !i))
        Weft.Stage.(
          parallel (fun x ->
              if ri st 1 = 1 then raise (Boom 8);
              x * 2)
          >>> in_order (fun x -> x + 1))
    with Boom 8 -> []
  in
  check "pipeline" (r = List.init n (fun i -> ((i + 1) * 2) + 1))

let scenarios =
  [|
    ("chan", chan);
    ("mutex", mutex);
    ("semaphore", semaphore);
    ("rwlock", rwlock);
    ("condition", condition);
    ("tree", tree);
    ("exn_tree", exn_tree);
    ("timeouts", timeouts);
    ("promises", promises);
    ("loops", loops);
    ("limit", limit);
    ("blocking", blocking);
    ("pools", pools);
    ("sync_misc", sync_misc);
    ("batch", batch);
    ("pipeline", pipeline);
  |]

(* How many runs of each scenario are under way, for the watchdog's report. *)
let active = Array.map (fun _ -> Atomic.make 0) scenarios

let under_way () =
  let count i n = Printf.sprintf "  %s: %d" (fst scenarios.(i)) (Atomic.get n) in
  String.concat "\n" ("under way:" :: Array.to_list (Array.mapi count active))

(* --- signals --- *)

let armed = Atomic.make false

let without_alarms f () =
  ignore (Thread.sigmask Unix.SIG_BLOCK [ Sys.sigalrm ]);
  f ()

let tick interval = ignore (Unix.setitimer ITIMER_REAL { it_interval = interval; it_value = interval })

let with_signals f =
  match !now.signals with
  | Off -> f ()
  | Handled | Raising ->
      Sys.set_signal Sys.sigalrm (Signal_handle (fun _ -> if Atomic.get armed then raise Sig));
      tick 0.001;
      Fun.protect f ~finally:(fun () -> tick 0.)

(* A signal's exception may end a piece; the pool must not be lost. *)
let interrupted_piece pool =
  match
    Atomic.set armed true;
    for _ = 1 to 5 do
      ignore (Weft.Pool.run pool (fun () -> tree_par (split ()) 100000))
    done;
    let one = Weft.Semaphore.create 1 in
    let take_turns () =
      for _ = 1 to 50 do
        Weft.Semaphore.protect one Weft.yield
      done
    in
    ignore (Weft.Pool.run pool (fun () -> Weft.all (List.init 8 (fun _ -> take_turns))));
    Atomic.set armed false
  with
  | () -> ()
  | exception exn -> (
      Atomic.set armed false;
      match exn with
      | Sig | Fun.Finally_raised Sig -> ()
      | exn -> check ("an interrupted piece raised " ^ Printexc.to_string exn) false)

(* --- runs --- *)

let one st =
  let i = ri st (Array.length scenarios) in
  let name, scenario = scenarios.(i) in
  Atomic.incr active.(i);
  (try scenario st with exn -> check (Printf.sprintf "%s raised %s" name (Printexc.to_string exn)) false);
  Atomic.incr progress;
  Atomic.decr active.(i)

let round () =
  Weft.Pool.with_pool ~domains:!now.domains @@ fun pool ->
  let from_outside st =
    Thread.create
      (without_alarms (fun () ->
           for _ = 1 to 5 do
             Weft.Pool.run pool (fun () -> one st)
           done))
      ()
  in
  let callers = if !now.signals = Raising then 0 else next () mod 3 in
  let outside = List.init callers (fun _ -> from_outside (split ())) in
  for _ = 1 to 10 do
    let mixes = List.init (1 + (next () mod 3)) (fun _ -> split ()) in
    if !now.signals = Raising then interrupted_piece pool;
    Weft.Pool.run pool (fun () -> ignore (Weft.all (List.map (fun st () -> one st) mixes)))
  done;
  List.iter Thread.join outside

let run ~seconds this =
  now := this;
  rng := Random.State.make [| this.seed |];
  let before = Atomic.get progress and until = Unix.gettimeofday () +. seconds in
  let watched_round () = Testing.Watchdog.guard (this_run ()) round in
  with_signals (fun () ->
      watched_round ();
      while Unix.gettimeofday () < until do
        watched_round ()
      done);
  Printf.printf "%s: %d scenarios, fails %d\n%!" (this_run ())
    (Atomic.get progress - before)
    (Atomic.get fails)

let () =
  let first = ref 1 and last = ref 1 and seconds = ref 1. and domains = ref "1,2,3,8" in
  Arg.parse
    [
      ("--first", Set_int first, "the first seed");
      ("--last", Set_int last, "the last seed");
      ("--seconds", Set_float seconds, "how long each run goes on, at least one round");
      ("--domains", Set_string domains, "numbers of domains");
    ]
    (fun arg -> raise (Arg.Bad arg))
    "random mixes of everything";
  let quiet exn _ =
    match exn with
    | Boom _ | Weft.Pool.Closed _ | Weft.Cancel.Cancelled _ | Sig -> ()
    | exn -> check ("nobody awaited " ^ Printexc.to_string exn) false
  in
  Weft.set_uncaught_handler quiet;
  Testing.Watchdog.add_report under_way;
  for seed = !first to !last do
    List.iter
      (fun n ->
        let signals = match seed mod 3 with 0 -> Off | 1 -> Raising | _ -> Handled in
        run ~seconds:!seconds { seed; domains = int_of_string n; signals })
      (String.split_on_char ',' !domains)
  done;
  check "batched additions" (Weft_batch.Counter.get batch_counter >= Atomic.get batch_total);
  exit (if Atomic.get fails > 0 then 1 else 0)
