open Model_check

let shown : Verifier.verdict -> string = function
  | Holds -> "Holds"
  | Violated assertion -> "Violated " ^ assertion
  | Unclear reason -> "Unclear " ^ reason

let summary ~errors =
  Printf.sprintf "State-vector 20 byte, depth reached 3, errors: %d\n       12 states, stored\n" errors

let reads name text expected =
  Alcotest.test_case name `Quick (fun () ->
      let verdict, states = expected and verdict', states' = Verifier.read_report text in
      Alcotest.(check string) "verdict" (shown verdict) (shown verdict');
      Alcotest.(check int) "states" states states')

let reports =
  [
    reads "no error is Holds" (summary ~errors:0 ^ "pan: elapsed time 0.1 seconds\n") (Holds, 12);
    reads "a growing table is no trouble"
      ("pan: resizing hashtable to -w24..  done\n" ^ summary ~errors:0)
      (Holds, 12);
    reads "a violated assertion is named"
      ("pan:1: assertion violated (task!=0) (at depth 23)\npan: wrote x.pml.trail\n" ^ summary ~errors:1)
      (Violated "(task!=0)", 12);
    reads "an error in the model is no failing mutant"
      ("pan:1: assertion violated - invalid array index (at depth 81)\n" ^ summary ~errors:1)
      (Unclear "error in the model - invalid array index", 12);
    reads "a stuck process is no failing mutant"
      ("pan:1: invalid end state (at depth 8)\n" ^ summary ~errors:1)
      (Unclear "pan:1: invalid end state (at depth 8)", 12);
    reads "a search too deep does not hold"
      ("error: max search depth too small\n" ^ summary ~errors:0)
      (Unclear "error: max search depth too small", 12);
    reads "a search out of memory does not hold"
      ("pan: reached -DMEMLIM bound\n" ^ summary ~errors:0)
      (Unclear "pan: reached -DMEMLIM bound", 12);
    reads "silence does not hold" "" (Unclear "no report", 0);
  ]

(* Counts to LIMIT; at 3 it meets an assertion, unless SOUND. *)
let counter =
  "byte n = 0;\n\
   active proctype count() {\n\
  \  do\n\
  \  :: n < LIMIT -> n++\n\
  \  :: n == LIMIT -> break\n\
  \  od\n\
   #ifndef SOUND\n\
  \  ; assert(n != 3)\n\
   #endif\n\
   #ifdef STUCK\n\
  \  ; n == 0\n\
   #endif\n\
   }\n"

let with_model text f =
  let path = Filename.temp_file "weft-model" ".pml" in
  Fun.protect
    ~finally:(fun () -> Sys.remove path)
    (fun () ->
      Out_channel.with_open_bin path (fun channel -> output_string channel text);
      f path)

let runs name knobs expected =
  Alcotest.test_case name `Quick (fun () ->
      with_model counter (fun path ->
          let outcome = Verifier.run ~optimise:false ~knobs path in
          Alcotest.(check string) "verdict" (shown expected) (shown outcome.verdict)))

let bad_input_is_reported () =
  with_model "no Promela" (fun path ->
      match Verifier.run ~optimise:false ~knobs:[] path with
      | _ -> Alcotest.fail "accepted"
      | exception Verifier.Tool_failed message ->
          Alcotest.(check bool) "one line" false (String.contains message '\n'))

(* 2^32 states. *)
let endless =
  "byte n[4];\n\
   active [4] proctype p() { do :: n[_pid]++ od }\n\
   active proctype q() { n[0] + n[1] + n[2] + n[3] > 1020; assert(n[0] == n[1]) }\n"

let limits_hold () =
  with_model endless (fun path ->
      let outcome = Verifier.run ~seconds:0.5 ~optimise:false ~knobs:[] path in
      Alcotest.(check string) "verdict" (shown (Unclear "not done after 0.5 s")) (shown outcome.verdict))

let real_runs =
  [
    runs "a sound model holds" [ "LIMIT=3"; "SOUND" ] Holds;
    runs "knobs reach the model" [ "LIMIT=4" ] Holds;
    runs "an unsound model is violated" [ "LIMIT=3" ] (Violated "(n!=3)");
    runs "a deadlock is neither" [ "LIMIT=4"; "STUCK" ] (Unclear "pan:1: invalid end state (at depth 9)");
    Alcotest.test_case "bad input is reported" `Quick bad_input_is_reported;
    Alcotest.test_case "an endless search is cut short" `Quick limits_hold;
  ]

let every_model_has_mutants () =
  let of_model model = List.filter (fun (c : Configuration.t) -> c.model = model) Configuration.all in
  let is_mutant (c : Configuration.t) = c.expectation = Fails in
  List.iter
    (fun model -> Alcotest.(check bool) model true (List.exists is_mutant (of_model model)))
    [ "deque"; "sleep_wake" ]

let unknown_knobs_are_named () =
  let c = List.find (fun (c : Configuration.t) -> List.mem "SPLIT_MASK=1" c.knobs) Configuration.all in
  Alcotest.(check (list string)) "known" [] (Configuration.unknown_knobs c ~source:"#if SPLIT_MASK == 1");
  Alcotest.(check (list string)) "unknown" [ "SPLIT_MASK=1" ] (Configuration.unknown_knobs c ~source:"")

let () =
  Alcotest.run "models"
    [
      ("reports are read", reports);
      ("models are run", real_runs);
      ( "configurations",
        [
          Alcotest.test_case "every model has mutants" `Quick every_model_has_mutants;
          Alcotest.test_case "unknown knobs are named" `Quick unknown_knobs_are_named;
        ] );
    ]
