(** Ownership goes on, wherever a signal handler's exception comes: at each safepoint, one after the other, of
    who hands a structure over, of who waits for it, and of who closes a pool that waits for it. *)

open Support
open Injected

let interrupted_at again k f = Injected.at ~but:"Subject" ~again k f

(* Each safepoint; in a quick run, one of five. *)
let at_each attempt = Injected.at_each ~step:(Testing.Effort.count ~quick:13 ~usual:1 ~long:1) attempt

let wait_until what ~k holds =
  if not (holds ()) then
    Testing.Watchdog.until (Printf.sprintf "interrupted at safepoint %d: %s" k what) holds

(* Who has got so far that it is about to call, has likely called then; the verdicts are the same if not. *)
let settle () = Thread.delay 0.002

(* Some that call one after the other while [hold] has the structure: threads, or fibers of a pool. *)
type callers = { begun : int Atomic.t; ended : int Atomic.t; mutable expected : int }

let callers () = { begun = Atomic.make 0; ended = Atomic.make 0; expected = 0 }

let calling c f () =
  Atomic.incr c.begun;
  (try f () with Interrupted | Weft.Pool.Closed _ -> ());
  Atomic.incr c.ended

let start_one c spawn f =
  c.expected <- c.expected + 1;
  let before = c.expected in
  spawn (calling c f);
  wait_until "a caller begins" ~k:0 (fun () -> Atomic.get c.begun = before);
  settle ()

let in_thread f = ignore (Thread.create f () : Thread.t)
let in_pool p f = ignore (Weft.Pool.async p f : unit Weft.promise)

let all_return b c ~k =
  wait_until (Printf.sprintf "all of %d callers have returned" c.expected) ~k (fun () ->
      Atomic.get c.ended = c.expected);
  let quiet = Atomic.make false in
  in_thread (fun () ->
      B.quiesce b;
      Atomic.set quiet true);
  wait_until "nobody has it" ~k (fun () -> Atomic.get quiet)

let add b () = ignore (B.exec b (Subject.Add 1) : int)

(* The holder is a thread; it is interrupted from the end of its operation on. *)
let who_hands_over line_up again () =
  at_each @@ fun k ->
  let b = B.create ~cutoff:(`Fixed 2) (Subject.make ()) in
  let held = Atomic.make false and go_on = Atomic.make false and left = Atomic.make false in
  let interrupted = Atomic.make false in
  let hold start =
    Atomic.set held true;
    while not (Atomic.get go_on) do
      Thread.delay 0.0005
    done;
    start ()
  in
  in_thread (fun () ->
      Atomic.set interrupted
        (interrupted_at again k (fun start -> B.exec b (Subject.Call (fun () -> hold start))));
      Atomic.set left true);
  wait_until "it is held" ~k (fun () -> Atomic.get held);
  let c = callers () in
  let check_sum = line_up b c in
  Atomic.set go_on true;
  wait_until "the holder has left" ~k (fun () -> Atomic.get left);
  all_return b c ~k;
  check_sum (B.exec b Subject.Get);
  Atomic.get interrupted

let sum_is expected got = check_int "sum" expected got

let threads b c =
  for _ = 1 to 3 do
    start_one c in_thread (add b)
  done;
  sum_is 3

let threads_that_want_turns b c =
  start_one c in_thread (fun () -> B.quiesce b);
  start_one c in_thread (add b);
  start_one c in_thread (fun () -> B.quiesce b);
  start_one c in_thread (add b);
  sum_is 2

let fibers pool b c =
  start_one c in_thread (add b);
  for _ = 1 to 3 do
    start_one c (in_pool pool) (add b)
  done;
  start_one c in_thread (add b);
  sum_is 5

let fibers_that_want_turns pool b c =
  start_one c (in_pool pool) (fun () -> B.quiesce b);
  start_one c (in_pool pool) (add b);
  start_one c (in_pool pool) (fun () -> B.exclusive b (fun s -> s.value <- s.value + 1));
  start_one c in_thread (add b);
  sum_is 3

(* The calling thread lines up, and a signal takes it away. *)
let given_up f =
  try
    Interruptions.with_alarms ~every:0.001 (fun start ->
        start ();
        f ())
  with Interruptions.Alarm | Interrupted -> ()

(* They may have been taken away before they were in line. *)
let threads_that_have_given_up ~were_in_line b c =
  given_up (add b);
  given_up (fun () -> B.quiesce b);
  given_up (add b);
  let third = Atomic.make 0 in
  start_one c in_thread (fun () ->
      add b ();
      Atomic.set third 1);
  fun got ->
    (* The holder makes the batches of those that are not there any more, and its exception may end the third's operation, which is told so. *)
    let least = Atomic.get third in
    if not (least <= got && got <= 3) then Alcotest.failf "sum: expected %d to 3, got %d" least got;
    if got = 3 then incr were_in_line

(* Somebody has it meanwhile; the one who is interrupted is a thread in line, from before it calls. *)
let who_waits ~behind call again () =
  at_each @@ fun k ->
  let b = B.create ~cutoff:(`Fixed 2) (Subject.make ()) in
  let held = Atomic.make false and go_on = Atomic.make false in
  let hold () =
    Atomic.set held true;
    while not (Atomic.get go_on) do
      Thread.delay 0.0005
    done
  in
  let c = callers () in
  start_one c in_thread (fun () -> B.exec b (Subject.Call hold));
  wait_until "it is held" ~k (fun () -> Atomic.get held);
  let interrupted = Atomic.make false in
  start_one c in_thread (fun () ->
      Atomic.set interrupted
        (interrupted_at again k (fun start ->
             start ();
             call b)));
  List.iter (fun f -> start_one c in_thread (fun () -> f b)) behind;
  Atomic.set go_on true;
  all_return b c ~k;
  Atomic.get interrupted

