open Support
open Random_arrays
module A = Weft.Array

(* Random arrays, against plain programs. *)

let filteri p a = Array.of_list (List.filteri p (Array.to_list a))

let prefixes f init a =
  let acc = ref init in
  let before =
    Array.map
      (fun x ->
        let here = !acc in
        acc := f here x;
        here)
      a
  in
  (before, !acc)

let some_of =
  [
    ( "filteri",
      {
        holds =
          (fun kind rand a ->
            let p = predicate kind rand and m = 1 + Random.State.int rand 5 in
            let p i x = i mod m = 0 && p x in
            same (filteri p a) (A.filteri p a));
      } );
    ( "pack and pack_index",
      {
        holds =
          (fun kind rand a ->
            let flags = Array.map (predicate kind rand) a in
            same (filteri (fun i _ -> flags.(i)) a) (A.pack flags a)
            && A.pack_index flags = filteri (fun i _ -> flags.(i)) (Array.init (Array.length a) Fun.id));
      } );
  ]

let in_another_order =
  [
    ( "rev_inplace",
      {
        holds =
          (fun _ rand a ->
            let n = Array.length a in
            let pos, len = range rand n and b = Array.copy a and c = Array.copy a in
            A.rev_inplace b;
            A.rev_inplace ~pos ~len c;
            let part i = if i >= pos && i < pos + len then pos + pos + len - 1 - i else i in
            same (Array.init n (fun i -> a.(n - 1 - i))) b && same (Array.init n (fun i -> a.(part i))) c);
      } );
    ( "rotate",
      {
        holds =
          (fun _ rand a ->
            let n = Array.length a in
            List.for_all
              (fun k ->
                let place i = (((i + (k mod n)) mod n) + n) mod n in
                same (Array.init n (fun i -> a.(place i))) (A.rotate k a))
              [ 0; 1; -1; n; Random.State.int rand (n + 1); min_int; max_int ]);
      } );
  ]

(* [compare] is 0 for several elements. *)
let coarse kind rand =
  let m = 1 + Random.State.int rand 60 in
  fun x y -> Int.compare (kind.to_int x mod m) (kind.to_int y mod m)

let first_best better a =
  let at = ref 0 in
  Array.iteri (fun i x -> if better x a.(!at) then at := i) a;
  !at

let extremes =
  [
    ( "min_index, max_index and minmax",
      {
        holds =
          (fun kind rand a ->
            let cmp = coarse kind rand in
            let check pos len =
              let part = Array.sub a pos len in
              let least = first_best (fun x y -> cmp x y < 0) part in
              let greatest = first_best (fun x y -> cmp x y > 0) part in
              len = 0
              || A.min_index ~pos ~len cmp a = pos + least
                 && A.max_index ~pos ~len cmp a = pos + greatest
                 && compare (A.minmax ~pos ~len cmp a) (part.(least), part.(greatest)) = 0
            in
            let pos, len = range rand (Array.length a) in
            check pos len && check 0 (Array.length a));
      } );
    ( "for_none",
      {
        holds =
          (fun kind rand a ->
            let p = predicate kind rand in
            let pos, len = range rand (Array.length a) in
            A.for_none p a = not (Array.exists p a)
            && A.for_none ~pos ~len p a = not (Array.exists p (Array.sub a pos len)));
      } );
  ]

(* Equal arrays, those that differ in one element, and those of which one begins like the other. *)
let similar kind rand a =
  let n = Array.length a in
  match Random.State.int rand 4 with
  | 0 -> Array.copy a
  | 1 -> Array.sub a 0 (Random.State.int rand (n + 1))
  | 2 -> Array.append a (array_of kind rand 2)
  | _ ->
      let b = Array.copy a in
      if n > 0 then b.(Random.State.int rand n) <- kind.of_int (Random.State.int rand 100);
      b

