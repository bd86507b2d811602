open Support
module A = Weft.Array

(* With a tiny minor heap and eight domains everything takes ten times as long. *)
let crowded = deep < 1_000_000

let check ?(count = 40) name arbitrary property =
  QCheck.Test.check_exn ~rand:(Random.State.make [| 7 |])
    (QCheck.Test.make ~count:(tries (if crowded then count / 3 else count)) ~name arbitrary property)

(* Lengths around the sizes at which the algorithm changes, and up to one that is quick with a tiny minor
   heap. *)
let length =
  QCheck.Gen.(oneof [ int_bound 12; int_bound 100; oneofl [ 8; 9; 16; 17; 64; 65; 257; 2000; 5000 ] ])

(* Random numbers, few distinct ones, and stretches that rise or fall. *)
let numbers =
  let open QCheck.Gen in
  let shaped n =
    oneof
      [
        array_size (return n) (int_bound 1_000_000);
        array_size (return n) (int_bound 3);
        return (Array.init n Fun.id);
        return (Array.init n (fun i -> n - i));
        return (Array.make n 5);
        map (fun k -> Array.init n (fun i -> i * 17 mod (k + 1))) (int_bound (n + 1));
        map (fun k -> Array.init n (fun i -> if i < k then k - i else i)) (int_bound n);
        map (fun k -> Array.init n (fun i -> if i = k then 0 else i)) (int_bound n);
      ]
  in
  QCheck.make ~print:QCheck.Print.(array int) (length >>= shaped)

let up (x : int) y = compare x y

let stdlib cmp a =
  let a = Array.copy a in
  Array.stable_sort cmp a;
  a

let ours sort cmp a =
  let a = Array.copy a in
  sort cmp a;
  a

let same cmp a = ours A.sort cmp a = stdlib cmp a

(* --- like the standard library --- *)

let like_stdlib () =
  in_each_size @@ fun () ->
  check "integers" numbers (same up);
  check "decreasing" numbers (same (fun x y -> up y x));
  check "pairs" numbers (fun a -> same (fun (x, _) (y, _) -> up x y) (Array.mapi (fun i x -> (x, i)) a));
  check "floats" numbers (fun a -> same Float.compare (Array.map float a));
  check "coarse floats" numbers (fun a ->
      let key x = Float.of_int (int_of_float x mod 10) in
      same (fun x y -> Float.compare (key x) (key y)) (Array.map float a));
  check "strings" numbers (fun a -> same String.compare (Array.map string_of_int a));
  (* Equal integers that can be told apart, on the path for immediates. *)
  check "coarse integers" numbers (fun a -> same (fun x y -> up (x / 8) (y / 8)) a);
  (* Immediates and blocks are in one array. *)
  check "by other names" numbers (fun a ->
      let a = Array.mapi (fun i x -> (x, i)) a and cmp (x, _) (y, _) = up x y in
      List.for_all (fun sort -> ours sort cmp a = stdlib cmp a) [ A.stable_sort; A.fast_sort ]);
  check "options" numbers (fun a ->
      same compare (Array.map (fun x -> if x mod 3 = 0 then None else Some x) a))

type late = Early of int | Late

let blocks_among_immediates () =
  in_each_size @@ fun () ->
  for n = 4 to 40 do
    (* There is an immediate where a check would look first. *)
    let a = Array.init n (fun i -> if i = 1 then Early i else Late) in
    if ours A.sort compare a <> stdlib compare a then Alcotest.failf "wrong at %d" n
  done

let long () =
  in_each_size @@ fun () ->
  let n = if crowded then 5_000 else 50_000 in
  let rand = Random.State.make [| 3 |] in
  let a = Array.init n (fun i -> (Random.State.int rand (n / 4), i)) in
  let by_key (x, _) (y, _) = up x y in
  let check what ok = if not ok then Alcotest.failf "wrong: %s" what in
  check "pairs" (ours A.sort by_key a = stdlib by_key a);
  let ints = Array.map fst a in
  check "integers" (ours A.sort up ints = stdlib up ints);
  let floats = Array.map (fun (x, _) -> sin (float x)) a in
  check "floats" (ours A.sort Float.compare floats = stdlib Float.compare floats);
  let fall = Array.init n (fun i -> n - i) in
  check "falling" (ours A.sort up fall = stdlib up fall);
  let halves = Array.init n (fun i -> i mod (n / 2)) in
  check "halves" (ours A.sort up halves = stdlib up halves)

let from_outside () =
  check "integers" numbers (same up);
  check "pairs" numbers (fun a -> same (fun (x, _) (y, _) -> up x y) (Array.mapi (fun i x -> (x, i)) a))

