(* The example programs binary_trees, spectral_norm and quicksort: known results, on any number of domains. *)

let check name arguments expected =
  List.iter
    (fun domains ->
      Program.check_answer
        (String.concat " " (name :: domains :: arguments))
        { code = 0; out = expected; err = "" }
        (Program.run name (arguments @ [ "--domains"; domains ])))
    [ "1"; "2"; "4" ]

let every_node_is_counted () =
  let tree depth = (2 * (1 lsl depth)) - 1 in
  let expected depth =
    let row of_depth =
      let trees = 1 lsl (max depth 4 - of_depth + 4) in
      Printf.sprintf "%d trees of depth %d: %s\n" trees of_depth
        (Console.Printable.counted (trees * tree of_depth) "node")
    in
    let rows = List.filter_map (fun d -> if d <= max depth 4 then Some (row d) else None) [ 4; 6; 8; 10 ] in
    String.concat "" rows
    ^ Printf.sprintf "a long-lived tree of depth %d: %s\n" depth
        (Console.Printable.counted (tree depth) "node")
  in
  List.iter
    (fun depth -> check "binary_trees" [ "--depth"; string_of_int depth ] (expected depth))
    [ 0; 3; 4; 5; 10 ]

let the_norm_is_known () =
  (* The value that the Computer Language Benchmarks Game states for 100. *)
  check "spectral_norm" [ "--size"; "100" ] "1.274219991\n";
  check "spectral_norm" [ "--size"; "1"; "--steps"; "1" ] "1.000000000\n"

(* The same numbers, drawn and sorted by the standard library. *)
let numbers_are_sorted () =
  List.iter
    (fun (size, values) ->
      let random = Weft.Random.make 7 in
      let a = Array.init size (fun i -> Weft.Random.int_at random i values) in
      Array.sort Int.compare a;
      let expected =
        Console.Printable.counted size "number"
        ^ ", sorted\n"
        ^
        if size = 0 then ""
        else
          (* The checksum depends on each position: so it compares the whole order. *)
          let weighed = ref 0 in
          Array.iteri (fun i x -> weighed := !weighed + ((i + 1) * x)) a;
          Printf.sprintf "least %d, median %d, greatest %d\neach times its position, from 1: %d in all\n"
            a.(0)
            a.(size / 2)
            a.(size - 1)
            !weighed
      in
      check "quicksort"
        [ "--size"; string_of_int size; "--values"; string_of_int values; "--seed"; "7" ]
        expected)
    [ (0, 5); (1, 5); (2, 9); (30, 1); (1000, 3); (20_000, 1_000_000_000) ]

let unwritable () =
  Program.check_unwritable "binary_trees" [ "--depth"; "1" ];
  Program.check_unwritable "spectral_norm" [ "--size"; "2" ];
  Program.check_unwritable "quicksort" [ "--size"; "2" ]

let refused () =
  List.iter
    (fun (name, arguments) -> Program.check_refused name arguments)
    [
      ("binary_trees", [ "--depth"; "25" ]);
      ("binary_trees", [ "--depth"; "-1" ]);
      ("spectral_norm", [ "--size"; "0" ]);
      ("spectral_norm", [ "--steps"; "0" ]);
      ("spectral_norm", [ "5" ]);
      ("quicksort", [ "--size"; "-1" ]);
      ("quicksort", [ "--values"; "0" ]);
    ]

let () =
  let test name f = Testing.Watchdog.case name f in
  Alcotest.run "small programs"
    [
      ( "results",
        [
          test "every node is counted" every_node_is_counted;
          test "the norm is known" the_norm_is_known;
          test "numbers are sorted" numbers_are_sorted;
        ] );
      ( "errors",
        [ test "an unwritable output is an error" unwritable; test "wrong options are refused" refused ] );
    ]
