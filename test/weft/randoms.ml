open Support
module Random = Weft.Random

(* --- statistics --- *)

(* The seeds are fixed: a test that passes once always passes. Five standard deviations, and some more for
   few degrees of freedom, leave room for bad luck with a new seed. *)
let check_chi_square what ~expected counts =
  let sum = Array.fold_left (fun sum n -> sum +. ((float n -. expected) ** 2.)) 0. counts in
  let chi2 = sum /. expected and freedom = float (Array.length counts - 1) in
  let most = freedom +. (5. *. sqrt (2. *. freedom)) +. 12. in
  if chi2 > most then Alcotest.failf "%s: chi-square is %.1f, more than %.1f" what chi2 most

(* [bucket i] is called for [samples] values of [i]: all of [n] buckets must be equally full. *)
let check_even what ~samples n bucket =
  let counts = Array.make n 0 in
  for i = 0 to samples - 1 do
    let b = bucket i in
    counts.(b) <- counts.(b) + 1
  done;
  check_chi_square what ~expected:(float samples /. float n) counts

let published () =
  let t = Random.make 1234567 in
  List.iter
    (fun word -> Alcotest.(check string) "word" word (Printf.sprintf "%Lu" (Random.bits64 t)))
    [
      "6457827717110365317";
      "3203168211198807973";
      "9817491932198370423";
      "4593380528125082431";
      "16408922859458223821";
    ]

let bounds = [ 1; 2; 3; 10; 1000; (1 lsl 30) - 1; 1 lsl 30; (1 lsl 30) + 1; 3 lsl 60; max_int - 1; max_int ]

let within_bounds () =
  let t = Random.make 1 in
  let check what ~min ~max x =
    if x < min || x > max then Alcotest.failf "%s: %d, not in %d to %d" what x min max
  in
  for i = 0 to 3_000 do
    List.iter
      (fun n ->
        check "int" ~min:0 ~max:(n - 1) (Random.int t n);
        check "int_at" ~min:0 ~max:(n - 1) (Random.int_at t i n))
      bounds;
    check "bits" ~min:0 ~max:((1 lsl 30) - 1) (Random.bits t);
    check "bits_at" ~min:0 ~max:((1 lsl 30) - 1) (Random.bits_at t i);
    List.iter
      (fun (min, max) -> check "int_in_range" ~min ~max (Random.int_in_range t ~min ~max))
      [
        (0, 0);
        (-3, 3);
        (min_int, min_int);
        (min_int, 0);
        (-1, max_int);
        (min_int, max_int);
        (min_int, max_int - 1);
      ];
    List.iter
      (fun bound ->
        let check what x = if x < 0. || x >= bound then Alcotest.failf "%s: %h, bound %h" what x bound in
        check "uniform" (Random.uniform t bound);
        check "float_at" (Random.float_at t i bound))
      [ 1.; 0x1.fffffffffffffp0; 1e300; 3. ]
  done

let misuse () =
  let t = Random.make 1 in
  raises_invalid "int" "Weft.Random.int: the bound must be positive, not 0" (fun () -> Random.int t 0);
  raises_invalid "int_at" "Weft.Random.int_at: the bound must be positive, not -2" (fun () ->
      Random.int_at t 3 (-2));
  raises_invalid "int_in_range" "Weft.Random.int_in_range: max is 1, less than min, 2" (fun () ->
      Random.int_in_range t ~min:2 ~max:1);
  raises_invalid "permutation" "Weft.Random.permutation: negative length -1" (fun () ->
      Random.permutation t (-1))

let all_values_equally_likely () =
  let t = Random.make 2 in
  let samples = 30_000 in
  let both what n ~buckets bucket =
    check_even ("int, " ^ what) ~samples buckets (fun _ -> bucket (Random.int t n));
    check_even ("int_at, " ^ what) ~samples buckets (fun i -> bucket (Random.int_at t i n))
  in
  both "10" 10 ~buckets:10 Fun.id;
  both "1000" 1000 ~buckets:1000 Fun.id;
  (* 2^32 is no multiple of these: without rejection, one remainder in three is a fifth more likely. *)
  both "3 lsl 28" (3 lsl 28) ~buckets:3 (fun x -> x mod 3);
  (* A remainder of 62 bits: without rejection the lowest third is twice as likely. *)
  both "3 lsl 60" (3 lsl 60) ~buckets:3 (fun x -> x lsr 60);
  check_even "all integers" ~samples 16 (fun _ ->
      (Random.int_in_range t ~min:min_int ~max:max_int asr 59) + 8);
  check_even "more than max_int integers" ~samples 6 (fun _ ->
      (Random.int_in_range t ~min:(-3 lsl 60) ~max:((3 lsl 60) - 1) asr 60) + 3);
  check_even "uniform" ~samples 100 (fun _ -> int_of_float (Random.uniform t 100.));
  check_even "float_at" ~samples 100 (fun i -> int_of_float (Random.float_at t i 100.));
  check_even "bool" ~samples 2 (fun _ -> Bool.to_int (Random.bool t));
  check_even "bool_at" ~samples 2 (fun i -> Bool.to_int (Random.bool_at t i));
  for bit = 0 to 63 do
    let at_bit word = Int64.to_int (Int64.logand 1L (Int64.shift_right_logical word bit)) in
    check_even "bits64" ~samples:5_000 2 (fun _ -> at_bit (Random.bits64 t));
    check_even "bits64_at" ~samples:5_000 2 (fun i -> at_bit (Random.bits64_at t i));
    if bit < 30 then check_even "bits" ~samples:5_000 2 (fun _ -> (Random.bits t lsr bit) land 1);
    if bit < 30 then check_even "bits_at" ~samples:5_000 2 (fun i -> (Random.bits_at t i lsr bit) land 1)
  done

