(* One small program for each promise; the argument names it. *)

let rec fib n =
  if n < 2 then n
  else
    let a, b = Weft.par (fun () -> fib (n - 1)) (fun () -> fib (n - 2)) in
    a + b

let print_fib () = Printf.printf "%d\n%!" (fib 20)
let sleep_for_an_hour () = Weft.blocking (fun () -> Unix.sleepf 3600.)

let waits_until_cancelled () =
  Fun.protect (fun () -> Weft.await (Weft.Promise.create ())) ~finally:(fun () -> print_endline "cancelled")

(* Never polls. *)
let spin () =
  while true do
    Domain.cpu_relax ()
  done

(* --- a worker for which there is no domain --- *)

(* Without a time limit: the test that runs this program watches it. *)
let until condition wait =
  while not (condition ()) do
    wait ()
  done

let pause () = Thread.delay 0.01

(* The largest number of calls that run at once; each of several pools makes 20. They end when all have
   been made, and as many run as may. *)
let most_at_once () =
  let calls = 20 in
  let expected = Int.min calls (Weft_scheduler.Blocking.limit ()) in
  let in_pool domains =
    let running = Atomic.make 0 and most = Atomic.make 0 and all_made = Atomic.make false in
    let rec note n =
      let was = Atomic.get most in
      if n > was && not (Atomic.compare_and_set most was n) then note n
    in
    let may_end () =
      if Weft_scheduler.Blocking.in_progress () = calls then Atomic.set all_made true;
      Atomic.get all_made && Atomic.get most >= expected
    in
    let call () =
      note (1 + Atomic.fetch_and_add running 1);
      until may_end pause;
      (* One too many may begin now. *)
      pause ();
      Atomic.decr running
    in
    ignore (Weft.run ~domains (fun () -> Weft.all (List.init calls (fun _ () -> Weft.blocking call))));
    Atomic.get most
  in
  List.fold_left (fun most domains -> Int.max most (in_pool domains)) 0 [ 1; 2; 3 ]

let works () = ignore (Sys.opaque_identity (fib 15))

(* Holds a domain until [go]. The domain of a retired worker may be about to end. *)
let rec hold go =
  let until_go () =
    while not (Atomic.get go) do
      pause ()
    done
  in
  try Domain.spawn until_go
  with Failure _ ->
    pause ();
    hold go

(* The pool's own workers have retired; those that come from now on stay for [patience] seconds. And one
   domain fewer than they need is available: somebody else holds it until it is given back. *)
let in_pool_of n ~patience f =
  Atomic.set Weft_scheduler.Worker_thread.keep_alive Weft_scheduler.Idle_period.none;
  Weft_scheduler.Processors.assume (Some n);
  let pool = Weft.Pool.create ~name:"late" ~domains:n () in
  let parts = (Option.get (Weft_scheduler.Pool_state.find "late")).parts in
  (* All workers have started and retired: one that started later would still have read the old patience. *)
  let has_retired (w : Weft_scheduler.Worker.t) = w.index = 0 || w.sleeper.is_retired in
  until (fun () -> Array.for_all has_retired parts.workers) pause;
  Atomic.set Weft_scheduler.Worker_thread.keep_alive { least = patience; most = patience };
  let go = Atomic.make false in
  let holder = hold go in
  let give_back () =
    Atomic.set go true;
    Domain.join holder
  in
  let result = f pool parts ~give_back in
  Weft.Pool.close pool;
  Printf.printf "%b\n" result

(* Jobs that neither fork nor wake a worker: enough for ten minutes, and they end at once when the worker
   is there. The domain is given back when 100 have run. *)
let worker_comes_late () =
  in_pool_of 2 ~patience:0. @@ fun pool _ ~give_back ->
  Weft.Pool.run pool @@ fun () ->
  let here = Domain.self () and elsewhere = Atomic.make 0 in
  let early = Atomic.make false and ran = Atomic.make 0 in
  let all_ran = Weft.Promise.create () in
  let most = 300_000 in
  let job () =
    if Domain.self () <> here then Atomic.incr elsewhere;
    let until = Weft.now () +. 0.002 in
    while Atomic.get elsewhere = 0 && Weft.now () < until do
      Domain.cpu_relax ()
    done;
    match 1 + Atomic.fetch_and_add ran 1 with
    | 100 ->
        Atomic.set early (Atomic.get elsewhere > 0);
        give_back ()
    | n -> if n = most then Weft.Promise.resolve all_ran ()
  in
  for _ = 1 to most do
    ignore (Weft.Pool.async pool job : unit Weft.promise)
  done;
  Weft.await all_ran;
  Atomic.get elsewhere > 0 && not (Atomic.get early)

