(* Who waits for what, where and since when, while the program runs. *)

let check = Alcotest.(check int)
let is what = Alcotest.(check bool) what true
let until = Testing.Watchdog.until
let in_pool p (f : Weft.Dump.fiber) = f.pool = Weft.Pool.name p
let waiting_in p = List.filter (in_pool p) (Weft.Dump.fibers ())
let names fibers = List.map (fun (f : Weft.Dump.fiber) -> f.waits_for) fibers

(* No tail call, so that this file is in the stack. *)
let waits_in p f =
  Weft.Pool.async p (fun () ->
      f ();
      Sys.opaque_identity ())

(* Three fibers wait for a lock that the test holds, a fourth for a message. *)
let with_waiters f =
  Weft.Pool.with_pool ~name:"waiters" ~domains:2 @@ fun p ->
  let lock = Weft.Mutex.create () and messages = Weft.Chan.bounded 1 in
  Weft.Mutex.lock lock;
  let waits = waits_in p in
  let waiters = List.init 3 (fun _ -> waits (fun () -> Weft.Mutex.protect lock ignore)) in
  let receiver = waits (fun () -> Weft.Chan.recv messages) in
  until "all four wait" (fun () -> List.length (waiting_in p) = 4);
  f p;
  Weft.Mutex.unlock lock;
  Weft.Chan.send messages ();
  List.iter Weft.await (receiver :: waiters);
  until "nobody waits any more" (fun () -> (Weft.Stats.pool p).suspended = 0);
  check "nobody is listed" 0 (List.length (waiting_in p))

let listed () =
  with_waiters @@ fun p ->
  let fibers = waiting_in p in
  Alcotest.(check (list string))
    "what they wait for"
    [ "Weft.Chan.recv"; "Weft.Mutex.protect"; "Weft.Mutex.protect"; "Weft.Mutex.protect" ]
    (List.sort compare (names fibers));
  let seconds = List.map (fun (f : Weft.Dump.fiber) -> f.seconds) fibers in
  is "the longest waiting first" (seconds = List.sort (fun a b -> compare b a) seconds);
  is "where they wait"
    (List.for_all (fun (f : Weft.Dump.fiber) -> Printexc.raw_backtrace_length f.stack > 0) fibers)

let text () =
  with_waiters @@ fun _ ->
  let text = Weft.Dump.to_string () in
  let has part = is (Printf.sprintf "%S in:\n%s" part text) (Testing.Text.contains part text) in
  has "pool \"waiters\": 2 domains, ";
  has "4 fibers wait, 0 timers\n";
  has "  3 fibers wait in Weft.Mutex.protect, for ";
  has "  1 fiber waits in Weft.Chan.recv, for ";
  has "dumps.ml";
  has "calls of Weft.blocking: 0 running, 0 queued\n"

let gauges () =
  with_waiters @@ fun p ->
  let stats = Weft.Stats.pool p in
  Alcotest.(check (list (pair string int)))
    "by operation"
    [ ("Weft.Mutex.protect", 3); ("Weft.Chan.recv", 1) ]
    stats.waiting;
  check "in all" 4 stats.suspended;
  let text = Weft.Stats.to_prometheus ~pools:[ stats ] () in
  let has line =
    is (Printf.sprintf "%S in:\n%s" line text) (List.mem line (String.split_on_char '\n' text))
  in
  has {|weft_pool_suspended_fibers{pool="waiters"} 4|};
  has {|weft_pool_waiting_fibers{pool="waiters",operation="Weft.Mutex.protect"} 3|}

(* Whatever the machine does, the wait has lasted for so long at least, and at most. *)
let since_when () =
  Weft.Pool.with_pool ~domains:1 @@ fun p ->
  let promise = Weft.Promise.create () in
  let before = Weft.now () in
  let waiter = Weft.Pool.async p (fun () -> Weft.await promise) in
  until "it waits" (fun () -> waiting_in p <> []);
  let waits = Weft.now () in
  Unix.sleepf 0.05;
  let least = Weft.now () -. waits in
  match waiting_in p with
  | [ f ] ->
      let most = Weft.now () -. before in
      is (Printf.sprintf "%g s, of at least %g" f.seconds least) (f.seconds > 0.9 *. least);
      is (Printf.sprintf "%g s, of at most %g" f.seconds most) (f.seconds < (1.1 *. most) +. 0.001);
      Weft.Promise.resolve promise ();
      Weft.await waiter
  | fibers -> Alcotest.failf "%d fibers wait" (List.length fibers)

