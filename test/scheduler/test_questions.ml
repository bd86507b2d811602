open Weft_scheduler

let check_bool = Alcotest.(check bool)
let check_asks t victim expected = check_bool (Fmt.str "asks %d" victim) expected (Questions.asks t ~victim)

(* One question in vain, and then so many jobs that are stolen without one. *)
let silent t victim jobs =
  check_asks t victim true;
  Questions.not_answered t ~victim;
  for _ = 1 to jobs do
    check_asks t victim false;
    Questions.not_asked t
  done;
  check_asks t victim true

let a_silent_victim () =
  let t = Questions.make () in
  List.iter (silent t 3) [ 0; 2; 6; 14; 14 ];
  Questions.answered t ~victim:3;
  List.iter (silent t 3) [ 0; 2 ]

let others_are_asked () =
  let t = Questions.make () in
  List.iter (silent t 3) [ 0; 2 ];
  Questions.not_answered t ~victim:3;
  check_asks t 4 true;
  Questions.answered t ~victim:4;
  check_asks t 3 false;
  Questions.not_answered t ~victim:4;
  check_asks t 4 true;
  check_asks t 3 true

let () =
  Alcotest.run "questions"
    [
      ( "thief",
        [
          Testing.Watchdog.case "a silent victim is asked less and less often" a_silent_victim;
          Testing.Watchdog.case "others are asked all the same" others_are_asked;
        ] );
    ]
