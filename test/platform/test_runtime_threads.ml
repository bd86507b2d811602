open Weft_platform

let case = Testing.Watchdog.case

let it_runs () =
  let d = Runtime_threads.domain "a test" and ran = Atomic.make 0 in
  Runtime_threads.start d (fun () -> Atomic.incr ran);
  Runtime_threads.join d;
  Alcotest.(check int) "it has run" 1 (Atomic.get ran)

(* The caller draws the same random numbers as without the domain. *)
let the_generator_is_the_callers () =
  let before = Random.get_state () in
  let expected = Random.State.bits (Random.State.copy before) in
  let d = Runtime_threads.domain "a test" in
  Runtime_threads.start d (fun () -> ignore (Random.bits () : int));
  Alcotest.(check int) "the next number" expected (Random.bits ());
  Runtime_threads.join d

let its_exception_is_joined () =
  let d = Runtime_threads.domain "a test" in
  Runtime_threads.start d (fun () -> raise Exit);
  Alcotest.check_raises "joined" Exit (fun () -> Runtime_threads.join d)

let () =
  Alcotest.run "runtime threads"
    [
      ( "domains",
        [
          case "its function is called" it_runs;
          case "the caller's generator" the_generator_is_the_callers;
          case "its function's exception" its_exception_is_joined;
        ] );
    ]
