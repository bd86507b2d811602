open Weft_bench_batch

(* {1 Keys} *)

let positions pattern ~range count =
  List.init count (Keys.positions pattern (Random.State.make [| count |]) ~range ~count)

let patterns = [ Keys.Uniform; Ascending; Descending; Equal; Zipf ]

let positions_are_within_the_range () =
  let check pattern (range, count) =
    List.iter
      (fun x -> if x < 0 || x >= range then Alcotest.failf "%s: %d of %d" (Keys.name pattern) x range)
      (positions pattern ~range count)
  in
  List.iter
    (fun pattern -> List.iter (check pattern) [ (1, 10); (2, 10); (100, 10); (10, 100); (1 lsl 30, 1_000) ])
    patterns

let patterns_are_as_they_are_called () =
  let of_pattern pattern = positions pattern ~range:1_000 500 in
  let sorted = List.sort_uniq Int.compare in
  let ascending = of_pattern Ascending in
  Alcotest.(check (list int)) "ascending" (sorted ascending) ascending;
  Alcotest.(check (list int)) "descending" (List.rev ascending) (of_pattern Descending);
  Alcotest.(check (list int)) "equal" [ 500 ] (sorted (of_pattern Equal));
  let distinct = List.length (sorted (of_pattern Uniform)) in
  Alcotest.(check bool) "uniform" true (distinct > 350 && distinct < 450)

(* Of a million ranks with the exponent 0.99, the first gets 6.5 % of all draws, the first ten get 19.3 %. *)
let zipf_is_as_frequent_as_it_should_be () =
  let n = 100_000 in
  let counts = Hashtbl.create 100 in
  let count x = Hashtbl.replace counts x (1 + Option.value (Hashtbl.find_opt counts x) ~default:0) in
  List.iter count (positions Zipf ~range:(1 lsl 30) n);
  let frequencies = List.sort (Fun.flip Int.compare) (List.of_seq (Hashtbl.to_seq_values counts)) in
  let share k =
    float_of_int (List.fold_left ( + ) 0 (List.filteri (fun i _ -> i < k) frequencies)) /. float_of_int n
  in
  Alcotest.(check (float 0.01)) "the first" 0.065 (share 1);
  Alcotest.(check (float 0.03)) "the first ten" 0.193 (share 10)

let keys_before_are_different_and_spread () =
  List.iter
    (fun (range, n) ->
      let keys = Keys.spread (Random.State.make [| n |]) ~range n in
      Array.iteri
        (fun i k ->
          if k < i * (range / n) || k >= (i + 1) * (range / n) then
            Alcotest.failf "key %d of %d below %d: %d" i n range k)
        keys)
    [ (1, 1); (10, 10); (20, 10); (1 lsl 30, 1_000) ];
  Alcotest.(check int) "none" 0 (Array.length (Keys.spread (Random.State.make [||]) ~range:10 0))

let order_is_that_of_a_stable_sort () =
  let random = Random.State.make [| 7 |] in
  List.iter
    (fun (n, below) ->
      let keys = Array.init n (fun _ -> Random.State.int random below) in
      let expected = Array.init n Fun.id in
      Stdlib.Array.stable_sort (fun i j -> Int.compare keys.(i) keys.(j)) expected;
      Alcotest.(check (array int)) (Printf.sprintf "%d below %d" n below) expected (Keys.order keys))
    [ (0, 1); (1, 1); (10, 1); (1_000, 3); (1_000, 2_048); (1_000, 2_049); (1_000, 1 lsl 29) ]

(* {1 Operations} *)

