(** Ownership passes from a caller that leaves to those in line, threads or fibers, also if they have given up
    or their pool is closed. *)

open Support

let wait_until = Testing.Watchdog.until

(* After this delay, a thread that was about to call has probably called; the verdicts are the same if it
   has not. *)
let settle () = Thread.delay 0.002

(* Callers that call one after the other while [hold] has the structure: threads, or fibers of a pool. *)
type callers = { begun : int Atomic.t; ended : int Atomic.t; mutable expected : int }

let callers () = { begun = Atomic.make 0; ended = Atomic.make 0; expected = 0 }

let calling c f () =
  Atomic.incr c.begun;
  (try f () with Weft.Pool.Closed _ -> ());
  Atomic.incr c.ended

let start_one c spawn f =
  c.expected <- c.expected + 1;
  let before = c.expected in
  spawn (calling c f);
  wait_until "a caller begins" (fun () -> Atomic.get c.begun = before);
  settle ()

let in_thread f = ignore (Thread.create f () : Thread.t)
let in_pool p f = ignore (Weft.Pool.async p f : unit Weft.promise)

let all_return b c =
  wait_until (Printf.sprintf "all of %d callers have returned" c.expected) (fun () ->
      Atomic.get c.ended = c.expected);
  let quiet = Atomic.make false in
  in_thread (fun () ->
      B.quiesce b;
      Atomic.set quiet true);
  wait_until "nobody has it" (fun () -> Atomic.get quiet)

let add b () = ignore (B.exec b (Subject.Add 1) : int)

(* The holder is a thread. *)
let who_hands_over line_up () =
  let b = B.create ~cutoff:(`Fixed 2) (Subject.make ()) in
  held_by_a_thread b ~start:in_thread @@ fun let_go ->
  let c = callers () in
  let check_sum = line_up b c in
  let_go ();
  all_return b c;
  check_sum (B.exec b Subject.Get)

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

(* The calling thread lines up, and a signal makes it leave. *)
let given_up f =
  try
    Testing_pools.Alarms.with_alarms ~every:0.001 (fun start ->
        start ();
        f ())
  with Testing_pools.Alarms.Alarm -> ()

(* The signal may have made them leave before they were in line. *)
let threads_that_have_given_up ~were_in_line b c =
  given_up (add b);
  given_up (fun () -> B.quiesce b);
  given_up (add b);
  start_one c in_thread (add b);
  fun got ->
    if not (1 <= got && got <= 3) then Alcotest.failf "sum: expected 1 to 3, got %d" got;
    if got = 3 then incr were_in_line

(* The waits of the pool's fibers are ended; those of others are not. *)
let who_closes_a_pool other () =
  let b = B.create ~cutoff:(`Fixed 2) (Subject.make ()) in
  let c = callers () in
  held_by_a_thread b ~start:(start_one c in_thread) @@ fun let_go ->
  let p = Weft.Pool.create ~domains:1 () in
  let counted f () =
    f ();
    ignore (B.exec b (Subject.Add 100) : int)
  in
  start_one c (in_pool other) (add b);
  start_one c (in_pool p) (counted ignore);
  start_one c (in_pool p) (counted (fun () -> B.quiesce b));
  start_one c (in_pool other) (add b);
  start_one c in_thread (add b);
  Weft.Pool.close p;
  let_go ();
  all_return b c;
  check_int "sum" 3 (B.exec b Subject.Get)

(* All of them are fibers on the calling thread: it hands over, serves, tells, and lines up. *)
let fibers_of_one_pool p () =
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
  Weft.Pool.run p (fun () ->
      B.exec b
        (Subject.Call
           (fun () ->
             start_some ();
             for _ = 1 to 10 do
               Weft.yield ()
             done));
      while Atomic.get c.ended < c.expected do
        Weft.yield ()
      done);
  all_return b c;
  check_int "sum" 5 (B.exec b Subject.Get)

let with_pool test () = Weft.Pool.with_pool ~domains:1 (fun p -> test p ())

let again_and_again test () =
  for _ = 1 to Testing.Effort.count ~quick:5 ~usual:50 ~long:500 do
    test ()
  done

let tests =
  List.map
    (fun (name, test) -> case name (again_and_again test))
    [
      ("a caller that hands over to threads", who_hands_over threads);
      ("a caller that hands over to threads that want turns", who_hands_over threads_that_want_turns);
      ("a caller that hands over to a pool", with_pool (fun p -> who_hands_over (fibers p)));
      ( "a caller that hands over to a pool's fibers that want turns",
        with_pool (fun p -> who_hands_over (fibers_that_want_turns p)) );
      ("fibers of one pool", with_pool fibers_of_one_pool);
      ("a caller that closes a pool that waits", with_pool who_closes_a_pool);
    ]
  @ [
      case "a caller that hands over to threads that have given up" (fun () ->
          let were_in_line = ref 0 in
          (* Repeats until they were in line when the signal came. *)
          while !were_in_line = 0 do
            who_hands_over (threads_that_have_given_up ~were_in_line) ()
          done);
    ]