(* One of two workers comes and waits, with nothing to do, as long as the program runs. *)
let idle_without_a_domain () =
  in_pool_of 3 ~patience:3600. @@ fun pool parts ~give_back ->
  ( Weft.Pool.run pool @@ fun () ->
    let here = Domain.self () in
    let begun = Atomic.make false and ends = Atomic.make false in
    let computes () =
      (* The domain of the caller, which may get the task when this fiber gives way, must go on. *)
      if Domain.self () <> here then begin
        Atomic.set begun true;
        while not (Atomic.get ends) do
          Domain.cpu_relax ()
        done
      end
    in
    let tasks = ref [] in
    let start task = tasks := Weft.Pool.async pool task :: !tasks in
    until
      (fun () -> Atomic.get begun)
      (fun () ->
        start computes;
        works ());
    start ignore;
    until (fun () -> Weft_scheduler.Sleep.nobody_comes parts.sleepers) works;
    Atomic.set ends true;
    List.iter Weft.await !tasks );
  let parks () =
    Array.fold_left (fun n (w : Weft_scheduler.Worker.t) -> n + w.sleeper.counts.parks) 0 parts.workers
  in
  let waits (w : Weft_scheduler.Worker.t) = w.sleeper.status = Idle && not w.sleeper.is_retired in
  until (fun () -> Array.exists waits parts.workers) pause;
  let before = parks () in
  (* A worker that looks for work again and again does so hundreds of times in this time. *)
  Thread.delay 0.3;
  let more = parks () - before in
  let is_there = Weft.Pool.present pool = 1 in
  give_back ();
  is_there && more <= 5

(* --- deadlocks --- *)

(* Prints the result of [f], or at a deadlock what the fibers wait for. *)
let tell_deadlock f =
  match f () with
  | n -> Printf.printf "%d\n" n
  | exception Weft.Deadlock.Deadlock { fibers; pool = _ } ->
      let waits = List.map (fun (f : Weft.Deadlock.fiber) -> f.waits_for) fibers in
      Printf.printf "deadlock: %s\n" (String.concat ", " (List.sort compare waits))

let never () = Weft.Promise.create ()

(* The number of repetitions: the second argument. *)
let rounds () = int_of_string Sys.argv.(2)

(* Each receives first what the other sends afterwards. *)
let crosswise () =
  let a = Weft.Chan.bounded 1 and b = Weft.Chan.bounded 1 in
  let pass_on ~from ~into () =
    let n = Weft.Chan.recv from in
    Weft.Chan.send into n;
    n
  in
  let m, n = Weft.par (pass_on ~from:a ~into:b) (pass_on ~from:b ~into:a) in
  m + n

(* Fibers of several kinds wait for several things; their finalisers run. *)
let all_wait () =
  let finalised = Atomic.make 0 in
  let finally () = Atomic.incr finalised in
  let waits f () = Fun.protect ~finally f in
  let mutex = Weft.Mutex.create () in
  tell_deadlock (fun () ->
      Weft.run (fun () ->
          Weft.Mutex.lock mutex;
          Weft.Scope.run (fun s ->
              let start f = ignore (Weft.Scope.async s (waits f)) in
              start (fun () -> ignore (crosswise ()));
              start (fun () -> Weft.await (never ()));
              start (fun () -> Weft.Chan.send (Weft.Chan.bounded 0) ());
              start (fun () -> Weft.Mutex.lock mutex));
          0));
  Printf.printf "%d finalised\n" (Atomic.get finalised)

(* [resolver] gets a function that resolves the promise later. *)
let resolved resolver =
  tell_deadlock (fun () ->
      Weft.run (fun () ->
          let news = Weft.Promise.create () in
          resolver (fun () -> Weft.Promise.resolve news 5);
          Weft.await news))

let by_thread resolve =
  ignore
    (Thread.create
       (fun () ->
         Thread.delay 0.2;
         resolve ())
       ())

let by_signal resolve =
  Sys.set_signal Sys.sigalrm (Signal_handle (fun _ -> resolve ()));
  ignore (Unix.setitimer Unix.ITIMER_REAL { it_interval = 0.; it_value = 0.2 })

let in_a_fiber wait resolve =
  let task () =
    wait ();
    resolve ()
  in
  ignore (Weft.async task)