let few_comparisons () =
  on_each_size @@ fun pool ->
  let n = 3000 in
  let count what a most =
    let calls = Atomic.make 0 in
    Weft.Pool.run pool (fun () ->
        A.sort
          (fun x y ->
            Atomic.incr calls;
            up x y)
          a);
    if Atomic.get calls > most then
      Alcotest.failf "%s: %d comparisons of %d elements" what (Atomic.get calls) n
  in
  count "rising" (Array.init n Fun.id) n;
  count "equal" (Array.make n 1) n;
  (* Each node compares in the other direction, too. *)
  count "falling" (Array.init n (fun i -> -i)) (2 * n);
  let rand = Random.State.make [| 5 |] in
  count "random" (Array.init n (fun _ -> Random.State.bits rand)) (12 * n)

(* --- comparisons that misbehave --- *)

let elements a = stdlib compare a

(* Raises at call [k], and perhaps at later ones. *)
let failing k cmp =
  let calls = Atomic.make 0 in
  fun x y -> if Atomic.fetch_and_add calls 1 >= k then raise (Planned k) else cmp x y

let nothing_lost () =
  in_each_size @@ fun () ->
  let input =
    QCheck.(pair numbers (make QCheck.Gen.(oneof [ int_bound 20; int_bound 500; int_bound 60_000 ])))
  in
  let keeps of_int cmp (a, k) =
    let a = Array.map of_int a in
    let b = Array.copy a in
    match A.sort (failing k cmp) b with
    | () -> b = stdlib cmp a
    | exception Planned k' -> k = k' && elements b = elements a
  in
  check "integers" input (keeps Fun.id up);
  check "floats" input (keeps float Float.compare);
  check "strings" input (keeps string_of_int String.compare)

let all_ended () =
  in_each_size @@ fun () ->
  let running = Atomic.make 0 and over = Atomic.make false in
  let cmp x y =
    Atomic.incr running;
    spin 500;
    if Atomic.get over then Atomic.set running 1_000_000;
    Atomic.decr running;
    if x = 77 && y > 500 then raise (Planned 77) else up x y
  in
  let rand = Random.State.make [| 9 |] in
  for _ = 1 to 5 do
    Atomic.set over false;
    let a = Array.init 2000 (fun i -> if i mod 20 = 0 then 77 else Random.State.int rand 1000) in
    (match A.sort cmp a with () -> Alcotest.fail "no exception" | exception Planned 77 -> ());
    Atomic.set over true;
    for _ = 1 to 20 do
      Weft.yield ()
    done;
    if Atomic.get running <> 0 then Alcotest.fail "comparisons after the end"
  done

let random_answers () =
  in_each_size @@ fun () ->
  let calls = Atomic.make 0 in
  let answers = [| -1; 0; 1; min_int; max_int |] in
  let cmp _ _ = answers.(Hashtbl.hash (Atomic.fetch_and_add calls 1) mod 5) in
  let keeps of_int a =
    let a = Array.map of_int a in
    elements (ours A.sort cmp a) = elements a
    && elements (A.merge cmp a a) = elements (Array.append a a)
    && Array.length (A.dedup cmp a) <= Array.length a
  in
  check ~count:30 "integers" numbers (keeps Fun.id);
  check ~count:30 "floats" numbers (keeps float);
  check ~count:30 "strings" numbers (keeps string_of_int)

let extreme_answers () =
  in_each_size @@ fun () ->
  let cmp x y = if x < y then min_int else if x > y then max_int else 0 in
  check "integers" numbers (fun a -> ours A.sort cmp a = stdlib up a);
  check "strings" numbers (fun a ->
      let a = Array.map string_of_int a in
      ours A.sort cmp a = stdlib cmp a)

let suspending () =
  in_each_size @@ fun () ->
  let yields x y =
    if (x + y) mod 7 = 0 then Weft.yield ();
    up x y
  and forks x y =
    let x, y = Weft.par (fun () -> x + 1) (fun () -> y + 1) in
    up x y
  and sorts x y =
    let a = [| y; x; y |] in
    A.sort up a;
    ignore (Sys.opaque_identity a);
    up x y
  in
  check ~count:15 "yield" numbers (same yields);
  check ~count:15 "fork" numbers (same forks);
  check ~count:8 "sort" numbers (fun a -> ours A.sort sorts a = stdlib up a)

let slow_ones_spread () =
  Weft.Pool.with_pool ~domains:3 @@ fun pool ->
  let n = 60 in
  let spread sort =
    (* A domain that sleeps leaves the processor to the others. *)
    let seen = Array.init 3 (fun _ -> Atomic.make (-1)) in
    let note () =
      let me = (Domain.self () :> int) in
      let rec at k =
        if k < 3 && Atomic.get seen.(k) <> me && not (Atomic.compare_and_set seen.(k) (-1) me) then at (k + 1)
      in
      at 0
    in
    let cmp x y =
      note ();
      Unix.sleepf 0.0005;
      compare x y
    in
    Weft.Pool.run pool (fun () -> sort cmp);
    Array.for_all (fun d -> Atomic.get d >= 0) seen
  in
  let check what sort = Loops.until_it_happens (what ^ " by three domains") (fun () -> spread sort) in
  let scattered i = i * 37 mod n in
  check "sorting integers" (fun cmp -> A.sort cmp (Array.init n scattered));
  check "sorting strings" (fun cmp -> A.sort cmp (Array.init n (fun i -> string_of_int (scattered i))));
  (* One merge, without a sort. *)
  let even = Array.init n (fun i -> 2 * i) and odd = Array.init n (fun i -> (2 * i) + 1) in
  check "merging" (fun cmp -> ignore (A.merge cmp even odd));
  check "dedup" (fun cmp -> ignore (A.dedup cmp even))