let pairs =
  [
    ( "equal, compare and mismatch",
      {
        holds =
          (fun kind rand a ->
            let b = similar kind rand a and cmp = coarse kind rand in
            let eq x y = cmp x y = 0 in
            let x = Array.to_list a and y = Array.to_list b in
            let rec differ i = function
              | [], [] -> None
              | x :: xs, y :: ys when eq x y -> differ (i + 1) (xs, ys)
              | _ -> Some i
            in
            let sign n = Int.compare n 0 in
            let lengths = List.compare_lengths x y in
            A.equal eq a b = List.equal eq x y
            && A.mismatch eq a b = differ 0 (x, y)
            && sign (A.compare cmp a b) = sign (if lengths <> 0 then lengths else List.compare cmp x y));
      } );
  ]

let scans =
  [
    ( "scan_total",
      {
        holds =
          (fun kind _ a ->
            let add x y = kind.of_int ((kind.to_int x + kind.to_int y) mod 10_000) in
            let expected, total = prefixes add (kind.of_int 3) a in
            let got, sum = A.scan_total add (kind.of_int 3) a in
            same expected got && compare total sum = 0);
      } );
    ( "scans in place",
      {
        holds =
          (fun kind rand a ->
            let join x y = kind.of_int (max (kind.to_int x) (kind.to_int y)) in
            let pos, len = range rand (Array.length a) in
            let put part =
              let b = Array.copy a in
              Array.blit part 0 b pos len;
              b
            in
            let before, total = prefixes join (kind.of_int 3) (Array.sub a pos len) in
            let b = Array.copy a and c = Array.copy a in
            let sum = A.scan_exclusive_inplace ~pos ~len join (kind.of_int 3) b in
            A.scan_inplace ~pos ~len join c;
            same (put before) b && compare total sum = 0 && same (put (A.scan join (Array.sub a pos len))) c);
      } );
  ]

let properties table () =
  everywhere @@ fun () -> List.iter (fun (name, property) -> check_property ~count:30 name property) table

(* Which element comes before which shows in a text. *)
let order_of_scans () =
  everywhere @@ fun () ->
  List.iter
    (fun n ->
      let a = Array.init n (fun i -> string_of_int (i mod 10)) in
      let expected, total = prefixes ( ^ ) "<" a in
      let b = Array.copy a and c = Array.copy a in
      let got, sum = A.scan_total ( ^ ) "<" a in
      let same_sum = A.scan_exclusive_inplace ( ^ ) "<" b in
      A.scan_inplace ( ^ ) c;
      let inclusive = Array.init n (fun i -> String.concat "" (Array.to_list (Array.sub a 0 (i + 1)))) in
      if got <> expected || sum <> total || b <> expected || same_sum <> total || c <> inclusive then
        Alcotest.failf "wrong with %d elements" n)
    [ 0; 1; 2; 63; 64; 65; 200; 500 ]

(* --- exceptions --- *)

let misuse () =
  let refuse name f = raises_invalid name ("Weft.Array." ^ name ^ ": ") f in
  refuse "pack" (fun () -> A.pack [| true |] [| 1; 2 |]);
  refuse "min_index" (fun () -> A.min_index compare ([||] : int array));
  refuse "max_index" (fun () -> A.max_index ~pos:1 compare [| 1 |]);
  refuse "minmax" (fun () -> A.minmax ~len:0 compare [| 1 |]);
  refuse "rev_inplace" (fun () -> A.rev_inplace ~pos:2 [| 1 |]);
  refuse "scan_inplace" (fun () -> A.scan_inplace ~len:2 ( + ) [| 1 |]);
  refuse "scan_exclusive_inplace" (fun () -> A.scan_exclusive_inplace ~len:2 ( + ) 0 [| 1 |]);
  refuse "for_none" (fun () -> A.for_none ~len:2 (fun _ -> true) [| 1 |])

(* Like the sequential search, [compare] and [mismatch] raise what comes before the answer, and nothing that
   comes behind it. *)
