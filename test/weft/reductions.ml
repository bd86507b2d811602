open Support
open Loops

(* Reductions and prefix sums: the order of combination, which depends only on the range. *)

(* --- operations that are associative, but not commutative --- *)

let p = 1_000_003

let times (a, b, c, d) (e, f, g, h) =
  (((a * e) + (b * g)) mod p, ((a * f) + (b * h)) mod p, ((c * e) + (d * g)) mod p, ((c * f) + (d * h)) mod p)

let matrix i = (1 + (i land 15), i land 1023, 3, 1 + (i land 7))
let letter i = String.make (i land 1) (Char.chr (97 + (abs i mod 26))) ^ string_of_int (abs i mod 10)

let ranges =
  List.map (fun n -> (0, n)) [ 1; 2; 3; 4; 5; 7; 8; 9; 31; 100; 255; 256; 257; 600; often 3000 ]
  @ [ (-5, 11); (-800, 700); (min_int, 1); (min_int, 300); (17, 1000); (max_int - 300, 300) ]

let reduce place ?chunk_size (start, n) ~body combine init =
  place.call (fun () ->
      Weft.parallel_for_reduce ?chunk_size ~start ~finish:(start + n - 1) ~body combine init)

let rec fold_left f acc start n = if n = 0 then acc else fold_left f (f acc start) (start + 1) (n - 1)

let like_fold_left () =
  everywhere @@ fun place ->
  let noisy f a b =
    noise ();
    f a b
  in
  List.iter
    (fun ((start, n) as range) ->
      List.iter
        (fun chunk_size ->
          let what = Printf.sprintf "%s, %d from %d" place.name n start in
          let body i =
            noise ();
            letter i
          in
          Alcotest.(check string)
            what
            (String.concat "" (">" :: List.init n (fun k -> letter (start + k))))
            (reduce place ?chunk_size range ~body (noisy ( ^ )) ">");
          if
            reduce place ?chunk_size range ~body:matrix (noisy times) (2, 3, 5, 7)
            <> fold_left (fun acc i -> times acc (matrix i)) (2, 3, 5, 7) start n
          then Alcotest.failf "%s: matrices" what)
        (if n > 100 then [ None; Some 3 ] else [ None; Some 1; Some 2; Some 10; Some max_int ]))
    ranges

let up_to_max_int () =
  (* The loop must not try an index beyond the end: that would be [min_int], far before the end. *)
  everywhere @@ fun place ->
  List.iter
    (fun n ->
      let start = max_int - n + 1 in
      let body i =
        if i < start then Alcotest.failf "%s, the last %d: body %d" place.name n i;
        [ i - start ]
      in
      List.iter
        (fun chunk_size ->
          Alcotest.(check (list int))
            "appended" (-1 :: List.init n Fun.id)
            (reduce place ?chunk_size (start, n) ~body ( @ ) [ -1 ]))
        [ None; Some 1; Some 3; Some max_int ])
    [ 1; 2; 3; 10; 300 ]

let lists () =
  everywhere @@ fun place ->
  List.iter
    (fun n ->
      Alcotest.(check (list int))
        "appended" (-1 :: List.init n Fun.id)
        (reduce place (0, n) ~body:(fun i -> [ i ]) ( @ ) [ -1 ]))
    [ 1; 2; 10; 500 ]

let init_enters_once () =
  everywhere @@ fun place ->
  List.iter
    (fun n ->
      let calls = Atomic.make 0 and bodies = Atomic.make 0 in
      let body _ =
        Atomic.incr bodies;
        0
      in
      let combine a b =
        Atomic.incr calls;
        a + b
      in
      check_int "sum" 1 (reduce place (0, n) ~body combine 1);
      check_int "bodies" n (Atomic.get bodies);
      check_int "combinations" n (Atomic.get calls))
    [ 1; 2; 3; 8; 100; 257; 10_000 ]

(* --- the same tree always --- *)

type tree = Leaf of int | Node of tree * tree

let rec equal a b =
  a == b
  ||
  match (a, b) with
  | Leaf i, Leaf j -> i = j
  | Node (a, b), Node (c, d) -> equal a c && equal b d
  | _ -> false

let grow a b =
  noise ();
  Node (a, b)

