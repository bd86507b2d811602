(* A domain of the library's own, interrupted at each safepoint of its start: either it is known, or it does not run. *)
open Weft_platform

type outcome = Runs of Runtime_threads.domain | Does_not

let case = Testing.Watchdog.case

(* Whether it was interrupted, what is known then, and whether the exception came when the domain ran already. *)
let interrupted_start ~pause ran k =
  let outcome = ref Does_not and late = ref false in
  let d = Runtime_threads.domain "a test" in
  let runs = Runs d in
  let came =
    Injected.at ~modules:"Runtime_threads.spawn" ~pause k (fun start ->
        start ();
        let raised = Runtime_threads.start d (fun () -> Atomic.incr ran) in
        outcome := runs;
        late := Option.is_some raised;
        Runtime_threads.raise_late raised)
  in
  (came, !outcome, !late)

let it_runs_or_it_does_not ~pause ~late () =
  let were_late = ref 0 in
  let attempt k =
    let ran = Atomic.make 0 in
    let came, outcome, late = interrupted_start ~pause ran k in
    if late then incr were_late;
    (match outcome with
    | Runs d ->
        Runtime_threads.join d;
        Alcotest.(check int) "it has run" 1 (Atomic.get ran)
    | Does_not ->
        (* If it has been started nevertheless, it begins soon. *)
        Thread.delay 0.01;
        if Atomic.get ran > 0 then Alcotest.failf "it is run; %s" (Injected.where ()));
    came
  in
  Injected.at_each attempt;
  if late then Alcotest.(check bool) "some came when it ran" true (!were_late > 0)

let its_exception_is_joined () =
  let d = Runtime_threads.domain "a test" in
  Runtime_threads.(raise_late (start d (fun () -> raise Exit)));
  Alcotest.check_raises "joined" Exit (fun () -> Runtime_threads.join d)

let () =
  Alcotest.run "own threads"
    [
      ( "domains",
        [
          case "an exception at its start" (it_runs_or_it_does_not ~pause:ignore ~late:false);
          case "an exception when it runs"
            (it_runs_or_it_does_not ~pause:(fun () -> Thread.delay 0.01) ~late:true);
          case "its function's exception" its_exception_is_joined;
        ] );
    ]