let as_in_order () =
  everywhere @@ fun () ->
  let rand = Random.State.make [| 6 |] in
  for _ = 1 to 40 do
    let n = 2 + Random.State.int rand 3000 in
    let bad = Random.State.int rand n and different = Random.State.int rand n in
    let a = Array.init n Fun.id in
    let eq i _ = if i = bad then raise (Planned i) else i <> different in
    let outcome f = match f () with r -> Ok r | exception Planned i -> Error i in
    let expected = if bad <= different then Error bad else Ok different in
    if outcome (fun () -> Option.get (A.mismatch eq a a)) <> expected then
      Alcotest.failf "mismatch: %d elements, difference at %d, failure at %d" n different bad;
    let cmp i _ = if eq i i then 0 else i + 1 in
    if outcome (fun () -> A.compare cmp a a - 1) <> expected then
      Alcotest.failf "compare: %d elements, difference at %d, failure at %d" n different bad;
    match A.equal eq a a with true -> Alcotest.fail "equal" | false | (exception Planned _) -> ()
  done

(* --- collections --- *)

(* To make an array of young blocks forces no collection. *)
let collections () =
  Weft.run ~domains:1 @@ fun () ->
  let check_times times name f =
    (* Those of the only domain: [Gc.quick_stat] forgets words of domains that end, from OCaml 5.4 on. *)
    let before = Gc.quick_stat () and words_before = Gc.minor_words () in
    for _ = 1 to times do
      ignore (Sys.opaque_identity (f ()))
    done;
    let after = Gc.quick_stat () in
    let words = Gc.minor_words () -. words_before in
    (* Those for what was allocated and stored, and fewer than one for each call. *)
    let most = (times / 2) + 4 + int_of_float (6. *. words /. float (Gc.get ()).minor_heap_size) in
    let collections = after.minor_collections - before.minor_collections in
    if collections > most then
      Alcotest.failf "%s, %d times: %d minor collections for %.0f words" name times collections words
  in
  let n = 3000 in
  let a = Array.init n Fun.id in
  let check name f = check_times 200 name f in
  let pair i = (i, i) in
  check "filter_map" (fun () -> A.filter_map (fun i -> Some (pair i)) a);
  check "map" (fun () -> A.map pair a);
  check "init" (fun () -> A.init n pair);
  check "init, short" (fun () -> A.init 600 pair);
  check "combine" (fun () -> A.combine a a);
  check "flat_map" (fun () -> A.flat_map (fun i -> [| pair i |]) a);
  check "scan" (fun () -> A.scan (fun _ y -> y) (Array.sub (A.map pair a) 0 1000));
  check "rev" (fun () -> A.rev (A.map pair a));
  check "merge" (fun () -> A.merge compare (A.map pair a) (A.map pair a));
  check "sorted" (fun () -> A.sorted (fun (x, _) (y, _) -> Int.compare y x) (A.map pair a));
  check "filter" (fun () -> A.filter (fun (i, _) -> i land 1 = 0) (A.map pair a));
  check "split" (fun () -> A.split (A.map (fun i -> (pair i, pair i)) a));
  check "group_by" (fun () -> A.group_by ~key:(fun (i, _) -> i land 3) (A.map pair a));
  let long = Array.init 200_000 Fun.id in
  check_times 2 "filter_map, long" (fun () -> A.filter_map (fun i -> Some (pair i)) long);
  let pairs () = Weft.Seq.map pair (Weft.Seq.of_array a) in
  check "sequence" (fun () -> Weft.Seq.to_array (pairs ()));
  check "filtered sequence" (fun () -> Weft.Seq.to_array (Weft.Seq.filter (fun _ -> true) (pairs ())))

let tests =
  [
    case "some of the elements" (properties some_of);
    case "another order" (properties in_another_order);
    case "the least and the greatest" (properties extremes);
    case "two arrays" (properties pairs);
    case "prefix sums" (properties scans);
    case "prefix sums are in order" order_of_scans;
    case "misuse is told by name" misuse;
    case "comparing arrays raises what the sequential program would raise" as_in_order;
    case "young results force no collections" collections;
  ]