let same_tree () =
  List.iter
    (fun (start, n, chunk_size) ->
      let tree place =
        let body i =
          noise ();
          Leaf (i - start)
        in
        reduce place ?chunk_size (start, n) ~body grow (Leaf (-1))
      in
      let expected =
        Weft.run ~domains:1 (fun () -> tree { name = ""; domains = 1; call = (fun f -> f ()) })
      in
      everywhere (fun place ->
          for _ = 1 to often 4 do
            if not (equal expected (tree place)) then
              Alcotest.failf "%s, %d from %d: another tree" place.name n start
          done;
          in_threads 2 (fun _ ->
              if not (equal expected (tree place)) then Alcotest.failf "%s, threads: another tree" place.name)))
    [
      (0, 2, None);
      (0, 7, None);
      (-9, 100, None);
      (0, 100, Some 3);
      (5, 300, None);
      (min_int, often 2000, None);
    ]

(* Sums that depend on the order of every addition. *)
let float_of i =
  (if i land 1 = 0 then 1. else -1.) *. Float.exp2 (float (i * 7919 mod 60)) /. float (1 + (abs i land 255))

let bits = Int64.bits_of_float

let noisy_sum a b =
  noise ();
  a +. b

let same_bits () =
  List.iter
    (fun (n, chunk_size) ->
      let sum place = bits (reduce place ?chunk_size (0, n) ~body:float_of noisy_sum 0.5) in
      let expected = Weft.run ~domains:1 (fun () -> sum { name = ""; domains = 1; call = (fun f -> f ()) }) in
      everywhere (fun place ->
          for _ = 1 to often 4 do
            if sum place <> expected then Alcotest.failf "%s: other bits" place.name
          done))
    [ (10, None); (500, None); (500, Some 10); (often 6_000, None) ]

let failures () =
  with_suppressed @@ fun suppressed ->
  everywhere @@ fun place ->
  for k = 0 to often 9 do
    let smallest = Atomic.make max_int in
    let body i =
      noise ();
      if i mod 50 = k then begin
        lower_to smallest i;
        culprit i
      end;
      i
    in
    (match reduce place (0, 1000) ~body ( + ) 0 with
    | _ -> Alcotest.fail "no exception"
    | exception Planned i -> check_int "the smallest that ran" (Atomic.get smallest) i);
    (* Bodies never fail; combining fails if the left operand starts at a multiple of 100. *)
    let failed = Atomic.make [] in
    let combine (a, _) (_, b) =
      noise ();
      if b - a >= 20 + k then begin
        add_to failed a;
        culprit a
      end;
      (a, b)
    in
    ignore (suppressed ());
    (match reduce place (0, 1000) ~body:(fun i -> (i, i)) combine (0, 0) with
    | _ -> Alcotest.fail "no exception"
    | exception Planned i ->
        let failed = Atomic.get failed in
        check_int "the leftmost" (List.fold_left min max_int failed) i;
        Alcotest.(check (list int))
          "the others go to the handler"
          (List.sort compare (List.filter (( <> ) i) failed))
          (List.sort compare (suppressed ())));
    check_int "after a failure" 4950 (reduce place (0, 100) ~body:Fun.id ( + ) 0)
  done

let stops_after_a_failure () =
  everywhere @@ fun place ->
  let s = stopping () in
  let body i =
    begins s;
    Unix.sleepf 0.0002;
    if i = 3 then begin
      Atomic.set s.told true;
      culprit i
    end
  in
  (match reduce place ~chunk_size:1 (0, 2000) ~body (fun () () -> ()) () with
  | () -> Alcotest.fail "no exception"
  | exception Planned i -> check_int "index" 3 i);
  stopped (place.name ^ ", after the failure") s ~domains:place.domains

(* --- prefix sums --- *)

let scan_like combine a =
  let r = Array.copy a in
  for i = 1 to Array.length a - 1 do
    r.(i) <- combine r.(i - 1) a.(i)
  done;
  r

let exclusive_like combine init a =
  let r = Array.map (Fun.const init) a in
  for i = 1 to Array.length a - 1 do
    r.(i) <- combine r.(i - 1) a.(i - 1)
  done;
  r

let lengths = [ 0; 1; 2; 3; 5; 7; 8; 9; 63; 64; 65; 127; 128; 129; 500; often 4000 ]

let scans () =
  everywhere @@ fun place ->
  List.iter
    (fun n ->
      let noisy f a b =
        noise ();
        f a b
      in
      let what = Printf.sprintf "%s, %d" place.name n in
      let a = Array.init n matrix in
      if place.call (fun () -> Weft.parallel_scan (noisy times) a) <> scan_like times a then
        Alcotest.failf "%s: inclusive" what;
      let init = (2, 3, 5, 7) in
      if
        place.call (fun () -> Weft.parallel_scan_exclusive (noisy times) init a)
        <> exclusive_like times init a
      then Alcotest.failf "%s: exclusive" what;
      if a <> Array.init n matrix then Alcotest.failf "%s: the argument has changed" what;
      if n <= 500 then begin
        let a = Array.init n letter in
        Alcotest.(check (array string))
          what (scan_like ( ^ ) a)
          (place.call (fun () -> Weft.parallel_scan (noisy ( ^ )) a));
        Alcotest.(check (array string))
          what (exclusive_like ( ^ ) ">" a)
          (place.call (fun () -> Weft.parallel_scan_exclusive (noisy ( ^ )) ">" a))
      end)
    lengths

