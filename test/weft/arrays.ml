open Support
open Random_arrays
module A = Weft.Array

(* Random arrays, against OCaml's own functions. *)

let filtered p a = Array.of_list (List.filter p (Array.to_list a))
let compare_in kind m x y = compare (kind.to_int x / m) (kind.to_int y / m)

(* The composition of the functions x -> a x + b modulo a prime: associative, not commutative, with a
   neutral element. *)
let prime = 10_007
let compose (a, b) (c, d) = (a * c mod prime, ((b * c) + d) mod prime)
let affine kind x = ((kind.to_int x mod 5) + 2, kind.to_int x)

let first_occurrences kind m a =
  Array.fold_left
    (fun groups x ->
      let k = kind.of_int (kind.to_int x mod m) in
      if List.mem_assoc k groups then
        List.map (fun (l, xs) -> if compare l k = 0 then (l, x :: xs) else (l, xs)) groups
      else groups @ [ (k, [ x ]) ])
    [] a
  |> List.map (fun (k, xs) -> (k, Array.of_list (List.rev xs)))
  |> Array.of_list

let same_groups expected got =
  Array.length expected = Array.length got
  && Array.for_all2 (fun (k, xs) (l, ys) -> compare k l = 0 && same xs ys) expected got

let making =
  [
    ( "init",
      {
        holds =
          (fun _ _ a ->
            let n = Array.length a in
            same a (A.init n (Array.get a)));
      } );
    ( "make",
      {
        holds =
          (fun kind _ a ->
            let n = Array.length a and x = kind.of_int 3 in
            same (Array.make n x) (A.make n x));
      } );
    ("of_list and to_list", { holds = (fun _ _ a -> same a (A.of_list (A.to_list a))) });
    ("of_seq and to_seq", { holds = (fun _ _ a -> same a (A.of_seq (A.to_seq a))) });
  ]

let copying =
  [
    ( "append",
      {
        holds =
          (fun kind rand a ->
            let b = array_of kind rand (Random.State.int rand 50) in
            same (Array.append a b) (A.append a b) && same (Array.append b a) (A.append b a));
      } );
    ( "concat and flatten",
      {
        holds =
          (fun _ rand a ->
            let n = Array.length a in
            let part _ =
              let pos, len = range rand n in
              Array.sub a pos len
            in
            let parts = List.init (Random.State.int rand 6) part in
            let expected = Array.concat parts in
            same expected (A.concat parts) && same expected (A.flatten (Array.of_list parts)));
      } );
    ( "sub",
      {
        holds =
          (fun _ rand a ->
            let pos, len = range rand (Array.length a) in
            same (Array.sub a pos len) (A.sub a pos len));
      } );
    ("copy", { holds = (fun _ _ a -> same a (A.copy a) && (Array.length a = 0 || A.copy a != a)) });
    ( "blit",
      {
        holds =
          (fun kind rand a ->
            let n = Array.length a in
            let b = array_of kind rand n and c = Array.copy a in
            let pos, len = range rand n in
            let into = Random.State.int rand (n - len + 1) in
            let expected_b = Array.copy b and expected_c = Array.copy a in
            Array.blit a pos expected_b into len;
            Array.blit a pos expected_c into len;
            A.blit a pos b into len;
            A.blit c pos c into len;
            same expected_b b && same expected_c c);
      } );
    ( "fill",
      {
        holds =
          (fun kind rand a ->
            let pos, len = range rand (Array.length a) and b = Array.copy a in
            Array.fill b pos len (kind.of_int 777);
            A.fill a pos len (kind.of_int 777);
            same b a);
      } );
    ( "rev",
      {
        holds =
          (fun _ _ a ->
            let n = Array.length a in
            same (Array.init n (fun i -> a.(n - 1 - i))) (A.rev a));
      } );
  ]

let element_by_element =
  [
    ( "map, also to other kinds",
      {
        holds =
          (fun kind _ a ->
            let double x = kind.of_int (2 * kind.to_int x) and half x = float (kind.to_int x) /. 2. in
            same (Array.map double a) (A.map double a)
            && same (Array.map half a) (A.map half a)
            && same (Array.map kind.to_int a) (A.map kind.to_int a));
      } );
    ( "mapi",
      {
        holds =
          (fun kind _ a ->
            let f i x = kind.of_int (i + kind.to_int x) in
            same (Array.mapi f a) (A.mapi f a));
      } );
    ( "map2",
      {
        holds =
          (fun kind rand a ->
            let b = array_of kind rand (Array.length a) in
            let f x y = kind.of_int (kind.to_int x - kind.to_int y) in
            same (Array.map2 f a b) (A.map2 f a b));
      } );
    ( "iter, iteri and iter2",
      {
        holds =
          (fun kind rand a ->
            let n = Array.length a in
            let pos, len = range rand n in
            let total = Atomic.make 0 and seen = Array.make n None and pairs = Atomic.make 0 in
            A.iter_sub ~pos ~len (fun x -> ignore (Atomic.fetch_and_add total (1 + kind.to_int x))) a;
            A.iteri_sub ~pos ~len (fun i x -> seen.(i) <- Some x) a;
            A.iter2 (fun x y -> if x == y then Atomic.incr pairs) a a;
            let expected = Array.mapi (fun i x -> if i >= pos && i < pos + len then Some x else None) a in
            Array.fold_left (fun sum x -> sum + 1 + kind.to_int x) 0 (Array.sub a pos len) = Atomic.get total
            && same expected seen
            && (Obj.tag (Obj.repr a) = Obj.double_array_tag || Atomic.get pairs = n));
      } );
    ( "map_inplace and mapi_inplace",
      {
        holds =
          (fun kind rand a ->
            let pos, len = range rand (Array.length a) in
            let b = Array.copy a in
            let f i x = kind.of_int (i + (2 * kind.to_int x)) in
            let within i x y = if i >= pos && i < pos + len then y else x in
            A.map_inplace_sub ~pos ~len (f 1) a;
            same (Array.mapi (fun i x -> within i x (f 1 x)) b) a
            &&
            let b = Array.copy a in
            A.mapi_inplace_sub ~pos ~len f a;
            same (Array.mapi (fun i x -> within i x (f i x)) b) a);
      } );
    ( "split and combine",
      {
        holds =
          (fun kind _ a ->
            let pairs = Array.map (fun x -> (x, float (kind.to_int x))) a in
            let xs, ys = A.split pairs in
            same a xs && same (Array.map snd pairs) ys && same pairs (A.combine xs ys));
      } );
  ]

let choosing =
  [
    ( "filter",
      {
        holds =
          (fun kind rand a ->
            let p = predicate kind rand in
            same (filtered p a) (A.filter p a));
      } );
    ( "filter_map",
      {
        holds =
          (fun kind rand a ->
            let p = predicate kind rand in
            let same_with g =
              let f x = if p x then Some (g x) else None in
              same (Array.of_list (List.filter_map f (Array.to_list a))) (A.filter_map f a)
            in
            same_with Fun.id && same_with (fun x -> float (kind.to_int x)));
      } );
    ( "partition",
      {
        holds =
          (fun kind rand a ->
            let p = predicate kind rand in
            let yes, no = A.partition p a in
            same (filtered p a) yes && same (filtered (Fun.negate p) a) no);
      } );
    ( "flat_map",
      {
        holds =
          (fun kind _ a ->
            let f x = Array.make (kind.to_int x mod 4) x in
            same (Array.concat (List.map f (Array.to_list a))) (A.flat_map f a));
      } );
    ( "group_by: groups by first element, elements in order",
      {
        holds =
          (fun kind rand a ->
            let m = 1 + Random.State.int rand 12 in
            let key x = kind.of_int (kind.to_int x mod m) in
            same_groups (first_occurrences kind m a) (A.group_by ~key a));
      } );
  ]

let summaries =
  [
    ( "reduce",
      {
        holds =
          (fun kind rand a ->
            let a = Array.map (affine kind) a in
            let pos, len = range rand (Array.length a) in
            A.reduce compose (3, 1) a = Array.fold_left compose (3, 1) a
            && A.reduce ~pos ~len compose (3, 1) a = Array.fold_left compose (3, 1) (Array.sub a pos len));
      } );
    ( "map_reduce",
      {
        holds =
          (fun kind rand a ->
            let pos, len = range rand (Array.length a) in
            let expected = Array.fold_left compose (3, 1) (Array.map (affine kind) (Array.sub a pos len)) in
            A.map_reduce ~pos ~len (affine kind) compose (3, 1) a = expected);
      } );
    ( "fold",
      {
        holds =
          (fun kind rand a ->
            let f acc x = compose acc (affine kind x) in
            let pos, len = range rand (Array.length a) in
            A.fold ~combine:compose f (1, 0) a = Array.fold_left f (1, 0) a
            && A.fold ~pos ~len ~combine:compose f (1, 0) a = Array.fold_left f (1, 0) (Array.sub a pos len));
      } );
    ( "fold_left and fold_right",
      {
        holds =
          (fun _ _ a ->
            A.fold_left (fun l x -> x :: l) [] a = List.rev (Array.to_list a)
            && A.fold_right List.cons a [] = Array.to_list a);
      } );
    ( "count",
      {
        holds =
          (fun kind rand a ->
            let p = predicate kind rand in
            let pos, len = range rand (Array.length a) in
            A.count p a = Array.length (filtered p a)
            && A.count ~pos ~len p a = Array.length (filtered p (Array.sub a pos len)));
      } );
    ( "min and max: the first of equal ones",
      {
        holds =
          (fun kind rand a ->
            (* Elements that the comparison takes for equal; the second component tells them apart. *)
            let a = Array.mapi (fun i x -> (x, i)) a in
            let m = 1 + Random.State.int rand 30 in
            let compare (x, _) (y, _) = compare_in kind m x y in
            let first better =
              Array.fold_left
                (fun best x -> match best with Some b when not (better (compare x b)) -> best | _ -> Some x)
                None
            in
            let pos, len = range rand (Array.length a) in
            let part = Array.sub a pos len in
            let or_none f = match f () with x -> Some x | exception Invalid_argument _ -> None in
            let least = first (fun c -> c < 0) and greatest = first (fun c -> c > 0) in
            A.min_opt compare a = least a
            && A.max_opt compare a = greatest a
            && A.min_opt ~pos ~len compare a = least part
            && A.max_opt ~pos ~len compare a = greatest part
            && or_none (fun () -> A.min ~pos ~len compare a) = least part
            && or_none (fun () -> A.max ~pos ~len compare a) = greatest part);
      } );
    ( "histogram",
      {
        holds =
          (fun kind rand a ->
            let pos, len = range rand (Array.length a) in
            let is_right buckets =
              let f x = kind.to_int x mod buckets in
              let expected = Array.make buckets 0 in
              Array.iter (fun x -> expected.(f x) <- expected.(f x) + 1) (Array.sub a pos len);
              same expected (A.histogram ~pos ~len ~buckets f a)
            in
            is_right 1 && is_right 5 && is_right 100);
      } );
  ]

let searches =
  [
    ( "exists and for_all",
      {
        holds =
          (fun kind rand a ->
            let p = predicate kind rand in
            let pos, len = range rand (Array.length a) in
            let part = Array.sub a pos len in
            A.exists p a = Array.exists p a
            && A.for_all p a = Array.for_all p a
            && A.exists_sub ~pos ~len p a = Array.exists p part
            && A.for_all_sub ~pos ~len p a = Array.for_all p part);
      } );
    ( "mem and memq",
      {
        holds =
          (fun kind rand a ->
            let x = kind.of_int (Random.State.int rand 200) in
            let pos, len = range rand (Array.length a) in
            let part = Array.sub a pos len in
            A.mem x a = Array.mem x a
            && A.mem_sub ~pos ~len x a = Array.mem x part
            && A.memq x a = Array.memq x a
            && (len = 0 || A.memq_sub ~pos ~len part.(0) a = Array.memq part.(0) part));
      } );
    ( "find, find_opt, find_index, find_map and find_mapi: the first",
      {
        holds =
          (fun kind rand a ->
            let a = Array.mapi (fun i x -> (x, i)) a in
            let p = predicate kind rand in
            let p (x, _) = p x in
            let some x = if p x then Some (x, "yes") else None in
            let pos, len = range rand (Array.length a) in
            let expected = Array.find_opt p (Array.sub a pos len) in
            A.find_opt p a = Array.find_opt p a
            && A.find_opt_sub ~pos ~len p a = expected
            && (match A.find ~pos ~len p a with
               | x -> Some x = expected
               | exception Not_found -> expected = None)
            && A.find_index_sub ~pos ~len p a = Option.map snd expected
            && A.find_map_sub ~pos ~len some a = Option.map (fun x -> (x, "yes")) expected
            && A.find_mapi_sub ~pos ~len (fun i x -> if p x then Some i else None) a = Option.map snd expected);
      } );
  ]

let scans =
  [
    ( "scan and scan_exclusive, also as functions of Weft",
      {
        holds =
          (fun kind _ a ->
            let a = Array.map (affine kind) a in
            let sum = ref (1, 0) in
            let inclusive =
              Array.map
                (fun x ->
                  sum := compose !sum x;
                  !sum)
                a
            in
            let sum = ref (3, 1) in
            let exclusive =
              Array.map
                (fun x ->
                  let before = !sum in
                  sum := compose before x;
                  before)
                a
            in
            same inclusive (A.scan compose a)
            && same inclusive (Weft.parallel_scan compose a)
            && same exclusive (A.scan_exclusive compose (3, 1) a)
            && same exclusive (Weft.parallel_scan_exclusive compose (3, 1) a));
      } );
    ( "scans of floats are unboxed",
      {
        holds =
          (fun kind _ a ->
            (* Multiples of 1/4: the sum is exact in any order. *)
            let a = Array.map (fun x -> float (kind.to_int x) /. 4.) a in
            let sum = ref 0. in
            let inclusive =
              Array.map
                (fun x ->
                  sum := !sum +. x;
                  !sum)
                a
            in
            let exclusive = Array.mapi (fun i x -> inclusive.(i) -. x) a in
            same inclusive (A.scan ( +. ) a) && same exclusive (A.scan_exclusive ( +. ) 0. a));
      } );
  ]

let like_stdlib properties () =
  everywhere @@ fun () -> List.iter (fun (name, property) -> check_property name property) properties

(* Lengths at which copying takes several blocks of any size. *)
let long_copies () =
  everywhere @@ fun () ->
  let lengths = QCheck.Gen.int_range 10_000 20_000 in
  List.iter (fun (name, property) -> check_property ~count:3 ~lengths name property) copying

let overlapping () =
  everywhere @@ fun () ->
  let n = 20_000 in
  List.iter
    (fun (from, into) ->
      let a = Array.init n Fun.id and expected = Array.init n Fun.id in
      Array.blit expected from expected into (n - 100);
      A.blit a from a into (n - 100);
      if not (same expected a) then Alcotest.failf "from %d to %d" from into)
    [ (0, 1); (1, 0); (3, 100); (100, 3); (50, 50) ]

let tests =
  [
    case "making arrays is as in the standard library" (like_stdlib making);
    case "copying is as in the standard library" (like_stdlib copying);
    case "copying long arrays is as in the standard library" long_copies;
    case "blits whose long ranges overlap" overlapping;
    case "maps and iterations are as in the standard library" (like_stdlib element_by_element);
    case "filters and groups are those of lists" (like_stdlib choosing);
    case "summaries are those of sequential folds" (like_stdlib summaries);
    case "searches are as in the standard library" (like_stdlib searches);
    case "scans are those of sequential loops" (like_stdlib scans);
  ]