let mean_and_variance () =
  let n = 200_000 in
  let check what value =
    let sum = ref 0. and squares = ref 0. in
    for i = 0 to n - 1 do
      let x = value i in
      sum := !sum +. x;
      squares := !squares +. ((x -. 0.5) ** 2.)
    done;
    let close what expected got =
      if Float.abs (got -. expected) > 0.003 then Alcotest.failf "%s: %g" what got
    in
    close (what ^ ": mean") 0.5 (!sum /. float n);
    close (what ^ ": variance") (1. /. 12.) (!squares /. float n)
  in
  let t = Random.make 3 in
  check "uniform" (fun _ -> Random.uniform t 1.);
  check "float_at" (fun i -> Random.float_at t i 1.);
  check "first of at" (fun i -> Random.uniform (Random.at t i) 1.)

(* Pairs of numbers that should be independent, on a 16 x 16 board. *)
let neighbours_are_independent () =
  let samples = 50_000 in
  let check what f g =
    check_even what ~samples 256 (fun i ->
        let x = f i in
        (16 * x) + g i)
  in
  let t = Random.make 4 in
  let u = Random.split t in
  let d t = Random.int t 16 in
  check "draws" (fun _ -> d t) (fun _ -> d t);
  check "a generator and its part" (fun _ -> d t) (fun _ -> d u);
  check "indices" (fun i -> Random.int_at t (2 * i) 16) (fun i -> Random.int_at t ((2 * i) + 1) 16);
  check "generators of neighbours" (fun i -> d (Random.at t (2 * i))) (fun i -> d (Random.at t ((2 * i) + 1)));
  check "index and generator" (fun i -> Random.int_at t i 16) (fun i -> d (Random.at t i));
  check "index and draw" (fun i -> Random.int_at u i 16) (fun _ -> d u);
  check "neighbouring seeds" (fun i -> d (Random.make i)) (fun i -> d (Random.make (i + 1)))

(* 64 bits never occur twice by chance: an equal value means that two sequences have met. *)
let no_word_twice () =
  let seen = Hashtbl.create 100_000 in
  let add what i word =
    match Hashtbl.find_opt seen word with
    | Some (what', i') -> Alcotest.failf "word %d of %s is word %d of %s" i what i' what'
    | None -> Hashtbl.add seen word (what, i)
  in
  List.iter
    (fun seed ->
      let t = Random.make seed in
      for i = -1000 to 1000 do
        add (Printf.sprintf "seed %d by index" seed) i (Random.bits64_at t i);
        let at = Random.at t i in
        for k = 0 to 3 do
          add (Printf.sprintf "seed %d at %d" seed i) k (Random.bits64 at)
        done
      done;
      List.iter
        (fun i -> add (Printf.sprintf "seed %d at" seed) i (Random.bits64 (Random.at t i)))
        [ min_int; max_int; max_int / 2; min_int / 2 ];
      let u = Random.split t in
      for k = 0 to 1000 do
        add (Printf.sprintf "seed %d draws" seed) k (Random.bits64 t);
        add (Printf.sprintf "seed %d split" seed) k (Random.bits64 u)
      done)
    [ 0; 1; 2; -1; max_int; min_int ]

let what_changes_a_generator () =
  let t = Random.make 5 in
  let words t = List.init 4 (fun _ -> Random.bits64 t) in
  let copy = Random.copy t in
  ignore (Random.at t 3);
  ignore (Random.float_at t 3 1.);
  ignore (Random.int_at t 3 7);
  ignore (Random.bits_at t 3 + Bool.to_int (Random.bool_at t 3));
  Alcotest.(check (list int64)) "nothing by index does" (words copy) (words t);
  let before = Random.bits64_at t 3 and copy = Random.copy t in
  Alcotest.(check int64) "a copy is the same by index" before (Random.bits64_at copy 3);
  ignore (Random.bits t);
  if Random.bits64_at t 3 = before then Alcotest.fail "a draw leaves the numbers by index";
  Alcotest.(check int64) "draws do not touch copies" before (Random.bits64_at copy 3)