let mixes_are_as_described () =
  let shares (mix : Workload.mix) =
    let { Workload.operations; _ } = Workload.make mix Uniform ~range:(1 lsl 30) ~before:100_000 10_000 in
    let share kind =
      Array.fold_left (fun n op -> if Workload.kind_of op = kind then n + 1 else n) 0 operations / 100
    in
    (share Search, share Add, share Remove)
  in
  let check mix expected =
    let (a, b, c), (a', b', c') = (expected, shares mix) in
    if abs (a - a') + abs (b - b') + abs (c - c') > 6 then
      Alcotest.failf "%s: %d, %d, %d" mix.Workload.name a' b' c'
  in
  check Workload.insert (0, 100, 0);
  check Workload.search (100, 0, 0);
  check Workload.half (50, 50, 0);
  check Workload.mostly_search (90, 10, 0);
  check Workload.delete (40, 40, 20)

let every_other_search_goes_to_a_key_that_is_there () =
  let hits pattern =
    let { Workload.before; operations } =
      Workload.make Workload.search pattern ~range:(1 lsl 30) ~before:1_000 2_000
    in
    let there = Hashtbl.of_seq (Seq.map (fun k -> (k, ())) (Array.to_seq before)) in
    Array.fold_left (fun n op -> if Hashtbl.mem there (Workload.key_of op) then n + 1 else n) 0 operations
  in
  List.iter
    (fun pattern ->
      let n = hits pattern in
      if n < 900 || n > 1_100 then Alcotest.failf "%s: %d" (Keys.name pattern) n)
    [ Keys.Uniform; Ascending; Descending; Zipf ]

(* {1 The account} *)

(* [account before ops answers final]: what the check says of operations on a map with the keys [before].
   Those whose numbers are in [answers] have found their key, and [final] is the map's contents in the end. *)
let account ?(replaces = true) ?(asked = false) before ops answers final =
  let code (kind, key) = (key lsl 2) lor match kind with `Search -> 0 | `Add -> 1 | `Remove -> 2 in
  let workload = { Workload.before = Array.of_list before; operations = Array.of_list (List.map code ops) } in
  let bytes = Bytes.make (List.length ops) Account.not_found in
  List.iter (fun i -> Bytes.set bytes i Account.found) answers;
  let contents =
    if asked then Subject.Asked { length = List.length final; find_opt = Fun.flip List.assoc_opt final }
    else Listed { keys = Array.of_list (List.map fst final); values = Array.of_list (List.map snd final) }
  in
  Account.check ~replaces workload bytes contents

let right ?replaces ?asked what before ops answers final =
  match account ?replaces ?asked before ops answers final with
  | Ok () -> ()
  | Error { expected; got } -> Alcotest.failf "%s: expected %s, got %s" what expected got

let wrong ?replaces ?asked what before ops answers final message =
  let text =
    match account ?replaces ?asked before ops answers final with
    | Ok () -> "right"
    | Error { expected; got } -> Printf.sprintf "expected %s, got %s" expected got
  in
  Alcotest.(check string) what message text

let was = Workload.value_before

let what_may_be_is_right () =
  right "nothing" [] [] [] [];
  right "no operations" [ 3; 5 ] [] [] [ (5, was 5); (3, was 3) ];
  right "an add" [] [ (`Add, 4) ] [] [ (4, 0) ];
  right "either add" [] [ (`Add, 4); (`Add, 4) ] [] [ (4, 0) ];
  right "replaced" [ 4 ] [ (`Add, 4) ] [] [ (4, 0) ];
  right ~replaces:false "not replaced" [ 4 ] [ (`Add, 4) ] [] [ (4, was 4) ];
  right "removed, then added" [ 4 ] [ (`Add, 4); (`Remove, 4) ] [ 1 ] [ (4, 0) ];
  right "added, then removed" [ 4 ] [ (`Add, 4); (`Remove, 4) ] [ 1 ] [];
  right "removed too early" [] [ (`Add, 4); (`Remove, 4) ] [] [ (4, 0) ];
  right "added in between" [ 4 ] [ (`Remove, 4); (`Remove, 4); (`Add, 4) ] [ 0; 1 ] [];
  right "found or not" [] [ (`Search, 4); (`Add, 4); (`Search, 4) ] [ 0 ] [ (4, 1) ];
  right ~asked:true "asked" [ 3 ] [ (`Add, 4) ] [] [ (3, was 3); (4, 0) ]

let what_cannot_be_is_wrong () =
  wrong "lost" [ 3 ] [] [] []
    "expected key 3 (bound before, 0 adds, 0 removals): bound in the end, got not bound";
  wrong "an add lost" []
    [ (`Add, 4) ]
    [] [] "expected key 4 (not bound before, 1 adds, 0 removals): bound in the end, got not bound";
  wrong "not removed" [ 4 ]
    [ (`Remove, 4) ]
    [ 0 ]
    [ (4, was 4) ]
    "expected key 4 (bound before, 0 adds, 1 removals): not bound in the end, got bound";
  wrong "not found by its removal" [ 4 ]
    [ (`Remove, 4) ]
    []
    [ (4, was 4) ]
    "expected key 4 (bound before, 0 adds, 1 removals): 1 to 1 removals that find it, got 0";
  wrong "removed twice" [ 4 ]
    [ (`Remove, 4); (`Remove, 4) ]
    [ 0; 1 ] [] "expected key 4 (bound before, 0 adds, 2 removals): 1 to 1 removals that find it, got 2";
  wrong "removed and there" [ 4 ]
    [ (`Add, 4); (`Remove, 4); (`Remove, 4) ]
    [ 1; 2 ]
    [ (4, 0) ]
    "expected key 4 (bound before, 1 adds, 2 removals): not bound in the end, got bound";
  wrong "another's value" [ 4 ]
    [ (`Add, 4); (`Add, 5) ]
    []
    [ (4, 1); (5, 1) ]
    "expected key 4 (bound before, 1 adds, 0 removals): bound to what was added to it, got 1";
  wrong "the old value" [ 4 ]
    [ (`Add, 4) ]
    []
    [ (4, was 4) ]
    "expected key 4 (bound before, 1 adds, 0 removals): bound to what was added to it, got -5";
  wrong "the old value, after all" [ 4 ]
    [ (`Add, 4); (`Remove, 4) ]
    [ 1 ]
    [ (4, was 4) ]
    "expected key 4 (bound before, 1 adds, 1 removals): bound to what was added to it, got -5";
  wrong "another value before" [ 4 ] [] []
    [ (4, 7) ]
    "expected key 4 (bound before, 0 adds, 0 removals): bound to what was added to it, got 7";
  wrong "not seen" [ 4 ]
    [ (`Search, 4); (`Search, 4) ]
    [ 0 ]
    [ (4, was 4) ]
    "expected key 4 (bound before, 0 adds, 0 removals): found by 2 searches, got 1";
  wrong "seen" []
    [ (`Search, 4) ]
    [ 0 ] [] "expected key 4 (not bound before, 0 adds, 0 removals): found by no search, got 1";
  wrong "a stranger" [ 4 ] [] []
    [ (4, was 4); (9, 0) ]
    "expected only keys that were bound or added, each once, got key 9";
  wrong "a stranger among others" [ 4 ] [] []
    [ (2, 0); (4, was 4) ]
    "expected only keys that were bound or added, each once, got key 2";
  wrong "twice" [ 4; 5 ] [] []
    [ (4, was 4); (4, was 4); (5, was 5) ]
    "expected only keys that were bound or added, each once, got key 4";
  wrong ~asked:true "a stranger, asked" [ 4 ] [] []
    [ (2, 0); (4, was 4) ]
    "expected a map of length 1, got one of length 2"

(* {1 Other checks} *)

let a_counter_answers_each_number_once () =
  let check what expected n answers final =
    let got =
      match Counting.check n (Array.of_list answers) ~final with
      | Ok () -> "right"
      | Error { expected; got } -> Printf.sprintf "expected %s, got %s" expected got
    in
    Alcotest.(check string) what expected got
  in
  check "none" "right" 0 [] 0;
  check "in any order" "right" 3 [ 1; 2; 0 ] 3;
  check "twice" "expected every answer from 0 to 2, got none that is 2" 3 [ 1; 1; 0 ] 3;
  check "too great" "expected every answer from 0 to 2, got none that is 0" 3 [ 1; 2; 3 ] 3;
  check "never called" "expected every answer from 0 to 2, got none that is 1" 3 [ 2; -1; 0 ] 3;
  check "lost" "expected 3 in the end, got 2" 3 [ 1; 2; 0 ] 2

let what_is_pushed_is_popped_or_left () =
  let check what expected ~all ~popped ~rest =
    let got =
      match Queueing.check ~all ~popped ~rest ~there:(fun id -> id < 0) with
      | Ok () -> "right"
      | Error { expected; got } -> Printf.sprintf "expected %s, got %s" expected got
    in
    Alcotest.(check string) what expected got
  in
  let all = [ (5, -1); (7, -2); (6, 0) ] in
  check "all left" "right" ~all ~popped:[] ~rest:all;
  check "all popped" "right" ~all ~popped:all ~rest:[];
  check "the least first" "right" ~all ~popped:[ (6, 0); (5, -1) ] ~rest:[ (7, -2) ];
  check "pushed later" "right" ~all ~popped:[ (7, -2); (5, -1) ] ~rest:[ (6, 0) ];
  check "overtaken" "expected priority 5 before all greater ones, got priority 6 popped" ~all
    ~popped:[ (6, 0) ]
    ~rest:[ (7, -2); (5, -1) ];
  check "lost" "expected element -2 of priority 7, popped or left, got none" ~all
    ~popped:[ (5, -1) ]
    ~rest:[ (6, 0) ];
  check "twice" "expected no more elements, popped or left, got element -2 of priority 7" ~all
    ~popped:[ (5, -1); (7, -2) ]
    ~rest:[ (6, 0); (7, -2) ];
  check "another" "expected element 0 of priority 6, popped or left, got element 1 of priority 6" ~all
    ~popped:[ (5, -1) ]
    ~rest:[ (6, 1); (7, -2) ]

let case = Testing.Watchdog.case

let a_structure_without_a_lock_is_left_to_one_domain () =
  let counter = Counting.benchmark ~group:"toys" in
  let takes_part name domains =
    let is_it (way : Weft_bench_harness.Benchmark.way) = String.equal way.contestant.name name in
    let way = List.find is_it counter.ways in
    Option.is_some (way.work { size = 5; cutoff = None; domains })
  in
  Alcotest.(check (list bool)) "unlocked" [ true; false ] (List.map (takes_part "unlocked") [ 1; 2 ]);
  Alcotest.(check (list bool)) "coarse" [ true; true ] (List.map (takes_part "coarse") [ 1; 2 ])

let tests =
  [
    case "positions are within the range" positions_are_within_the_range;
    case "patterns are as they are called" patterns_are_as_they_are_called;
    case "zipf is as frequent as it should be" zipf_is_as_frequent_as_it_should_be;
    case "keys before are different and spread" keys_before_are_different_and_spread;
    case "order is that of a stable sort" order_is_that_of_a_stable_sort;
    case "mixes are as described" mixes_are_as_described;
    case "every other search goes to a key that is there" every_other_search_goes_to_a_key_that_is_there;
    case "what may be is right" what_may_be_is_right;
    case "what cannot be is wrong" what_cannot_be_is_wrong;
    case "a counter answers each number once" a_counter_answers_each_number_once;
    case "a structure without a lock is left to one domain" a_structure_without_a_lock_is_left_to_one_domain;
    case "what is pushed is popped or left" what_is_pushed_is_popped_or_left;
  ]