(* The waits of its fibers are ended, those of others are not. One safepoint of seven: all would take half a minute. *)
let who_closes_a_pool other again () =
  Injected.at_each ~step:(Testing.Effort.count ~quick:97 ~usual:7 ~long:7) @@ fun k ->
  let b = B.create ~cutoff:(`Fixed 2) (Subject.make ()) in
  let held = Atomic.make false and go_on = Atomic.make false in
  let hold () =
    Atomic.set held true;
    while not (Atomic.get go_on) do
      Thread.delay 0.0005
    done
  in
  let c = callers () in
  start_one c in_thread (fun () -> B.exec b (Subject.Call hold));
  wait_until "it is held" ~k (fun () -> Atomic.get held);
  let p = Weft.Pool.create ~domains:1 () in
  let counted f () =
    f ();
    ignore (B.exec b (Subject.Add 100) : int)
  in
  start_one c (in_pool other) (add b);
  start_one c (in_pool p) (counted (fun () -> ()));
  start_one c (in_pool p) (counted (fun () -> B.quiesce b));
  start_one c (in_pool other) (add b);
  start_one c in_thread (add b);
  let interrupted =
    interrupted_at again k (fun start ->
        start ();
        Weft.Pool.close p)
  in
  Weft.Pool.close p;
  Atomic.set go_on true;
  all_return b c ~k;
  check_int "sum" 3 (B.exec b Subject.Get);
  interrupted

(* All of them fibers, on the calling thread: it hands over, serves, tells, and lines up. *)
let fibers_of_one_pool again () =
  let p = Weft.Pool.create ~domains:1 () in
  Fun.protect ~finally:(fun () -> Weft.Pool.close p) @@ fun () ->
  at_each @@ fun k ->
  let b = B.create ~cutoff:(`Fixed 2) (Subject.make ()) in
  let c = callers () in
  let start_some () =
    List.iter
      (fun f ->
        c.expected <- c.expected + 1;
        in_pool p (calling c f))
      [
        add b;
        add b;
        add b;
        (fun () -> B.quiesce b);
        add b;
        (fun () -> B.exclusive b (fun _ -> Weft.yield ()));
        add b;
      ]
  in
  let interrupted =
    interrupted_at again k (fun start ->
        Weft.Pool.run p (fun () ->
            B.exec b
              (Subject.Call
                 (fun () ->
                   start ();
                   start_some ();
                   for _ = 1 to 10 do
                     Weft.yield ()
                   done));
            while Atomic.get c.ended < c.expected do
              Weft.yield ()
            done))
  in
  all_return b c ~k;
  check "sum" (B.exec b Subject.Get <= 5);
  interrupted

let with_pool test again () = Weft.Pool.with_pool ~domains:1 (fun p -> test p again ())

let bodies =
  [
    ("who hands over to threads", who_hands_over threads);
    ("who hands over to threads that want turns", who_hands_over threads_that_want_turns);
    ( "who hands over to threads that have given up",
      fun again () ->
        let were_in_line = ref 0 in
        (* Until they were in line when they were taken away. *)
        while !were_in_line = 0 do
          who_hands_over (threads_that_have_given_up ~were_in_line) again ()
        done );
    ("who hands over to a pool", with_pool (fun p -> who_hands_over (fibers p)));
    ( "who hands over to a pool's fibers that want turns",
      with_pool (fun p -> who_hands_over (fibers_that_want_turns p)) );
    ("a thread in line", who_waits ~behind:[ (fun b -> add b ()) ] (fun b -> add b ()));
    ("a thread in line for a turn", who_waits ~behind:[ (fun b -> add b ()) ] B.quiesce);
    ("fibers of one pool", fibers_of_one_pool);
  ]

let tests =
  let interrupted again (name, body) = case (name ^ ", " ^ Injected.name again) (body again) in
  interrupted [] ("who closes a pool that waits", with_pool who_closes_a_pool)
  :: List.concat_map (fun again -> List.map (interrupted again) bodies) [ []; [ 1 ]; [ 3 ] ]