let no_allocation () =
  let t = Random.make 6 and sum = ref 0 in
  let before = Gc.minor_words () in
  for i = 0 to 9_999 do
    sum :=
      !sum + Random.bits t + Random.int t 10 + Random.int t max_int + Random.bits_at t i
      + Random.int_at t i 10;
    sum := !sum + Random.int_at t i max_int + Bool.to_int (Random.bool t) + Bool.to_int (Random.bool_at t i)
  done;
  let words = Gc.minor_words () -. before in
  if Sys.opaque_identity !sum <> 0 && words > 1_000. then Alcotest.failf "%.0f words" words

(* --- the same for every number of domains --- *)

let same_for_all_sizes () =
  let n = 20_000 in
  let results = ref [] in
  in_each_size (fun () ->
      let t = Random.make 7 in
      let floats = Array.make n 0. and ints = Array.make n 0 in
      Weft.parallel_for ~start:0 ~finish:(n - 1)
        ~body:(fun i ->
          floats.(i) <- Random.float_at t i 1.;
          ints.(i) <- Random.int (Random.at t i) 1000)
        ();
      let rec tree t depth =
        if depth = 0 then [ Random.bits t ]
        else
          let u = Random.split t in
          let a, b = Weft.par (fun () -> tree t (depth - 1)) (fun () -> tree u (depth - 1)) in
          a @ b
      in
      let words = Array.init n string_of_int in
      Random.shuffle t words;
      results := (floats, ints, tree t 8, words, Random.permutation t n, Random.permutation t 100) :: !results);
  match !results with
  | first :: rest -> List.iteri (fun i r -> if r <> first then Alcotest.failf "result %d differs" i) rest
  | [] -> assert false

(* --- orders --- *)

let is_permutation p =
  let sorted = Array.copy p in
  Array.sort Int.compare sorted;
  sorted = Array.init (Array.length p) Fun.id

let permutations () =
  in_each_size @@ fun () ->
  let t = Random.make 8 in
  List.iter
    (fun n ->
      let p = Random.permutation t n in
      check_int "length" n (Array.length p);
      if not (is_permutation p) then Alcotest.failf "no permutation of %d" n;
      List.iter
        (fun bucket ->
          if not (is_permutation (Random.Private.permutation ~bucket t n)) then
            Alcotest.failf "no permutation of %d by buckets of %d" n bucket)
        [ 1; 2; 7; 100 ])
    [ 0; 1; 2; 3; 10; 1000; 4097; 30_000 ];
  let floats = Array.init 10_000 float in
  Random.shuffle t floats;
  if not (is_permutation (Array.map int_of_float floats)) then Alcotest.fail "shuffled floats";
  if floats = Array.init 10_000 float then Alcotest.fail "not shuffled"

(* The index of a permutation of [0; 1; 2; 3] among the 24. *)
let number p =
  let below i = Array.fold_left (fun n j -> if j < p.(i) then n + 1 else n) 0 (Array.sub p i (4 - i)) in
  (below 0 * 6) + (below 1 * 2) + below 2

let orders_equally_likely () =
  let t = Random.make 9 in
  Weft.run ~domains:2 @@ fun () ->
  List.iter
    (fun bucket ->
      let what = Printf.sprintf "4 elements, bucket %d" bucket in
      check_even what ~samples:12_000 24 (fun _ -> number (Random.Private.permutation ~bucket t 4)))
    [ 1; 2; 3; 4 ];
  check_even "2 elements" ~samples:12_000 2 (fun _ -> (Random.permutation t 2).(0));
  (* Where the first, a middle and the last of many elements go. *)
  List.iter
    (fun from ->
      check_even "places" ~samples:3_000 10 (fun _ ->
          let p = Random.Private.permutation ~bucket:20 t 100 in
          let rec place i = if p.(i) = from then i else place (i + 1) in
          place 0 / 10))
    [ 0; 47; 99 ]

let tests =
  [
    case "the words are the published ones" published;
    case "numbers are within their bounds" within_bounds;
    case "misuse is said" misuse;
    case "all values are equally likely" all_values_equally_likely;
    case "mean and variance are those of even numbers" mean_and_variance;
    case "neighbours in any direction are independent" neighbours_are_independent;
    case "sequences do not meet" no_word_twice;
    case "draws change a generator, indices do not" what_changes_a_generator;
    case "nothing is allocated" no_allocation;
    case "the same numbers and orders for every number of domains" same_for_all_sizes;
    case "shuffling loses and doubles nothing" permutations;
    case "all orders are equally likely" orders_equally_likely;
  ]
