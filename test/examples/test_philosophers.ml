(* The example program philosophers: all eat, and when they cannot, the program says so. *)

let dinner ?(domains = 2) ?(more = []) philosophers meals =
  Program.run "philosophers"
    ([
       "--philosophers";
       string_of_int philosophers;
       "--meals";
       string_of_int meals;
       "--domains";
       string_of_int domains;
     ]
    @ more)

let everybody_eats () =
  List.iter
    (fun (philosophers, meals, domains) ->
      let expected =
        List.init philosophers (fun i -> Printf.sprintf "philosopher %d ate %d times" (i + 1) meals)
        @ [ Printf.sprintf "each of the %d forks was used %d times" philosophers (2 * meals) ]
      in
      let answer = dinner ~domains philosophers meals in
      let what = Printf.sprintf "%d philosophers, %d domains" philosophers domains in
      Alcotest.(check (pair int string)) what (0, "") (answer.code, answer.err);
      Alcotest.(check (list string)) what expected (Program.lines answer.out))
    [ (2, 400, 1); (2, 400, 2); (5, 300, 1); (5, 300, 2); (5, 300, 3); (100, 20, 2); (100, 20, 8) ]

let there_may_be_thousands () =
  let answer = dinner 5000 5 in
  Alcotest.(check (pair int string)) "exit code" (0, "") (answer.code, answer.err);
  Alcotest.(check int) "lines" 5001 (List.length (Program.lines answer.out))

let wrong_options_are_refused () =
  List.iter
    (Program.check_refused "philosophers")
    [ [ "--philosophers"; "1" ]; [ "--meals"; "0" ]; [ "--meals"; "many" ]; [ "--domains"; "0" ]; [ "five" ] ]

let an_unwritable_output_is_an_error () =
  Program.check_unwritable "philosophers" [ "--philosophers"; "2"; "--meals"; "2" ]

(* Each waits for the fork that the next one holds. *)
let a_deadlock_is_reported () =
  List.iter
    (fun (philosophers, domains) ->
      let what = Printf.sprintf "%d philosophers, %d domains" philosophers domains in
      let answer = dinner ~domains ~more:[ "--naive" ] philosophers 1000 in
      Alcotest.(check (pair int string)) what (1, "") (answer.code, answer.out);
      let says part =
        if not (Program.contains answer.err part) then
          Alcotest.failf "%s: %S is not in %S" what part answer.err
      in
      says "philosophers: Weft.Deadlock: ";
      says "in Weft.Mutex.")
    [ (2, 1); (2, 2); (5, 1); (5, 2); (5, 3); (100, 2) ]

let () =
  let test name f = Testing.Watchdog.case name f in
  Alcotest.run "philosophers"
    [
      ( "program",
        [
          test "everybody eats" everybody_eats;
          test "there may be thousands" there_may_be_thousands;
          test "wrong options are refused" wrong_options_are_refused;
          test "an unwritable output is an error" an_unwritable_output_is_an_error;
        ] );
      ("deadlock", [ test "a deadlock is reported" a_deadlock_is_reported ]);
    ]
