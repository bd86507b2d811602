open Support
open Random_arrays
module F = Weft.Floatarray
module S = Float.Array

let of_array a = S.init (Array.length a) (Array.get a)

(* [compare] is used because it tells empty floatarrays apart: OCaml's [sub] makes others than [create]. *)
let same expected got = compare (S.to_list expected) (S.to_list got) = 0
let part a pos len = Array.sub a pos len

(* Random arrays, against OCaml's own functions: [a] is an array, [f] the same elements as a floatarray. *)
let property holds rand a = holds rand a (of_array a)

let making rand a f =
  let n = Array.length a in
  ignore rand;
  same f (F.init n (Array.get a))
  && same (S.make n 2.5) (F.make n 2.5)
  && F.length (F.create n) = n
  && same f (F.of_array a)
  && Random_arrays.same a (F.to_array f)

let copying rand a f =
  let n = Array.length a in
  let b = array_of floats rand (Random.State.int rand 50) in
  let pos, len = range rand n in
  let into = Random.State.int rand (n - len + 1) in
  let parts =
    List.init (Random.State.int rand 6) (fun _ ->
        let pos, len = range rand n in
        S.sub f pos len)
  in
  let target = F.make n 3. and expected = S.make n 3. in
  S.blit f pos expected into len;
  F.blit f pos target into len;
  let self = S.copy f and expected_self = S.copy f in
  S.blit expected_self pos expected_self into len;
  F.blit self pos self into len;
  let filled = S.copy f and expected_filled = S.copy f in
  S.fill expected_filled pos len 9.;
  F.fill filled pos len 9.;
  same (of_array (Array.append a b)) (F.append f (of_array b))
  && same (of_array (Array.append b a)) (F.append (of_array b) f)
  && same (S.concat parts) (F.concat parts)
  && same (S.sub f pos len) (F.sub f pos len)
  && same f (F.copy f)
  && (n = 0 || F.copy f != f)
  && same expected target && same expected_self self && same expected_filled filled

let element_by_element rand a f =
  let n = Array.length a in
  let b = array_of floats rand n in
  let pos, len = range rand n in
  let seen = Array.make n 0. and total = Atomic.make 0 in
  F.iteri_sub ~pos ~len (fun i x -> seen.(i) <- x) f;
  F.iter_sub ~pos ~len (fun x -> ignore (Atomic.fetch_and_add total (floats.to_int x + 1))) f;
  let p = predicate floats rand in
  same (S.map sqrt f) (F.map sqrt f)
  && same (S.mapi (fun i x -> float i -. x) f) (F.mapi (fun i x -> float i -. x) f)
  && same (S.map2 ( -. ) f (of_array b)) (F.map2 ( -. ) f (of_array b))
  && F.map_to_array string_of_float f = Array.map string_of_float a
  && Random_arrays.same (Array.map sqrt a) (F.map_to_array sqrt f)
  && same f (F.map_of_array float_of_string (Array.map string_of_float a))
  && seen = Array.mapi (fun i x -> if i >= pos && i < pos + len then x else 0.) a
  && Atomic.get total = Array.fold_left (fun sum x -> sum + floats.to_int x + 1) 0 (part a pos len)
  && same (S.of_list (List.filter p (Array.to_list a))) (F.filter p f)

let summaries rand a f =
  let n = Array.length a in
  let pos, len = range rand n in
  let ours = part a pos len and b = array_of floats rand n in
  let p = predicate floats rand in
  let or_none g = match g () with x -> Some x | exception Invalid_argument _ -> None in
  let extreme better = function [||] -> None | a -> Some (Array.fold_left better a.(0) a) in
  (* Multiples of 1/4: the sum is the same in any order. *)
  let sum = Array.fold_left ( +. ) 0. in
  F.sum f = sum a
  && F.sum ~pos ~len f = sum ours
  && F.dot f (of_array b) = sum (Array.map2 ( *. ) a b)
  && F.reduce ( +. ) 7. f = 7. +. sum a
  && (F.reduce ~pos ~len (fun _ y -> y) 7. f = if len = 0 then 7. else ours.(len - 1))
  && F.fold ~pos ~len ~combine:( @ ) (fun l x -> l @ [ x ]) [] f = Array.to_list ours
  && or_none (fun () -> F.min ~pos ~len f) = extreme Float.min ours
  && or_none (fun () -> F.max ~pos ~len f) = extreme Float.max ours
  && F.count p f = List.length (List.filter p (Array.to_list a))
  && F.count ~pos ~len p f = List.length (List.filter p (Array.to_list ours))

let searches rand a f =
  let pos, len = range rand (Array.length a) in
  let ours = part a pos len in
  let p = predicate floats rand in
  F.exists p f = Array.exists p a
  && F.for_all p f = Array.for_all p a
  && F.exists_sub ~pos ~len p f = Array.exists p ours
  && F.for_all_sub ~pos ~len p f = Array.for_all p ours
  && F.find_index p f = Array.find_index p a
  && F.find_index_sub ~pos ~len p f = Option.map (( + ) pos) (Array.find_index p ours)

let scans rand a f =
  ignore rand;
  let sum = ref 0. in
  let inclusive =
    Array.map
      (fun x ->
        sum := !sum +. x;
        !sum)
      a
  in
  let exclusive = Array.mapi (fun i x -> 5. +. inclusive.(i) -. x) a in
  same (of_array inclusive) (F.scan ( +. ) f) && same (of_array exclusive) (F.scan_exclusive ( +. ) 5. f)

let like_stdlib ?count ?lengths name holds () =
  everywhere (fun () -> check_floats ?count ?lengths name (property holds))

(* The least and the greatest element where comparison alone does not decide. *)
let special_values () =
  everywhere @@ fun () ->
  let rand = Random.State.make [| 3 |] in
  let values = [| 0.; -0.; 1.; -1.; infinity; neg_infinity; nan |] in
  for _ = 1 to 60 do
    let n = 1 + Random.State.int rand 3000 in
    let value () = values.(Random.State.int rand (Array.length values)) in
    (* One special element among equal ones, anywhere in the tree. *)
    let a = S.make n (value ()) in
    S.set a (Random.State.int rand n) (value ());
    let is what expected got =
      if Int64.bits_of_float expected <> Int64.bits_of_float got then
        Alcotest.failf "%s of %d: expected %h, got %h" what n expected got
    in
    is "min" (S.fold_left Float.min (S.get a 0) a) (F.min a);
    is "max" (S.fold_left Float.max (S.get a 0) a) (F.max a)
  done

let same_bits () =
  let rand = Random.State.make [| 8 |] in
  List.iter
    (fun n ->
      let f = of_array (noise rand n) in
      let add x y =
        if Int64.to_int (Int64.bits_of_float y) land 255 = 0 then spin 2000;
        x +. y
      in
      let weighted f = S.fold_left ( +. ) 0. (S.mapi (fun i x -> x /. float (i + 1)) f) in
      let results () =
        List.map Int64.bits_of_float
          [
            F.sum f;
            F.sum ~pos:(n / 3) ~len:(n / 2) f;
            F.dot f f;
            F.reduce add 0.1 f;
            F.fold ~combine:add add 0. f;
            weighted (F.scan add f);
            weighted (F.scan_exclusive add 0.1 f);
          ]
      in
      let reference = results () in
      in_each_size (fun () ->
          Alcotest.(check (list int64)) (Printf.sprintf "%d elements" n) reference (results ())))
    [ 10; 777; 3_001 ]

let the_first_is_found () =
  everywhere @@ fun () ->
  let f = S.init 4100 float in
  for k = 0 to 15 do
    Alcotest.(check (option int)) "index" (Some (k * 100)) (F.find_index (fun x -> x >= float (k * 100)) f)
  done

let overlapping () =
  everywhere @@ fun () ->
  let n = 20_000 in
  List.iter
    (fun (from, into) ->
      let f = S.init n float and expected = S.init n float in
      S.blit expected from expected into (n - 100);
      F.blit f from f into (n - 100);
      if not (same expected f) then Alcotest.failf "from %d to %d" from into)
    [ (0, 1); (1, 0); (3, 100); (100, 3); (50, 50) ]

let accurate () =
  (* A sum of 300,000 times 0.1, computed one by one, has an error above 1e-7. *)
  let error = Float.abs (F.sum (F.make 300_000 0.1) -. 30_000.) in
  if error > 1e-9 then Alcotest.failf "the error of the sum is %g" error;
  let error = Float.abs (F.dot (F.make 300_000 0.1) (F.make 300_000 1.) -. 30_000.) in
  if error > 1e-9 then Alcotest.failf "the error of the product is %g" error

(* --- the user's functions --- *)

let functions : (string * ((int -> unit) -> floatarray -> unit)) list =
  let seen visit x =
    visit (int_of_float x);
    x
  in
  let no visit x = seen visit x < 0. in
  [
    ("init", fun visit f -> ignore (F.init (S.length f) (fun i -> seen visit (S.get f i))));
    ("map", fun visit f -> ignore (F.map (seen visit) f));
    ( "mapi",
      fun visit f ->
        ignore
          (F.mapi
             (fun i x ->
               visit (if float i = x then i else -1);
               x)
             f) );
    ("map2", fun visit f -> ignore (F.map2 (fun x _ -> seen visit x) f f));
    ("map_to_array", fun visit f -> ignore (F.map_to_array (fun x -> Some (seen visit x)) f));
    ("map_of_array", fun visit f -> ignore (F.map_of_array (seen visit) (F.to_array f)));
    ("iter", fun visit f -> F.iter (fun x -> visit (int_of_float x)) f);
    ("iteri", fun visit f -> F.iteri (fun i x -> visit (if float i = x then i else -1)) f);
    ("filter", fun visit f -> ignore (F.filter (no visit) f));
    ("fold", fun visit f -> ignore (F.fold ~combine:( + ) (fun n x -> n + int_of_float (seen visit x)) 0 f));
    ("count", fun visit f -> ignore (F.count (no visit) f));
    ("exists", fun visit f -> ignore (F.exists (no visit) f));
    ("for_all", fun visit f -> ignore (F.for_all (fun x -> not (no visit x)) f));
    ("find_index", fun visit f -> ignore (F.find_index (no visit) f));
  ]

let combining : (string * ((int -> unit) -> floatarray -> unit)) list =
  let larger visit x y =
    visit (int_of_float x);
    visit (int_of_float y);
    if x > y then x else y
  in
  [
    ("reduce", fun visit f -> ignore (F.reduce (larger visit) 0. f));
    ("scan", fun visit f -> ignore (F.scan (larger visit) f));
    ("scan_exclusive", fun visit f -> ignore (F.scan_exclusive (larger visit) 0. (F.append f (F.make 1 0.))));
  ]

let numbers n = S.init n float

let once_per_element () =
  everywhere @@ fun () ->
  let check n (name, call) =
    let visits = Array.init n (fun _ -> Atomic.make 0) in
    call (fun i -> Atomic.incr visits.(i)) (numbers n);
    Array.iteri
      (fun i v ->
        let v = Atomic.get v in
        if v <> 1 then Alcotest.failf "%s of %d elements: element %d was visited %d times" name n i v)
      visits
  in
  List.iter (fun n -> List.iter (check n) functions) [ 1; 2; 5; 4100 ]

let failures () =
  everywhere @@ fun () ->
  let rand = Random.State.make [| 5 |] in
  let check n is_bad (name, call) =
    let visit i = if is_bad i then raise (Planned i) in
    match call visit (numbers n) with
    | () -> Alcotest.failf "%s of %d elements: no exception" name n
    | exception Planned i when is_bad i -> ()
  in
  List.iter
    (fun n ->
      let bad = Random.State.int rand n in
      List.iter (check n (Int.equal bad)) functions;
      if n > 1 then List.iter (check n (fun i -> i = max 1 bad)) combining;
      if n > 2 then List.iter (check n (fun i -> i mod 3 = 1)) (functions @ combining);
      check_int "sum" (n * (n - 1) / 2) (int_of_float (F.sum (numbers n))))
    [ 1; 2; 5; 1000 ]

let misuse () =
  let f = numbers 3 in
  let invalid prefix call = raises_invalid prefix ("Weft.Floatarray." ^ prefix) call in
  invalid "create: negative length -1" (fun () -> F.create (-1));
  invalid "make: negative length -1" (fun () -> F.make (-1) 0.);
  invalid "init: negative length -1" (fun () -> F.init (-1) float);
  invalid "map2: lengths 3 and 1 differ" (fun () -> F.map2 ( +. ) f (numbers 1));
  invalid "dot: lengths 3 and 0 differ" (fun () -> F.dot f (numbers 0));
  invalid "sub: pos 2 and len 2 in a length of 3" (fun () -> F.sub f 2 2);
  invalid "fill: pos -1 and len 2 in a length of 3" (fun () -> F.fill f (-1) 2 0.);
  invalid "blit: pos 0 and len 4 in a length of 3" (fun () -> F.blit f 0 (numbers 9) 0 4);
  invalid "blit: pos 7 and len 3 in a length of 9" (fun () -> F.blit f 0 (numbers 9) 7 3);
  invalid "min: no elements" (fun () -> F.min (numbers 0));
  invalid "max: no elements" (fun () -> F.max ~len:0 f);
  List.iter
    (fun (name, call) ->
      invalid (name ^ ": pos 4 in a length of 3") (fun () -> call (Some 4) None);
      invalid (name ^ ": pos 1 and len 3 in a length of 3") (fun () -> call (Some 1) (Some 3)))
    [
      ("iter_sub", fun pos len -> F.iter_sub ?pos ?len ignore f);
      ("iteri_sub", fun pos len -> F.iteri_sub ?pos ?len (fun _ _ -> ()) f);
      ("sum", fun pos len -> ignore (F.sum ?pos ?len f));
      ("min", fun pos len -> ignore (F.min ?pos ?len f));
      ("max", fun pos len -> ignore (F.max ?pos ?len f));
      ("reduce", fun pos len -> ignore (F.reduce ?pos ?len ( +. ) 0. f));
      ("fold", fun pos len -> ignore (F.fold ?pos ?len ~combine:( +. ) ( +. ) 0. f));
      ("count", fun pos len -> ignore (F.count ?pos ?len (fun _ -> true) f));
      ("exists_sub", fun pos len -> ignore (F.exists_sub ?pos ?len (fun _ -> true) f));
      ("for_all_sub", fun pos len -> ignore (F.for_all_sub ?pos ?len (fun _ -> true) f));
      ("find_index_sub", fun pos len -> ignore (F.find_index_sub ?pos ?len (fun _ -> true) f));
    ]

let long = QCheck.Gen.int_range 10_000 20_000

let tests =
  [
    case "making floatarrays is as in the standard library" (like_stdlib "making" making);
    case "copying floatarrays is as in the standard library" (like_stdlib "copying" copying);
    case "copying long ones is as in the standard library"
      (like_stdlib ~count:3 ~lengths:long "long copies" copying);
    case "maps, iterations and filters are as in the standard library"
      (like_stdlib "element by element" element_by_element);
    case "summaries are those of sequential folds" (like_stdlib "summaries" summaries);
    case "searches are as in the standard library" (like_stdlib "searches" searches);
    case "scans are those of sequential loops" (like_stdlib "scans" scans);
    case "blits whose long ranges overlap" overlapping;
    case "of many answers find_index finds the first" the_first_is_found;
    case "min and max are Float.min and Float.max" special_values;
    case "floats have the same bits for every number of domains" same_bits;
    case "sums are accurate" accurate;
    case "every element is visited exactly once" once_per_element;
    case "failing elements: one's exception comes out, and the pool is usable" failures;
    case "misuse is told with the values" misuse;
  ]
