open Support

(* What the docstrings say about cost, in work and never in time: calls of the caller's functions for n elements and for 2 n, in a
   pool of one worker, where the number is always the same. *)

(* How often [f note] calls [note]. *)
let work f =
  let count = ref 0 in
  f (fun () -> incr count);
  !count

(* [f note n] does at most O(n), or O(n log n) where [log] holds: twice the elements, at most so many times the work. *)
let grows_as_stated ?(log = false) name n f =
  let once = work (fun note -> f note n) and twice = work (fun note -> f note (2 * n)) in
  let most = (if log then 2.4 else 2.1) *. float_of_int (once + 50) in
  if once = 0 then Alcotest.failf "%s: no work was counted" name;
  if float_of_int twice > most then
    Alcotest.failf "%s: work %d for %d elements, %d for twice as many" name once n twice

let in_one_worker f () = Weft.run ~domains:1 f

let noting note f x =
  note ();
  f x

let ignoring f x = ignore (Sys.opaque_identity (f x))

(* --- arrays, lists --- *)

let scattered n = Array.init n (fun i -> i * 7919 mod n)

let comparing note a b =
  note ();
  Int.compare a b

let plus note a b =
  note ();
  a + b

let array_functions =
  let open Weft.Array in
  [
    ("init", fun note n -> ignoring (init n) (noting note Fun.id));
    ("map", fun note n -> ignoring (map (noting note Fun.id)) (scattered n));
    ("mapi", fun note n -> ignoring (mapi (fun _ -> noting note Fun.id)) (scattered n));
    ("iter", fun note n -> iter (noting note ignore) (scattered n));
    ("reduce", fun note n -> ignoring (reduce (plus note) 0) (scattered n));
    ("scan", fun note n -> ignoring (scan (plus note)) (scattered n));
    ("scan_exclusive", fun note n -> ignoring (scan_exclusive (plus note) 0) (scattered n));
    ("filter", fun note n -> ignoring (filter (noting note (fun x -> x land 1 = 0))) (scattered n));
    ("filter_map", fun note n -> ignoring (filter_map (noting note Option.some)) (scattered n));
    ("for_all", fun note n -> ignoring (for_all (noting note (fun _ -> true))) (scattered n));
    ("exists", fun note n -> ignoring (exists (noting note (fun _ -> false))) (scattered n));
    ("min", fun note n -> ignoring (min (comparing note)) (scattered n));
    ("max", fun note n -> ignoring (max (comparing note)) (scattered n));
    ("group_by", fun note n -> ignoring (group_by (noting note (fun x -> x land 63))) (scattered n));
    ( "histogram",
      fun note n -> ignoring (histogram ~buckets:64 (noting note (fun x -> x land 63))) (scattered n) );
  ]

let list_functions =
  let open Weft.List in
  let l n = Array.to_list (scattered n) in
  [
    ("map", fun note n -> ignoring (map (noting note Fun.id)) (l n));
    ("iter", fun note n -> iter (noting note ignore) (l n));
    ("filter", fun note n -> ignoring (filter (noting note (fun x -> x land 1 = 0))) (l n));
    ("filter_map", fun note n -> ignoring (filter_map (noting note Option.some)) (l n));
    ("reduce", fun note n -> ignoring (reduce (plus note) 0) (l n));
    ("exists", fun note n -> ignoring (exists (noting note (fun _ -> false))) (l n));
    ("for_all", fun note n -> ignoring (for_all (noting note (fun _ -> true))) (l n));
  ]

let linear functions () =
  List.iter (fun (name, f) -> List.iter (fun n -> grows_as_stated name n f) [ 1000; 20_000 ]) functions

let sorts () =
  List.iter
    (fun n ->
      grows_as_stated ~log:true "sort" n (fun note n -> Weft.Array.sort (comparing note) (scattered n)))
    [ 1000; 20_000 ]

(* --- sequences: what is asked of the parts of a concatenation, and of its elements --- *)

let consumers note =
  let open Weft.Seq in
  let f x = noting note Fun.id x in
  [
    ("iter", iter (noting note ignore));
    ("reduce", ignoring (reduce (plus note) 0));
    ("fold", ignoring (fold (plus note) ~combine:(plus note) 0));
    ("sum", fun s -> ignoring sum (map f s));
    ("count", ignoring (count (noting note (fun _ -> true))));
    ("length", fun s -> ignoring length (filter (noting note (fun _ -> true)) s));
    ("min", ignoring (min (comparing note)));
    ("max", ignoring (max (comparing note)));
    ("exists", ignoring (exists (noting note (fun _ -> false))));
    ("find", ignoring (find (noting note (fun _ -> false))));
    ("to_array", fun s -> ignoring to_array (map f s));
    ("to_floatarray", fun s -> ignoring to_floatarray (map (fun x -> float (f x)) s));
    ("to_list", fun s -> ignoring to_list (map f s));
    ("force", fun s -> ignoring force (map f s));
    ("mapi", fun s -> ignoring sum (mapi (fun i x -> i + f x) s));
    ("scan", fun s -> ignoring sum (scan (plus note) s));
    ("scan_exclusive", fun s -> ignoring sum (scan_exclusive (plus note) 0 s));
    ("filter, mapi", fun s -> ignoring sum (mapi (fun i x -> i + f x) (filter (fun _ -> true) s)));
    ("flat_map", fun s -> ignoring sum (flat_map (fun x -> return (f x)) s));
  ]

let parts n = List.init n (fun _ -> Weft.Seq.of_array (Array.init 50 Fun.id))

let sequences join () =
  List.iter
    (fun (name, _) ->
      grows_as_stated name 200 (fun note n -> List.assoc name (consumers note) (join (parts n))))
    (consumers ignore)

let from_the_left ss = List.fold_left Weft.Seq.append Weft.Seq.empty ss
let from_the_right ss = List.fold_right Weft.Seq.append ss Weft.Seq.empty

(* A position lies in one part: that one is asked, and each part once before for how long it is. *)
let looks_at_parts () =
  List.iter
    (fun (name, join) ->
      List.iter
        (fun n ->
          let positions = List.init 1000 (fun i -> i * n / 20) in
          let watched note =
            join (List.init n (fun _ -> Weft.Seq.Private.watched_array ~note (Array.init 50 Fun.id)))
          in
          let looks =
            work (fun note ->
                Alcotest.(check (option (list int)))
                  name (Some positions)
                  (Weft.Seq.Private.elements_before (watched note) positions))
          in
          (* When it is made, too, each part says how long it is. *)
          if looks > (2 * n) + List.length positions then
            Alcotest.failf "%s of %d parts: %d looks for %d positions" name n looks (List.length positions))
        [ 1; 2; 3; 100; 200; 1000 ])
    [
      ("concat", Weft.Seq.concat);
      ("append from the left", from_the_left);
      ("append from the right", from_the_right);
    ]

let tests =
  [
    case "arrays" (in_one_worker (linear array_functions));
    case "lists" (in_one_worker (linear list_functions));
    case "sorts" (in_one_worker sorts);
    case "sequences: concat" (in_one_worker (sequences Weft.Seq.concat));
    case "sequences: append" (in_one_worker (sequences from_the_left));
    case "sequences: positions in parts" (in_one_worker looks_at_parts);
  ]