(* --- sorted arrays --- *)

let rec without_repeats cmp = function
  | x :: y :: rest ->
      if cmp x y = 0 then without_repeats cmp (x :: rest) else x :: without_repeats cmp (y :: rest)
  | short -> short

let by_key (x, _) (y, _) = up x y
let sorted_pairs tag a = stdlib by_key (Array.mapi (fun i x -> (x, (tag, i))) a)

let sorted_arrays () =
  in_each_size @@ fun () ->
  let two = QCheck.pair numbers numbers in
  let merged cmp a b = Array.of_list (List.merge cmp (Array.to_list a) (Array.to_list b)) in
  check "merge" two (fun (a, b) ->
      let a = sorted_pairs `A a and b = sorted_pairs `B b in
      A.merge by_key a b = merged by_key a b);
  check "merge floats" two (fun (a, b) ->
      let sorted a = stdlib Float.compare (Array.map float a) in
      let a = sorted a and b = sorted b in
      A.merge Float.compare a b = merged Float.compare a b);
  check "dedup" numbers (fun a ->
      let a = sorted_pairs `A a in
      Array.to_list (A.dedup by_key a) = without_repeats by_key (Array.to_list a));
  check "dedup floats" numbers (fun a ->
      let a = stdlib Float.compare (Array.map float a) in
      Array.to_list (A.dedup Float.compare a) = without_repeats Float.compare (Array.to_list a));
  check "sort_uniq" numbers (fun a ->
      let a = Array.mapi (fun i x -> (x, i)) a in
      let before = Array.copy a in
      Array.to_list (A.sort_uniq by_key a) = without_repeats by_key (Array.to_list (stdlib by_key a))
      && a = before)

let new_arrays () =
  in_each_size @@ fun () ->
  let a = [| 1; 2 |] in
  List.iter
    (fun r -> if r == a || r <> a then Alcotest.fail "shared, or wrong")
    [ A.merge up a [||]; A.merge up [||] a; A.dedup up a; A.sort_uniq up a ];
  if A.merge up [||] [||] <> [||] || A.dedup up [||] <> [||] || A.sort_uniq up [| 3 |] <> [| 3 |] then
    Alcotest.fail "short arrays"

(* --- floatarrays --- *)

let plain_floats () =
  in_each_size @@ fun () ->
  let special = [| nan; -.nan; infinity; neg_infinity; 0.; -0.; 1.5; -1.5; min_float; 4e-324 |] in
  let floats n =
    QCheck.Gen.(map (fun x -> if x < n then special.(x mod 10) else Float.of_int x) (int_bound 1000))
  in
  let arrays = QCheck.Gen.(oneofl [ 0; 30; 1000 ] >>= fun n -> map (fun l -> (n, l)) length) in
  let arrays = QCheck.Gen.(arrays >>= fun (n, l) -> array_size (return l) (floats n)) in
  let bits = Array.map Int64.bits_of_float in
  let sorted a =
    let b = Float.Array.init (Array.length a) (Array.get a) in
    Weft.Floatarray.sort b;
    Array.init (Array.length a) (Float.Array.get b)
  in
  (* Compared to the last bit, so that the order of 0. and -0. counts, and that of different nans. *)
  check ~count:100 "special"
    (QCheck.make ~print:QCheck.Print.(array float) arrays)
    (fun a -> bits (sorted a) = bits (stdlib Float.compare a));
  check "shapes" numbers (fun a ->
      let a = Array.map float a in
      sorted a = stdlib Float.compare a)

let tests =
  [
    case "sort is Array.stable_sort, for all kinds of elements" like_stdlib;
    case "a block among immediates is found wherever it is" blocks_among_immediates;
    case "long arrays" long;
    case "from outside a pool" from_outside;
    case "sorted, equal and reversed arrays take a comparison per element" few_comparisons;
    case "when a comparison raises, the array keeps its elements" nothing_lost;
    case "when sort raises, no comparison is running" all_ended;
    case "comparisons that answer at random lose and invent nothing" random_answers;
    case "min_int and max_int are answers like any" extreme_answers;
    case "comparisons may yield, fork and sort" suspending;
    case "slow comparisons of few elements spread over all domains" (all_at_once slow_ones_spread);
    case "merge, dedup and sort_uniq are those of lists" sorted_arrays;
    case "results are new arrays" new_arrays;
    case "sort_floats is in the order of Float.compare, nan and -0. included" plain_floats;
  ]