let queued () =
  Weft.Pool.with_pool ~domains:1 @@ fun p ->
  let queued () = (Weft.Stats.pool p).queued in
  let runs = Atomic.make false and over = Atomic.make false in
  let hog () =
    let own = List.init 3 (fun _ -> Weft.async ignore) in
    Atomic.set runs true;
    while not (Atomic.get over) do
      Domain.cpu_relax ()
    done;
    List.iter Weft.await own
  in
  let hog = Weft.Pool.async p hog in
  until "it runs" (fun () -> Atomic.get runs);
  let others = List.init 5 (fun _ -> Weft.Pool.async p ignore) in
  check "its own and the pool's" 8 (queued ());
  Atomic.set over true;
  List.iter Weft.await (hog :: others);
  until "the queues are empty" (fun () -> queued () = 0)

let timers () =
  Weft.Pool.with_pool ~domains:1 @@ fun p ->
  let messages = Weft.Chan.unbounded () in
  let waiters = List.init 3 (fun _ -> Weft.Pool.async p (fun () -> Weft.Chan.recv ~timeout:1e6 messages)) in
  until "three timers" (fun () -> (Weft.Stats.pool p).timers = 3);
  List.iter (Weft.Chan.send messages) [ (); (); () ];
  List.iter Weft.await waiters;
  check "none" 0 (Weft.Stats.pool p).timers

let blocking_calls () =
  let limit = Weft_scheduler.Blocking.limit () in
  Weft_scheduler.Blocking.set_limit 1;
  Fun.protect ~finally:(fun () -> Weft_scheduler.Blocking.set_limit limit) @@ fun () ->
  Weft.Pool.with_pool ~domains:1 @@ fun p ->
  let lock = Mutex.create () in
  Mutex.lock lock;
  let call () = Weft.blocking (fun () -> Mutex.protect lock ignore) in
  let calls = List.init 3 (fun _ -> Weft.Pool.async p call) in
  until "one runs, two are queued" (fun () -> Weft.Stats.blocking () = { running = 1; queued = 2 });
  Mutex.unlock lock;
  List.iter Weft.await calls;
  until "none" (fun () -> Weft.Stats.blocking () = { running = 0; queued = 0 })

(* What a timer or a sender left to a thread that reads a stack is done before a pool's closing takes the other
   fibers for stuck. *)
let closing_meanwhile () =
  let over = Atomic.make false in
  let dump () =
    while not (Atomic.get over) do
      ignore (Weft.Dump.fibers () : Weft.Dump.fiber list)
    done
  in
  let dumps = List.init 3 (fun _ -> Domain.spawn dump) in
  Fun.protect ~finally:(fun () ->
      Atomic.set over true;
      List.iter Domain.join dumps)
  @@ fun () ->
  for _ = 1 to Testing.Effort.count ~quick:20 ~usual:60 ~long:600 do
    let p = Weft.Pool.create ~domains:2 () in
    let message i =
      let chan = Weft.Chan.bounded 1 in
      let send () =
        Weft.sleep (0.0003 +. (float i *. 1e-6));
        Weft.Chan.send chan ()
      in
      [ Weft.Pool.async p (fun () -> Weft.Chan.recv chan); Weft.Pool.async p send ]
    in
    let fibers = List.concat (List.init 8 message) in
    Weft.Pool.close p;
    List.iter Weft.await fibers
  done

(* A worker that looks for a deadlock while a dump reads a stack finds none; it has to look again. *)
let deadlocks_meanwhile () =
  let over = Atomic.make false in
  let dump () =
    while not (Atomic.get over) do
      ignore (Weft.Dump.fibers () : Weft.Dump.fiber list);
      Domain.cpu_relax ()
    done
  in
  let dumps = Domain.spawn dump in
  Fun.protect ~finally:(fun () ->
      Atomic.set over true;
      Domain.join dumps)
  @@ fun () ->
  Weft_scheduler.Deadlock.with_detection Always @@ fun () ->
  for domains = 1 to 3 do
    for _ = 1 to Testing.Effort.count ~quick:5 ~usual:20 ~long:200 do
      let work () = Weft.await (Weft.async (fun () -> Weft.Chan.recv (Weft.Chan.bounded 1))) in
      match Weft.run ~domains work with
      | () -> Alcotest.fail "received"
      | exception Weft.Deadlock.Deadlock _ -> ()
    done
  done

(* Fibers are resumed while their stacks are read; none is lost, none goes on twice. They ask and answer until
   some have been read. *)
let read_while_resumed () =
  Weft.Pool.with_pool ~domains:2 @@ fun p ->
  let rounds = 2_000 and read = Atomic.make 0 and over = -1 in
  let pair () =
    let there = Weft.Mvar.create () and back = Weft.Mvar.create () in
    let rec answers () =
      let asked = Weft.Mvar.take there in
      if asked <> over then begin
        Weft.Mvar.put back (asked + 1);
        answers ()
      end
    and asks i =
      if i <= rounds || Atomic.get read = 0 then begin
        Weft.Mvar.put there i;
        if Weft.Mvar.take back <> i + 1 then Alcotest.fail "another answer";
        asks (i + 1)
      end
    in
    let asks () = Fun.protect (fun () -> asks 1) ~finally:(fun () -> Weft.Mvar.put there over) in
    [ Weft.Pool.async p answers; Weft.Pool.async p asks ]
  in
  let all = List.concat (List.init 4 (fun _ -> pair ())) in
  while not (List.for_all Weft.Promise.is_settled all) do
    Atomic.set read (Atomic.get read + List.length (waiting_in p))
  done;
  List.iter Weft.await all