let long_scan () =
  (* The blocks have the full size. *)
  everywhere @@ fun place ->
  let n = 150_000 + place.domains in
  let a = Array.init n (fun i -> i land 1023) in
  if place.call (fun () -> Weft.parallel_scan ( + ) a) <> scan_like ( + ) a then
    Alcotest.failf "%s: inclusive" place.name;
  if place.call (fun () -> Weft.parallel_scan_exclusive ( + ) 9 a) <> exclusive_like ( + ) 9 a then
    Alcotest.failf "%s: exclusive" place.name

let same_scan () =
  let alone = { name = "one"; domains = 1; call = (fun f -> Weft.run ~domains:1 f) } in
  List.iter
    (fun n ->
      let trees place =
        let a = Array.init n (fun i -> Leaf i) in
        Array.append
          (place.call (fun () -> Weft.parallel_scan grow a))
          (place.call (fun () -> Weft.parallel_scan_exclusive grow (Leaf (-1)) a))
      in
      let floats place =
        let a = Array.init n float_of in
        let r = place.call (fun () -> Weft.parallel_scan noisy_sum a) in
        let s = place.call (fun () -> Weft.parallel_scan_exclusive noisy_sum 0.1 a) in
        (r, s)
      in
      let expected = trees alone in
      let r, s = floats alone in
      everywhere (fun place ->
          for _ = 1 to 2 do
            if not (Array.for_all2 equal expected (trees place)) then
              Alcotest.failf "%s, %d: another tree" place.name n;
            let r', s' = floats place in
            let same = Array.for_all2 (fun x y -> bits x = bits y) in
            if not (same r r' && same s s') then Alcotest.failf "%s, %d: other bits" place.name n
          done))
    (* The trees share subtrees, but comparing them does not: so the arrays are short. *)
    [ 1; 2; 9; 64; 65; 130; 200 ]

let float_arrays_are_flat () =
  (* Flat arrays and arrays of boxed floats differ when marshalled. *)
  everywhere @@ fun place ->
  List.iter
    (fun n ->
      let flat r = Marshal.to_string r [] = Marshal.to_string (Array.map (fun x -> x +. 0.) r) [] in
      let a = Array.init n float in
      Alcotest.(check bool) "scan" true (flat (place.call (fun () -> Weft.parallel_scan ( +. ) a)));
      Alcotest.(check bool)
        "scan_exclusive" true
        (flat (place.call (fun () -> Weft.parallel_scan_exclusive ( +. ) 0. a))))
    [ 1; 2; 1000 ]

let failing_scans () =
  everywhere @@ fun place ->
  List.iter
    (fun n ->
      List.iter
        (fun bad ->
          let combine a b =
            noise ();
            if b = bad then raise (Planned b);
            max a b
          in
          let a = Array.init n Fun.id in
          let fails what f =
            match place.call f with
            | (_ : int array) -> Alcotest.failf "%s, %s: no exception" place.name what
            | exception Planned i -> check_int what bad i
          in
          fails "inclusive" (fun () -> Weft.parallel_scan combine a);
          fails "exclusive" (fun () -> Weft.parallel_scan_exclusive combine (-1) (Array.append a [| n |])))
        [ 1; n / 2; n - 1 ])
    [ 3; 70; 1000 ]

let tests =
  [
    case "a reduction is the fold from the left, if associative" like_fold_left;
    case "reductions up to max_int" up_to_max_int;
    case "lists are appended in order" lists;
    case "the initial value enters once" init_enters_once;
    case "the same tree on any domains" same_tree;
    case "sums of floats have the same bits on any domains" same_bits;
    case "the leftmost failure of a reduction wins" failures;
    case "a reduction stops after a failure" stops_after_a_failure;
    case "prefix sums are those of the sequential loop" scans;
    case "long prefix sums" long_scan;
    case "prefix sums are combined in the same way on any domains" same_scan;
    case "prefix sums of floats are flat arrays" float_arrays_are_flat;
    case "failures in prefix sums" failing_scans;
  ]
