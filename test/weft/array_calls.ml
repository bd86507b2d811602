open Support
open Random_arrays
module A = Weft.Array

(* --- the user's functions --- *)

(* All functions that take a function. Each entry calls [visit] with each number of an array of numbers. *)
let with_functions : (string * ((int -> unit) -> int array -> unit)) list =
  let seen visit x =
    visit x;
    x
  in
  let no visit x =
    visit x;
    false
  in
  let half visit x =
    visit x;
    x land 1 = 0
  in
  [
    ("init", fun visit a -> ignore (A.init (Array.length a) (fun i -> seen visit a.(i))));
    ("map", fun visit a -> ignore (A.map (seen visit) a));
    ("mapi", fun visit a -> ignore (A.mapi (fun _ x -> seen visit x) a));
    ("map2", fun visit a -> ignore (A.map2 (fun x _ -> float (seen visit x)) a a));
    ("iter", fun visit a -> A.iter visit a);
    ("iteri", fun visit a -> A.iteri (fun i x -> visit (if i = x then x else -1)) a);
    ("iter2", fun visit a -> A.iter2 (fun x _ -> visit x) a a);
    ("map_inplace", fun visit a -> A.map_inplace (seen visit) (Array.copy a));
    ("mapi_inplace", fun visit a -> A.mapi_inplace (fun _ x -> seen visit x) (Array.copy a));
    ("filter", fun visit a -> ignore (A.filter (half visit) a));
    ("filteri", fun visit a -> ignore (A.filteri (fun _ x -> half visit x) a));
    ("for_none", fun visit a -> ignore (A.for_none (no visit) a));
    ("equal", fun visit a -> ignore (A.equal (fun x _ -> not (no visit x)) a a));
    ("mismatch", fun visit a -> ignore (A.mismatch (fun x _ -> not (no visit x)) a a));
    ("compare", fun visit a -> ignore (A.compare (fun x _ -> Bool.to_int (no visit x)) a a));
    ("integer_sort", fun visit a -> A.integer_sort ~key:(seen visit) (Array.copy a));
    ("sort_by_key", fun visit a -> A.sort_by_key ~key:(seen visit) Int.compare (Array.copy a));
    ( "counting_sort",
      fun visit a -> ignore (A.counting_sort ~buckets:8 ~key:(fun x -> seen visit x land 7) (Array.copy a)) );
    ("filter_map", fun visit a -> ignore (A.filter_map (fun x -> if half visit x then Some x else None) a));
    ("partition", fun visit a -> ignore (A.partition (half visit) a));
    ("flat_map", fun visit a -> ignore (A.flat_map (fun x -> [| seen visit x |]) a));
    ("group_by", fun visit a -> ignore (A.group_by ~key:(fun x -> seen visit x mod 7) a));
    ("histogram_by_key", fun visit a -> ignore (A.histogram_by_key ~key:(fun x -> seen visit x mod 7) a));
    ("remove_duplicates", fun visit a -> ignore (A.remove_duplicates ~hash:(seen visit) a));
    ("group_by_key", fun visit a -> ignore (A.group_by_key ~hash:(seen visit) (Array.map (fun x -> (x, x)) a)));
    ( "reduce_by_key",
      fun visit a -> ignore (A.reduce_by_key ~hash:(seen visit) ( + ) (Array.map (fun x -> (x, x)) a)) );
    ("map_reduce", fun visit a -> ignore (A.map_reduce (seen visit) ( + ) 0 a));
    ("fold", fun visit a -> ignore (A.fold ~combine:( + ) (fun sum x -> sum + seen visit x) 0 a));
    ("count", fun visit a -> ignore (A.count (half visit) a));
    ("histogram, few buckets", fun visit a -> ignore (A.histogram ~buckets:3 (fun x -> seen visit x mod 3) a));
    ( "histogram, many buckets",
      fun visit a -> ignore (A.histogram ~buckets:1000 (fun x -> seen visit x mod 1000) a) );
    ("exists", fun visit a -> ignore (A.exists (no visit) a));
    ("for_all", fun visit a -> ignore (A.for_all (fun x -> not (no visit x)) a));
    ("find", fun visit a -> try ignore (A.find (no visit) a) with Not_found -> ());
    ("find_opt", fun visit a -> ignore (A.find_opt (no visit) a));
    ("find_index", fun visit a -> ignore (A.find_index (no visit) a));
    ( "find_map",
      fun visit a ->
        ignore
          (A.find_map
             (fun x ->
               visit x;
               None)
             a) );
    ( "find_mapi",
      fun visit a ->
        ignore
          (A.find_mapi
             (fun _ x ->
               visit x;
               None)
             a) );
  ]

(* The functions whose argument combines two elements or partial results. Each element is visited at least
   once. *)
let with_combining : (string * ((int -> unit) -> int array -> unit)) list =
  let larger visit x y =
    visit x;
    visit y;
    if x > y then x else y
  in
  let compare visit x y =
    visit x;
    visit y;
    Int.compare x y
  in
  [
    ("reduce", fun visit a -> ignore (A.reduce (larger visit) (-1) a));
    ("map_reduce's second", fun visit a -> ignore (A.map_reduce Fun.id (larger visit) (-1) a));
    ( "fold's second",
      fun visit a ->
        ignore
          (A.fold ~combine:(larger visit)
             (fun acc x ->
               visit x;
               max acc x)
             (-1) a) );
    ("min", fun visit a -> ignore (A.min (compare visit) a));
    ("max", fun visit a -> ignore (A.max (compare visit) a));
    ("min_opt", fun visit a -> ignore (A.min_opt (compare visit) a));
    ("max_opt", fun visit a -> ignore (A.max_opt (compare visit) a));
    ("scan", fun visit a -> ignore (A.scan (larger visit) a));
    ("scan_exclusive", fun visit a -> ignore (A.scan_exclusive (larger visit) (-1) a));
  ]

let some_lengths = [ 1; 2; 5; 600; 4100 ]

let once_per_element () =
  everywhere @@ fun () ->
  List.iter
    (fun n ->
      let a = Array.init n Fun.id in
      List.iter
        (fun (name, call) ->
          let visits = Array.init n (fun _ -> Atomic.make 0) in
          call (fun i -> Atomic.incr visits.(i)) a;
          Array.iteri
            (fun i v ->
              if Atomic.get v <> 1 then
                Alcotest.failf "%s of %d elements: element %d was visited %d times" name n i (Atomic.get v))
            visits)
        with_functions)
    some_lengths

let usable () = check_int "sum" 4950 (A.reduce ( + ) 0 (A.init 100 Fun.id))

let expect_planned name n is_planned call =
  match call () with
  | () -> Alcotest.failf "%s of %d elements: no exception" name n
  | exception Planned i when is_planned i -> ()
  | exception exn -> Alcotest.failf "%s of %d elements: %s" name n (Printexc.to_string exn)

let one_failure () =
  everywhere @@ fun () ->
  let rand = Random.State.make [| 5 |] in
  let check n (name, call) =
    let a = Array.init n Fun.id in
    let bad = Random.State.int rand n in
    let visit i = if i = bad then raise (Planned i) in
    expect_planned name n (Int.equal bad) (fun () -> call visit a)
  in
  List.iter
    (fun n ->
      List.iter (check n) with_functions;
      (* With a single element there may be nothing to combine. [scan_exclusive] does not combine the last
         one. *)
      if n > 1 then
        List.iter
          (fun (name, call) ->
            let shorter visit a = call (fun i -> if i < n - 1 then visit i) a in
            let bad = Random.State.int rand (n - 1) in
            let visit i = if i = bad then raise (Planned i) in
            expect_planned name n (Int.equal bad) (fun () -> shorter visit (Array.init n Fun.id)))
          with_combining)
    some_lengths;
  usable ()

let several_failures () =
  everywhere @@ fun () ->
  let is_bad i = i mod 3 = 1 in
  let visit i = if is_bad i then raise (Planned i) in
  List.iter
    (fun n ->
      let a = Array.init n Fun.id in
      List.iter
        (fun (name, call) -> expect_planned name n is_bad (fun () -> call visit a))
        (with_functions @ if n > 2 then with_combining else []);
      usable ())
    [ 2; 5; 1000 ];
  (* [combine] is called only if there are many elements. *)
  let combine _ _ = raise (Planned 0) in
  expect_planned "fold's combine" 1000 (Int.equal 0) (fun () ->
      ignore (A.fold ~combine (fun _ x -> x) 0 (Array.make 1000 0)));
  usable ()

let find_is_sequential () =
  (* An exception before the first match is raised, one behind it is not. *)
  everywhere @@ fun () ->
  let rand = Random.State.make [| 6 |] in
  for _ = 1 to 40 do
    let n = 2 + Random.State.int rand 3000 in
    let bad = Random.State.int rand n and good = Random.State.int rand n in
    let a = Array.init n Fun.id in
    let p i =
      if i = bad then raise (Planned i);
      i >= good && i mod 7 = good mod 7
    in
    let outcome find = match find p a with r -> Ok r | exception Planned i -> Error i in
    if outcome A.find_opt <> outcome Array.find_opt then
      Alcotest.failf "find_opt: %d elements, answer at %d, failure at %d" n good bad;
    if outcome A.find_index <> outcome Array.find_opt then
      Alcotest.failf "find_index: %d elements, answer at %d, failure at %d" n good bad
  done

let answer_wins () =
  (* [exists] may find a match before or after it meets the failure; it may do nothing else. *)
  everywhere @@ fun () ->
  let n = 2000 in
  let a = Array.init n Fun.id in
  for good = 0 to 10 do
    let p i = if i mod 100 = 50 then raise (Planned i) else i = good * 150 in
    (match A.exists p a with
    | found -> if not found then Alcotest.fail "exists: false"
    | exception Planned _ -> ());
    match A.for_all (fun i -> not (p i)) a with
    | all -> if all then Alcotest.fail "for_all: true"
    | exception Planned _ -> ()
  done

(* The first element waits for the last, so the last one must run while the kind of the array is still
   unknown. *)
let few_elements_at_once () =
  List.iter
    (fun domains ->
      Weft.run ~domains @@ fun () ->
      let check name call =
        List.iter
          (fun n ->
            let p = Weft.Promise.create () in
            let f i =
              if i = 0 then Weft.await p;
              if i = n - 1 then Weft.Promise.resolve p ();
              float i
            in
            if not (same (Array.init n float) (call n f)) then Alcotest.failf "%s of %d: wrong" name n)
          [ 2; 3; 10 ]
      in
      check "init" (fun n f -> A.init n f);
      check "map" (fun n f -> A.map f (Array.init n Fun.id));
      check "mapi" (fun n f -> A.mapi (fun i () -> f i) (Array.make n ()));
      check "map2" (fun n f -> A.map2 (fun i _ -> f i) (Array.init n Fun.id) (Array.make n "")))
    [ 2; 3; 8 ]

(* --- determinism --- *)

let same_bits () =
  let rand = Random.State.make [| 8 |] in
  List.iter
    (fun n ->
      let a = noise rand n in
      let bits = Int64.bits_of_float in
      let results () =
        (* The work is uneven, so that schedules differ. *)
        let add x y =
          if Int64.to_int (bits y) land 255 = 0 then spin 2000;
          x +. y
        in
        let scanned = A.scan add a and before = A.scan_exclusive add 0.1 a in
        [
          A.reduce add 0.1 a;
          A.map_reduce (fun x -> x /. 3.) add 0.1 a;
          A.fold ~combine:add add 0. a;
          A.reduce ~pos:(n / 3) ~len:(n / 2) add 0.1 a;
          Array.fold_left ( +. ) 0. (Array.mapi (fun i x -> x /. float (i + 1)) scanned);
          Array.fold_left ( +. ) 0. (Array.mapi (fun i x -> x /. float (i + 1)) before);
        ]
        |> List.map bits
      in
      let reference = results () in
      in_each_size (fun () ->
          Alcotest.(check (list int64)) (Printf.sprintf "%d elements" n) reference (results ()));
      let part = Array.sub a (n / 3) (n / 2) in
      Alcotest.(check int64)
        "a part, and a copy of it"
        (bits (A.reduce ( +. ) 0.1 part))
        (bits (A.reduce ~pos:(n / 3) ~len:(n / 2) ( +. ) 0.1 a)))
    [ 10; 777; 3_001 ]

(* --- misuse --- *)

let misuse () =
  let a = [| 1; 2; 3 |] in
  let invalid what prefix f = raises_invalid what ("Weft.Array." ^ prefix) f in
  invalid "make" "make: negative length -1" (fun () -> A.make (-1) 0);
  invalid "init" "init: negative length -2" (fun () -> A.init (-2) Fun.id);
  invalid "create_float" "create_float: negative length -1" (fun () -> A.create_float (-1));
  invalid "map2" "map2: lengths 3 and 1 differ" (fun () -> A.map2 ( + ) a [| 1 |]);
  invalid "iter2" "iter2: lengths 3 and 0 differ" (fun () -> A.iter2 (fun _ _ -> ()) a [||]);
  invalid "combine" "combine: lengths 3 and 4 differ" (fun () -> A.combine a [| 1; 2; 3; 4 |]);
  invalid "sub" "sub: pos 2 and len 2 in a length of 3" (fun () -> A.sub a 2 2);
  invalid "sub" "sub: pos 1 and len -1 in a length of 3" (fun () -> A.sub a 1 (-1));
  invalid "sub" "sub: pos 1 and len " (fun () -> A.sub a 1 max_int);
  invalid "fill" "fill: pos -1 and len 2 in a length of 3" (fun () -> A.fill a (-1) 2 0);
  invalid "blit" "blit: pos 0 and len 4 in a length of 3" (fun () -> A.blit a 0 (Array.make 9 0) 0 4);
  invalid "blit" "blit: pos 7 and len 3 in a length of 9" (fun () -> A.blit a 0 (Array.make 9 0) 7 3);
  invalid "min" "min: no elements" (fun () -> A.min compare ([||] : int array));
  invalid "max" "max: no elements" (fun () -> A.max ~pos:3 compare a);
  invalid "buckets" "histogram: negative number of buckets -1" (fun () -> A.histogram ~buckets:(-1) Fun.id a);
  invalid "bucket" "histogram: bucket " (fun () -> A.histogram ~buckets:3 Fun.id a);
  invalid "bucket" "histogram: bucket 3 of 3" (fun () -> A.histogram ~buckets:3 Fun.id (Array.make 1000 3));
  invalid "bucket" "histogram: bucket -1 of 3" (fun () -> A.histogram ~buckets:3 Fun.id [| -1 |]);
  let ranges : (string * (int option -> int option -> unit)) list =
    [
      ("iter_sub", fun pos len -> A.iter_sub ?pos ?len ignore a);
      ("iteri_sub", fun pos len -> A.iteri_sub ?pos ?len (fun _ _ -> ()) a);
      ("map_inplace_sub", fun pos len -> A.map_inplace_sub ?pos ?len Fun.id a);
      ("mapi_inplace_sub", fun pos len -> A.mapi_inplace_sub ?pos ?len (fun _ x -> x) a);
      ("reduce", fun pos len -> ignore (A.reduce ?pos ?len ( + ) 0 a));
      ("map_reduce", fun pos len -> ignore (A.map_reduce ?pos ?len Fun.id ( + ) 0 a));
      ("fold", fun pos len -> ignore (A.fold ?pos ?len ~combine:( + ) ( + ) 0 a));
      ("count", fun pos len -> ignore (A.count ?pos ?len (fun _ -> true) a));
      ("min", fun pos len -> ignore (A.min ?pos ?len compare a));
      ("max", fun pos len -> ignore (A.max ?pos ?len compare a));
      ("min_opt", fun pos len -> ignore (A.min_opt ?pos ?len compare a));
      ("max_opt", fun pos len -> ignore (A.max_opt ?pos ?len compare a));
      ("histogram", fun pos len -> ignore (A.histogram ?pos ?len ~buckets:4 Fun.id a));
      ("exists_sub", fun pos len -> ignore (A.exists_sub ?pos ?len (fun _ -> true) a));
      ("for_all_sub", fun pos len -> ignore (A.for_all_sub ?pos ?len (fun _ -> true) a));
      ("mem_sub", fun pos len -> ignore (A.mem_sub ?pos ?len 1 a));
      ("memq_sub", fun pos len -> ignore (A.memq_sub ?pos ?len 1 a));
      ("find", fun pos len -> ignore (A.find ?pos ?len (fun _ -> true) a));
      ("find_opt_sub", fun pos len -> ignore (A.find_opt_sub ?pos ?len (fun _ -> true) a));
      ("find_index_sub", fun pos len -> ignore (A.find_index_sub ?pos ?len (fun _ -> true) a));
      ("find_map_sub", fun pos len -> ignore (A.find_map_sub ?pos ?len Option.some a));
      ("find_mapi_sub", fun pos len -> ignore (A.find_mapi_sub ?pos ?len (fun i _ -> Some i) a));
    ]
  in
  List.iter
    (fun (name, call) ->
      invalid name (name ^ ": pos 4 in a length of 3") (fun () -> call (Some 4) None);
      invalid name (name ^ ": pos 1 and len 3 in a length of 3") (fun () -> call (Some 1) (Some 3));
      invalid name (name ^ ": pos 0 and len 4 in a length of 3") (fun () -> call None (Some 4));
      invalid name (name ^ ": pos 0 and len -1 in a length of 3") (fun () -> call None (Some (-1))))
    ranges

let stands_in () =
  (* After [open Weft], [a.(i)] means this. *)
  let open Weft in
  let a = Array.init 10 (fun i -> i) in
  a.(3) <- a.(4) + Array.length a;
  check_int "element" 14 a.(3)

let tests =
  [
    case "every element is visited exactly once" once_per_element;
    case "the exception of the one failing element comes out" one_failure;
    case "of several failing elements one comes out, and the pool is usable" several_failures;
    case "find raises what the sequential search would raise" find_is_sequential;
    case "exists and for_all answer or raise what an element raised" answer_wins;
    case "a few elements run at the same time, the first too" few_elements_at_once;
    case "floats have the same bits for every number of domains" same_bits;
    case "misuse is told with the values" misuse;
    case "Weft.Array can stand in for Array" stands_in;
  ]