(* The signal asks for a dump, and standard error is [fd], which is closed at the end. *)
let with_handler fd f =
  let before = Unix.dup ~cloexec:true Unix.stderr in
  Weft.Dump.at_signal Sys.sigusr1;
  Unix.dup2 fd Unix.stderr;
  let finally () =
    Unix.dup2 before Unix.stderr;
    Sys.set_signal Sys.sigusr1 Signal_default;
    Unix.close before;
    Unix.close fd
  in
  Fun.protect ~finally f

let by_signal () =
  with_waiters @@ fun _ ->
  Testing.Child.with_temp_file @@ fun file ->
  with_handler
    (Unix.openfile file [ O_WRONLY; O_APPEND ] 0)
    (fun () ->
      Unix.kill (Unix.getpid ()) Sys.sigusr1;
      until "the text" (fun () ->
          Testing.Text.contains "running, 0 queued\n" (In_channel.with_open_bin file In_channel.input_all)))

(* What the channel still holds is for nobody. *)
let drop_what_is_left () =
  let nowhere = Unix.openfile Filename.null [ O_WRONLY; O_CLOEXEC ] 0 in
  Unix.dup2 nowhere Unix.stderr;
  Unix.close nowhere;
  flush stderr

(* [fd] cannot be written: the handler is called, twice, and the computation goes on. [Weft.dump] raises.
   Alcotest writes to standard error itself: nothing is checked before that is as it was. *)
let goes_on fd =
  let called = Atomic.make 0 in
  let computation () =
    let promise = Weft.Promise.create () in
    let waiter = Weft.async (fun () -> Weft.await promise) in
    for i = 1 to 2 do
      Unix.kill (Unix.getpid ()) Sys.sigusr1;
      while Atomic.get called < i do
        Weft.yield ()
      done
    done;
    Weft.Promise.resolve promise 42;
    Weft.await waiter
  in
  let result, raised =
    with_handler fd @@ fun () ->
    Fun.protect ~finally:drop_what_is_left @@ fun () ->
    let handler =
      match Sys.signal Sys.sigusr1 Signal_ignore with Signal_handle h -> h | _ -> assert false
    in
    let handle signal =
      handler signal;
      Atomic.incr called
    in
    Sys.set_signal Sys.sigusr1 (Signal_handle handle);
    let result = try Ok (Weft.run computation) with exn -> Error (Printexc.to_string exn) in
    (result, match Weft.dump () with () -> false | exception Sys_error _ -> true)
  in
  Alcotest.(check (result int string)) "the computation's result" (Ok 42) result;
  is "Weft.dump raises" raised

let closed () = goes_on (Unix.openfile Filename.null [ O_RDONLY; O_CLOEXEC ] 0)

let broken_pipe () =
  let before = Sys.signal Sys.sigpipe Signal_ignore in
  Fun.protect ~finally:(fun () -> Sys.set_signal Sys.sigpipe before) @@ fun () ->
  let reader, writer = Unix.pipe ~cloexec:true () in
  Unix.close reader;
  goes_on writer

(* Not every system has it. *)
let full () =
  let full = "/dev/full" in
  if Sys.file_exists full then goes_on (Unix.openfile full [ O_WRONLY; O_CLOEXEC ] 0)

(* Of two fibers that have waited about as long, one duration is told. *)
let durations () =
  let is = Alcotest.(check string) in
  is "two" "12.1 s to 300 ms" (Weft.Dump.Private.durations ~longest:12.1 ~shortest:0.3);
  is "two that print the same" "248 ms" (Weft.Dump.Private.durations ~longest:0.2484 ~shortest:0.2476)

let test = Clocked.test

let tests =
  [
    test "who waits for what, and where" listed;
    test "the text" text;
    test "fibers that wait, by operation" gauges;
    test "since when" since_when;
    test "jobs in the queues" queued;
    test "pending timers" timers;
    test "blocking calls, running and queued" blocking_calls;
    test "a fiber that is resumed while its stack is read goes on once" read_while_resumed;
    test "a pool that is closed meanwhile ends no fiber that can go on" closing_meanwhile;
    test "a deadlock is found all the same" deadlocks_meanwhile;
    test "a signal asks for it" by_signal;
    test "a standard error that is not open ends no computation" closed;
    test "one that nobody reads, either" broken_pipe;
    test "a full disk, either" full;
    test "durations that print the same are one" durations;
  ]