(* For the default pool and one of four domains: the number of domains, and how many may work at once. *)
let sizes () =
  let print pool = Printf.printf "%d %d\n" (Weft.Pool.domains pool) (Weft.Pool.room pool) in
  Printf.printf "%d\n" (Weft.Pool.default_domains ());
  print (Weft.Pool.default ());
  Weft.Pool.with_pool ~domains:4 print

(* Interrupts [f pool]: a thread other than the one to be interrupted prints that it is ready once [state
   pool] holds. *)
let interrupted ~domains ~state f =
  Sys.catch_break true;
  let pool = Weft.Pool.create ~name:"interrupted" ~domains () in
  let parts = (Option.get (Weft_scheduler.Pool_state.find "interrupted")).parts in
  let tell () =
    ignore (Thread.sigmask SIG_BLOCK [ Sys.sigint ]);
    until (fun () -> state parts) pause;
    print_endline "ready"
  in
  let teller = Thread.create tell () in
  match Weft.Pool.run pool f with
  | () -> ()
  | exception Sys.Break ->
      Thread.join teller;
      print_endline "interrupted";
      exit 9

(* A domain of the program's own runs the handler before the domain is set up. *)
let signals_in_new_domains () =
  let received = Atomic.make 0 in
  Sys.set_signal Sys.sigusr1 (Signal_handle (fun _ -> Atomic.incr received));
  Weft.run ignore;
  let command = Printf.sprintf "while kill -USR1 %d 2>/dev/null; do :; done" (Unix.getpid ()) in
  let sender = Unix.create_process "sh" [| "sh"; "-c"; command |] Unix.stdin Unix.stdout Unix.stderr in
  for _ = 1 to rounds () do
    Domain.join (Domain.spawn ignore)
  done;
  until (fun () -> Atomic.get received > 0) pause;
  Unix.kill sender Sys.sigkill;
  print_endline "ended"

(* A task that has failed, and a promise that nobody awaits. *)
let forgotten () =
  Weft.exit_on_uncaught 3;
  Domain.at_exit (fun () -> print_endline "the domain's at_exit");
  let p = Weft.async (fun () -> assert (Sys.opaque_identity false)) in
  while not (Weft.Promise.is_settled p) do
    Weft.yield ()
  done;
  print_endline "main ends"

let programs =
  [
    ("signals-in-new-domains", signals_in_new_domains);
    ("deadlock-crosswise", fun () -> tell_deadlock (fun () -> Weft.run crosswise));
    ("deadlock-promise", fun () -> tell_deadlock (fun () -> Weft.run (fun () -> Weft.await (never ()))));
    ("deadlock-many", all_wait);
    ("deadlock-uncaught", fun () -> Weft.run (fun () -> ignore (crosswise ())));
    ("resolved-by-thread", fun () -> resolved by_thread);
    ("resolved-by-signal", fun () -> resolved by_signal);
    ("resolved-by-timer", fun () -> resolved (in_a_fiber (fun () -> Weft.sleep 0.2)));
    ( "resolved-by-blocking",
      fun () -> resolved (in_a_fiber (fun () -> Weft.blocking (fun () -> Unix.sleepf 0.2))) );
    ( "resolved-as-announced",
      fun () ->
        Weft.Deadlock.set_detection Always;
        Weft.Deadlock.expect (fun () -> resolved by_thread);
        (* The wait is not announced with [expect]. *)
        tell_deadlock (fun () -> Weft.run (fun () -> Weft.await (never ()))) );
    ( "timed-out",
      fun () ->
        let wait () = Weft.Cancel.with_timeout 0.2 (fun () -> Weft.await (never ())) in
        tell_deadlock (fun () ->
            try Weft.run wait
            with Weft.Cancel.Timeout ->
              print_string "timed out, ";
              5) );
    ( "undetected",
      fun () ->
        Weft.Deadlock.set_detection Never;
        resolved (fun resolve ->
            by_thread (fun () ->
                print_endline "still waits";
                resolve ())) );
    ("fib", print_fib);
    ("sizes", sizes);
    ("domains", fun () -> Printf.printf "%d\n" (Weft.Pool.default_domains ()));
    ( "unawaited",
      fun () ->
        let p = Weft.async (fun () -> raise (Failure "forgotten")) in
        while not (Weft.Promise.is_settled p) do
          Weft.yield ()
        done;
        print_endline "main ends" );
    ("uncaught-code", fun () -> forgotten ());
    ( "uncaught-code-awaited",
      fun () ->
        Weft.exit_on_uncaught 3;
        match Weft.await (Weft.async (fun () -> failwith "seen")) with
        | () -> ()
        | exception Failure _ -> print_endline "main ends" );
    ( "uncaught-code-exit",
      fun () ->
        forgotten ();
        exit 1 );
    ( "uncaught-code-raise",
      fun () ->
        forgotten ();
        failwith "main fails" );
    ( "uncaught-code-at-exit",
      fun () ->
        at_exit (fun () ->
            print_endline "the program's at_exit";
            forgotten ()) );
    ( "uncaught-code-own",
      fun () ->
        Weft.set_uncaught_handler (fun _ _ -> ());
        forgotten () );
    ( "uncaught-code-default",
      fun () ->
        let before = Weft.uncaught_handler () in
        Weft.set_uncaught_handler (fun exn backtrace ->
            print_endline "the program's handler";
            before exn backtrace);
        forgotten () );
    ( "uncaught-code-off",
      fun () ->
        forgotten ();
        Weft.exit_on_uncaught 0 );
    ( "exit-while-busy",
      fun () ->
        ignore
          (Weft.async (fun () ->
               while true do
                 Weft.yield ()
               done));
        print_fib () );
    ( "exit-in-task",
      fun () ->
        Weft.run (fun () ->
            let (), () = Weft.par (fun () -> exit 7) (fun () -> Unix.sleepf 0.01) in
            ()) );
    ( "exit-in-worker",
      fun () ->
        Weft.run ~domains:3 (fun () ->
            ignore
              (Weft.all
                 (List.init 6 (fun i () ->
                      Unix.sleepf 0.02;
                      if i = 5 then exit 8)))) );
    ("uncaught-in-main", fun () -> Weft.run (fun () -> failwith "seen by main"));
    ( "spawn-limit",
      fun () ->
        (* More domains than the runtime allows: several pools share the available ones, and keep them
           until they are closed. *)
        Atomic.set Weft_scheduler.Worker_thread.keep_alive { least = 3600.; most = 3600. };
        let pools = List.init 3 (fun _ -> Weft.Pool.create ~domains:3 ()) in
        List.iter (fun p -> Printf.printf "%d " (Weft.Pool.run p (fun () -> fib 12))) pools;
        let detached = List.map (fun p -> Weft.Pool.async p (fun () -> fib 10)) pools in
        List.iter (fun p -> Printf.printf "%d " (Weft.await p)) detached;
        List.iter Weft.Pool.close pools;
        Printf.printf "%d\n" (Weft.run ~domains:2 (fun () -> Weft.run ~domains:2 (fun () -> fib 12))) );
    ( "interrupt",
      fun () ->
        let waits (parts : Weft_scheduler.Worker.parts) =
          Array.exists (fun (w : Weft_scheduler.Worker.t) -> w.suspensions > 0) parts.workers
        in
        interrupted ~domains:3 ~state:waits (fun () -> Weft.await (never ())) );
    ( "interrupt-busy",
      fun () ->
        let busy = Atomic.make false in
        interrupted ~domains:2
          ~state:(fun _ -> Atomic.get busy)
          (fun () ->
            Atomic.set busy true;
            while true do
              ignore (fib 15)
            done) );
    ("blocking-most", fun () -> Printf.printf "%d\n" (most_at_once ()));
    ( "blocking-few-domains",
      fun () ->
        let pools = List.init 2 (fun _ -> Weft.Pool.create ~domains:2 ()) in
        let sleeps () =
          List.length (Weft.all (List.init 50 (fun _ () -> Weft.blocking (fun () -> Unix.sleepf 0.2))))
        in
        let first = List.map (fun p -> Weft.Pool.async p sleeps) pools in
        Printf.printf "%d\n%!" (List.fold_left (fun sum p -> sum + Weft.await p) 0 first);
        Printf.printf "%s\n"
          (String.concat " " (List.map (fun p -> string_of_int (Weft.Pool.run p sleeps)) pools));
        List.iter Weft.Pool.close pools );
    ( "work-while-retiring",
      fun () ->
        (* There is room for one domain beside this one: while the worker's domain ends, no other can be
           started. *)
        Atomic.set Weft_scheduler.Worker_thread.keep_alive Weft_scheduler.Idle_period.none;
        let pool = Weft.Pool.create ~domains:2 () in
        let sum = ref 0 in
        for i = 1 to rounds () do
          let turns = i * 7919 mod 30_000 in
          for _ = 1 to turns do
            Domain.cpu_relax ()
          done;
          sum := !sum + Weft.await (Weft.Pool.async pool (fun () -> 1))
        done;
        Weft.Pool.close pool;
        Printf.printf "%d\n" !sum );
    ("worker-comes-late", worker_comes_late);
    ("idle-without-a-domain", idle_without_a_domain);
    ( "exit-while-blocked",
      fun () ->
        ignore (List.init 5 (fun _ -> Weft.async sleep_for_an_hour));
        while Weft_scheduler.Blocking.in_progress () < 5 do
          Weft.yield ()
        done;
        print_fib () );
    ( "exit-in-blocked-run",
      fun () ->
        ignore
          (Thread.create
             (fun () ->
               Unix.sleepf 0.2;
               exit 6)
             ());
        Weft.run sleep_for_an_hour );
    ( "blocking-deadlock",
      fun () ->
        (* Waiting for the result of a blocking call is no deadlock; waiting on after it is. *)
        let news = Weft.Promise.create () and never = Weft.Promise.create () in
        match
          Weft.run ~domains:2 (fun () ->
              let call =
                Weft.async (fun () ->
                    Weft.blocking (fun () ->
                        Unix.sleepf 0.3;
                        Weft.Promise.resolve news 5))
              in
              Printf.printf "%d\n%!" (Weft.await news);
              Weft.await call;
              Weft.blocking (fun () -> Unix.sleepf 0.01);
              Weft.await never)
        with
        | () -> ()
        | exception Weft_scheduler.Deadlock.Deadlock _ -> print_endline "deadlock" );
    ( "deadlocks",
      fun () ->
        (* Several workers may find the pool idle at the same time. *)
        let found = ref 0 in
        for _ = 1 to rounds () do
          let wait () = Weft.await (Weft.Promise.create ()) in
          match Weft.par wait wait with (), () -> () | exception Weft.Deadlock.Deadlock _ -> incr found
        done;
        Printf.printf "%d\n" !found );
    ( "deadlock-awaited",
      fun () ->
        let never = Weft.Promise.create () in
        let p = Weft.async (fun () -> Weft.await never) in
        match Weft.await p with
        | () -> ()
        | exception Weft.Deadlock.Deadlock { fibers; _ } ->
            List.iter (fun (f : Weft.Deadlock.fiber) -> print_endline f.waits_for) fibers );
    ("exit-in-blocking", fun () -> Weft.run (fun () -> Weft.blocking (fun () -> exit 7)));
    ( "interrupt-blocked",
      fun () ->
        (* A call that is still queued would be dropped at the first signal. *)
        let begun = Atomic.make false in
        let block () =
          Weft.blocking (fun () ->
              Atomic.set begun true;
              Unix.sleepf 3600.)
        in
        interrupted ~domains:2
          ~state:(fun _ -> Atomic.get begun)
          (fun () -> ignore (Weft.par waits_until_cancelled block)) );
    ( "interrupt-without-polls",
      fun () ->
        let spins = Atomic.make false in
        interrupted ~domains:1
          ~state:(fun _ -> Atomic.get spins)
          (fun () ->
            Atomic.set spins true;
            spin ()) );
    ( "interrupt-in-finaliser",
      fun () ->
        (* A second worker would poll. *)
        interrupted ~domains:1
          ~state:(fun parts -> not (Weft_scheduler.Suspended_fibers.is_empty parts.home.suspended))
          (fun () -> Fun.protect waits_until_cancelled ~finally:spin) );
    ( "own-threads",
      fun () ->
        ignore (most_at_once ());
        ignore (Weft.run ~domains:1 (fun () -> Weft.run ~domains:3 (fun () -> fib 10)));
        let p = Weft.Pool.create ~domains:1 () in
        Weft.await (Weft.Pool.async p (fun () -> Weft.blocking ignore));
        let q = Weft.Pool.create ~domains:2 () in
        Weft.Pool.run q (fun () -> Weft.Pool.close p);
        Weft.Pool.close q;
        while not (Weft_platform.Runtime_threads.all_have_numbers ()) do
          pause ()
        done;
        let next = Thread.id (Thread.create ignore ()) in
        Printf.printf "%d\n" (next - Weft_platform.Runtime_threads.count ()) );
    ( "create-process",
      fun () ->
        ignore (Weft.run (fun () -> fib 10));
        let pid = Unix.create_process "true" [| "true" |] Unix.stdin Unix.stdout Unix.stderr in
        match Unix.waitpid [] pid with _, WEXITED 0 -> print_endline "started" | _ -> print_endline "failed"
    );
  ]

let () = (List.assoc Sys.argv.(1) programs) ()
