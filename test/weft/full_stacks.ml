(* Operations at the very end of a stack: each is done completely, or it does nothing and raises
   [Stack_overflow]. Afterwards nobody waits for ever. *)

open Support
module Promise = Weft.Promise
module Chan = Weft.Chan
module Full_stack = Testing_pools.Full_stack

(* Calls [operation] at each depth from the end of the stack on, until there is enough room. Each call gets
   a new value from [make]. [check] is told whether the operation returned, and must end. *)
type case =
  | Case : { name : string; make : unit -> 'a; operation : 'a -> unit; check : 'a -> bool -> unit } -> case

let where = ref ""

let try_case ~outside (Case c) =
  where := c.name;
  Full_stack.at_each_room ~outside ~make:c.make ~check:c.check c.operation

let simple name operation = Case { name; make = ignore; operation; check = (fun () _ -> ()) }

(* Fibers wait; the operation lets them go on. If it has failed, [again] lets them go on. *)
let waking name make wait operation again =
  let make () =
    let x = make () in
    (x, List.init 3 (fun _ -> start_waiting (fun () -> wait x)))
  in
  let check (x, waiters) returned =
    if not returned then again x;
    List.iter Weft.await waiters
  in
  Case { name; make; operation = (fun (x, _) -> operation x); check }

let cases =
  [
    simple "a fork" (fun () -> ignore (Weft.par ignore ignore));
    simple "a fork whose left side gives way" (fun () -> ignore (Weft.par Weft.yield ignore));
    simple "a fork that fails" (fun () ->
        match Weft.par (fun () -> raise Exit) ignore with _ -> () | exception Exit -> ());
    simple "a task" (fun () -> Weft.await (Weft.async ignore));
    simple "a task that gives way" (fun () -> Weft.await (Weft.async Weft.yield));
    simple "giving way" Weft.yield;
    simple "a sleep" (fun () -> Weft.sleep 0.000_01);
    simple "a loop" (fun () -> Weft.parallel_for ~start:1 ~finish:100 ~body:ignore ());
    simple "a loop in blocks" (fun () ->
        Weft.parallel_for_blocks ~start:1 ~finish:100 ~body:(fun _ _ -> ()) ();
        ignore (Weft.parallel_for_reduce_blocks ~start:1 ~finish:100 ~body:( + ) ( + ) 0 : int));
    simple "a loop that waits" (fun () ->
        Weft.parallel_for ~start:1 ~finish:4 ~body:(fun _ -> Weft.yield ()) ());
    simple "a reduction" (fun () ->
        ignore (Weft.parallel_for_reduce ~start:1 ~finish:100 ~body:Fun.id ( + ) 0 : int));
    simple "a scope" (fun () ->
        Weft.Scope.run (fun s -> ignore (Weft.Scope.async s Weft.yield : unit Weft.promise)));
    simple "a time-out" (fun () -> Weft.Cancel.with_timeout 3600. Weft.yield);
    Case
      {
        name = "a blocking call";
        make = (fun () -> Atomic.make 0);
        operation = (fun calls -> Weft.blocking (fun () -> Atomic.incr calls));
        check =
          (fun calls returned ->
            check_int "calls in progress" 0 (Weft_scheduler.Blocking.in_progress ());
            check_int "calls made" (Bool.to_int returned) (Atomic.get calls));
      };
    waking "a promise" Promise.create Weft.await
      (fun p -> Promise.resolve p ())
      (fun p -> ignore (Promise.try_resolve p () : bool));
    waking "an ivar" Weft.Ivar.create Weft.Ivar.read
      (fun i -> Weft.Ivar.fill i ())
      (fun i -> ignore (Weft.Ivar.try_fill i () : bool));
    waking "a latch"
      (fun () -> Weft.Latch.create 1)
      Weft.Latch.wait Weft.Latch.count_down
      (fun l -> if Weft.Latch.count l > 0 then Weft.Latch.count_down l);
    Case
      {
        name = "a value that is computed once";
        make =
          (fun () ->
            let begun = Promise.create () in
            let compute () =
              ignore (Promise.try_resolve begun () : bool);
              Weft.yield ();
              Weft.yield ()
            in
            let o = Weft.Once.make compute in
            let waits () =
              Weft.await begun;
              match Weft.Once.get o with () -> () | exception Stack_overflow -> ()
            in
            (o, begun, List.init 3 (fun _ -> Weft.async waits)));
        operation = (fun (o, _, _) -> Weft.Once.get o);
        check =
          (fun (_, begun, waiters) _ ->
            ignore (Promise.try_resolve begun () : bool);
            List.iter Weft.await waiters);
      };
    waking "a closed channel"
      (fun () -> Chan.bounded 1)
      (fun c -> match Chan.recv c with () -> () | exception Chan.Closed -> ())
      Chan.close Chan.close;
    Case
      {
        name = "a semaphore";
        make =
          (fun () ->
            let s = Weft.Semaphore.create 0 in
            (s, start_waiting (fun () -> Weft.Semaphore.acquire s)));
        operation = (fun (s, _) -> Weft.Semaphore.release s);
        check =
          (fun (s, waiter) returned ->
            if not returned then Weft.Semaphore.release s;
            Weft.await waiter);
      };
    Case
      {
        name = "a message";
        make =
          (fun () ->
            let c = Chan.bounded 0 in
            (c, start_waiting (fun () -> Chan.recv c)));
        operation = (fun (c, _) -> Chan.send c 1);
        check =
          (fun (c, receiver) returned ->
            if not returned then ignore (Chan.send_poll c 2 : bool);
            check_int "received" 1 (Int.min 1 (Weft.await receiver)));
      };
  ]

(* The fiber that locks it must unlock it. *)
let owned =
  [
    waking "a mutex"
      (fun () ->
        let m = Weft.Mutex.create () in
        Weft.Mutex.lock m;
        m)
      (fun m -> Weft.Mutex.protect m ignore)
      Weft.Mutex.unlock Weft.Mutex.unlock;
  ]

module Map = Weft_batch.Avl.Make (Int)

let structure name operation =
  let make () =
    let m = Map.create () in
    Map.add_all m (Array.init 100 (fun i -> (i, ())));
    m
  in
  let check m _ =
    Map.add m 1_000 ();
    let found = ref 0 in
    Map.iter (fun _ () -> incr found) m;
    check_int "elements" (Map.length m) !found
  in
  Case { name; make; operation; check }

let structures =
  let all = Array.init 200 (fun i -> (100 + i, ())) in
  [
    structure "an operation" (fun m -> Map.add m 100 ());
    structure "a batch" (fun m -> Map.add_all m all);
    structure "operations that find the structure busy" (fun m ->
        Weft.parallel_for ~start:0 ~finish:50 ~body:(fun i -> Map.add m (200 + i) ()) ());
    (* The fiber runs them when it polls. *)
    Case
      {
        name = "timers that are due";
        make =
          (fun () ->
            let sleepers = List.init 40 (fun _ -> start_waiting (fun () -> Weft.sleep 0.000_2)) in
            let until = Weft_platform.Timer_thread.now () + 400_000 in
            while Weft_platform.Timer_thread.now () < until do
              ignore (Sys.opaque_identity 0)
            done;
            sleepers);
        operation = (fun _ -> Weft.Cancel.check ());
        check = (fun sleepers _ -> List.iter Weft.await sleepers);
      };
  ]

(* The operation is tried in each frame, when the stack has grown as far as it may. *)
let unwinding =
  let closed f = match f () with () -> () | exception (Chan.Closed | Weft.Broadcast.Closed) -> () in
  let race () =
    let p = Promise.create () in
    (p, Promise.race [ Promise.race [ p ]; Promise.any [ p ] ])
  in
  let broadcast () = Weft.Broadcast.create 4 in
  let next c = closed (fun () -> Weft.Broadcast.(recv (subscribe c))) in
  [
    waking "a promise" Promise.create Weft.await (fun p -> Promise.resolve p ()) ignore;
    waking "a race" race (fun (_, r) -> Weft.await r) (fun (p, _) -> Promise.resolve p ()) ignore;
    waking "an ivar" Weft.Ivar.create Weft.Ivar.read (fun i -> Weft.Ivar.fill i ()) ignore;
    waking "selects of an ivar" Weft.Ivar.create
      (fun i -> Weft.Select.(select [ ivar i ignore; never ]))
      (fun i -> Weft.Ivar.fill i ())
      ignore;
    waking "a latch" (fun () -> Weft.Latch.create 1) Weft.Latch.wait Weft.Latch.count_down ignore;
    waking "a channel" (fun () -> Chan.bounded 1) (fun c -> closed (fun () -> Chan.recv c)) Chan.close ignore;
    waking "a broadcast" broadcast next (fun c -> Weft.Broadcast.send c ()) ignore;
    waking "the end of a broadcast" broadcast next Weft.Broadcast.close ignore;
  ]

let callbacks_are_called () =
  let p = Promise.create () and called = ref 0 in
  for _ = 1 to 3 do
    Promise.on_settled p (fun _ -> incr called)
  done;
  let waiters = List.init 3 (fun _ -> start_waiting (fun () -> Weft.await p)) in
  Full_stack.in_each_frame (fun () -> Promise.resolve p ());
  List.iter Weft.await waiters;
  check_int "callbacks" 3 !called

let unwind domains () =
  watched (fun () -> !where) @@ fun () ->
  Full_stack.with_limit @@ fun () ->
  Weft.run ~domains (fun () ->
      let try_case (Case c) =
        where := c.name;
        let x = c.make () in
        Full_stack.in_each_frame (fun () -> c.operation x);
        c.check x true
      in
      for _ = 1 to tries 20 do
        List.iter try_case unwinding;
        callbacks_are_called ()
      done)

let run ~outside domains () =
  watched (fun () -> !where ^ ", " ^ Full_stack.where ()) @@ fun () ->
  Full_stack.with_limit @@ fun () ->
  Weft.run ~domains (fun () ->
      List.iter (try_case ~outside) (cases @ (if outside then [] else owned) @ structures))

let tests =
  List.concat_map
    (fun domains ->
      [
        case
          (Printf.sprintf "operations at the end of a stack, %d domains" domains)
          (run ~outside:false domains);
        case
          (Printf.sprintf "operations at the end of a thread's stack, %d domains" domains)
          (run ~outside:true domains);
        case (Printf.sprintf "operations while a full stack unwinds, %d domains" domains) (unwind domains);
      ])
    [ 1; 2 ]
