open Support
open Loops
module Task = Domainslib.Task
module Reduce = Weft_loops.Reduce
module Loop = Weft_loops.Loop

(* Ranges at the ends of the integers, also of more than [max_int] indices, for every function that takes a
   range. *)

let wide =
  [
    (min_int, max_int);
    (min_int, 0);
    (min_int, -1);
    (0, max_int);
    (1, max_int);
    (-1, max_int);
    (min_int, max_int - 1);
    (0, max_int - 1);
    (min_int, -2);
  ]

let empty =
  [ (max_int, min_int); (0, min_int); (max_int, 0); (1, 0); (min_int + 1, min_int); (max_int, max_int - 1) ]

let narrow = [ (max_int - 2, max_int); (min_int, min_int + 2); (max_int, max_int); (min_int, min_int) ]

(* --- right: parts of 2^57 indices, of which there are at most 64 --- *)

let part = 1 lsl 57

(* Joins a list of parts in order to the whole. *)
let whole parts =
  let join (first, last) (next, finish) =
    if last = max_int || next <> last + 1 then Alcotest.failf "%d to %d, then %d to %d" first last next finish;
    (first, finish)
  in
  match parts with [] -> Alcotest.fail "nothing ran" | p :: rest -> List.fold_left join p rest

let same = Alcotest.(check (pair int int))

let check_part (first, last) =
  if first > last || last - first < 0 || last - first >= part then
    Alcotest.failf "a part from %d to %d" first last

let trees_cover_the_range () =
  everywhere @@ fun place ->
  List.iter
    (fun (start, finish) ->
      let fold first last =
        noise ();
        check_part (first, last);
        (first, last)
      in
      let combine (first, last) (next, finish) = whole [ (first, last); (next, finish) ] in
      let reduce () = Reduce.reduce ~chunk_size:part ~who:"Test" ~start ~finish ~fold combine in
      same place.name (start, finish) (place.call reduce))
    (wide @ narrow)

let trees_are_fixed_by_the_range () =
  let shape (start, finish) =
    Reduce.reduce ~chunk_size:part ~who:"Test" ~start ~finish
      ~fold:(fun first last ->
        noise ();
        Printf.sprintf "%d-%d" first last)
      (Printf.sprintf "(%s %s)")
  in
  let expected = List.map (fun range -> Weft.run ~domains:1 (fun () -> shape range)) wide in
  everywhere @@ fun place ->
  List.iter2
    (fun range shown -> Alcotest.(check string) place.name shown (place.call (fun () -> shape range)))
    wide expected

let loops_cover_the_range () =
  everywhere @@ fun place ->
  List.iter
    (fun (start, finish) ->
      let parts = Atomic.make [] in
      let rec note p =
        let was = Atomic.get parts in
        if not (Atomic.compare_and_set parts was (p :: was)) then note p
      in
      place.call (fun () ->
          Loop.blocks ~chunk_size:part ~who:"Test" ~start ~finish (fun first last ->
              check_part (first, last);
              note (first, last)));
      same place.name (start, finish) (whole (List.sort compare (Atomic.get parts)));
      Atomic.set parts [];
      place.call (fun () ->
          Weft.parallel_for_blocks ~chunk_size:part ~start ~finish () ~body:(fun first last ->
              check_part (first, last);
              if last < finish then check_int "as long as it was to be" (part - 1) (last - first);
              note (first, last)));
      same place.name (start, finish) (whole (List.sort compare (Atomic.get parts))))
    (wide @ narrow)

(* --- cancellation: each function with a body that neither raises nor ends anything --- *)

(* The number of indices; zero or less if they are more than [max_int]. *)
let size (start, finish) = if start > finish then 0 else finish - start + 1

(* Sequences of the indices: at most [max_int]. *)

let of_range (start, finish) = Weft.Seq.of_range start finish
let of_init (start, finish) = Weft.Seq.init (size (start, finish)) (fun i -> start + i)

let halves (start, finish) =
  if start > finish then [ Weft.Seq.empty; Weft.Seq.of_range start finish ]
  else
    let middle = start + ((finish - start) / 2) in
    [ Weft.Seq.of_range start middle; Weft.Seq.of_range (middle + 1) finish ]

let of_concat range = Weft.Seq.concat (halves range)
let of_append range = match halves range with [ s; t ] -> Weft.Seq.append s t | _ -> assert false

let seq_consumers body =
  let open Weft.Seq in
  let f i =
    body i;
    i
  in
  let no i =
    body i;
    false
  in
  [
    ("iter", iter body);
    ("reduce", fun s -> ignore (reduce ( + ) 0 (map f s)));
    ("fold", fun s -> ignore (fold (fun a i -> a + f i) ~combine:( + ) 0 s));
    ("fold_left", fun s -> ignore (fold_left (fun a i -> a + f i) 0 s));
    ("fold_lefti", fun s -> ignore (fold_lefti (fun a _ i -> a + f i) 0 s));
    ("is_empty", fun s -> ignore (is_empty (filter no s)));
    ("find_mapi", fun s -> ignore (find_mapi (fun _ i -> if no i then Some i else None) s));
    ("to_dispenser", fun s -> ignore (to_dispenser (filter no s) ()));
    ("memoize", fun s -> ignore (sum (memoize (filter no s))));
    ("scan_inclusive", fun s -> iter ignore (scan_inclusive ( + ) (map f s)));
    ("sum", fun s -> ignore (sum (mapi (fun _ i -> f i) s)));
    ("float_sum", fun s -> ignore (float_sum (map (fun i -> float (f i)) s)));
    ("length", fun s -> ignore (length (filter no s)));
    ("count", fun s -> ignore (count no s));
    ("min_opt", fun s -> ignore (min_opt Int.compare (map f s)));
    ("max_opt", fun s -> ignore (max_opt Int.compare (map f s)));
    ("min_by", fun s -> ignore (min_by ~key:f Int.compare s));
    ("max_by", fun s -> ignore (max_by ~key:f Int.compare s));
    ("try_fold", fun s -> ignore (try_fold ~combine:( + ) (fun a i -> Ok (a + f i)) 0 s));
    ("iteri", iteri (fun _ i -> body i));
    ("take", fun s -> iter body (take max_int s));
    ("take, filtered", fun s -> iter ignore (take 1 (filter no s)));
    ("drop", fun s -> iter body (drop 1 s));
    ("drop, filtered", fun s -> iter ignore (drop 1 (filter no s)));
    ("rev", fun s -> iter body (rev s));
    ("rev, filtered", fun s -> iter ignore (rev (filter no s)));
    ("step_by", fun s -> iter body (step_by 1 s));
    ("zip", fun s -> iter ignore (zip s (map f s)));
    ("zip, filtered", fun s -> iter ignore (zip s (filter no s)));
    ("map2", fun s -> iter body (map2 (fun i _ -> i) s s));
    ("chunks", fun s -> iter (fun a -> body a.(0)) (chunks 1 s));
    ("windows", fun s -> iter (fun a -> body a.(0)) (windows 2 s));
    ("flatten", fun s -> iter body (flatten (return s)));
    ( "flatten, of many",
      fun s -> iter ignore (flatten (filter_map (fun i -> if no i then Some s else None) s)) );
    ("equal", fun s -> ignore (equal (fun i j -> f i = j) s s));
    ("compare", fun s -> ignore (compare (fun i j -> Int.compare (f i) j) s s));
    ("find_index", fun s -> ignore (find_index no s));
    ("partition", fun s -> iter ignore (fst (partition no s)));
    ("partition_to_arrays", fun s -> ignore (partition_to_arrays no (filter no s)));
    ("iter2", fun s -> iter2 (fun i _ -> body i) s s);
    ("fold_left2", fun s -> ignore (fold_left2 (fun a i _ -> a + f i) 0 s s));
    ("exists2", fun s -> ignore (exists2 (fun i _ -> no i) s s));
    ("for_all2", fun s -> ignore (for_all2 (fun i _ -> not (no i)) s s));
    ("to_string", fun s -> ignore (to_string (map Char.chr (filter no s))));
    ("to_bytes", fun s -> ignore (to_bytes (map Char.chr (filter no s))));
    ("concat_strings", fun s -> ignore (concat_strings "" (map string_of_int (filter no s))));
    ("exists", fun s -> ignore (exists no s));
    ("for_all", fun s -> ignore (for_all (fun i -> not (no i)) s));
    ("find", fun s -> ignore (find no s));
    ("find_map", fun s -> ignore (find_map (fun i -> if no i then Some i else None) s));
    ("to_array", fun s -> ignore (to_array (filter no s)));
    ("to_floatarray", fun s -> ignore (to_floatarray (map float (filter no s))));
    ("to_list", fun s -> ignore (to_list (filter no s)));
    ("to_seq", fun s -> ignore (to_seq (filter no s) ()));
    ("force", fun s -> ignore (force (flat_map (fun i -> if no i then return i else empty) s)));
    ("scan", fun s -> iter ignore (scan ( + ) (map f s)));
    ("scan, of a scan", fun s -> iter ignore (scan ( + ) (scan ( + ) (map f s))));
    ("scan_exclusive", fun s -> iter ignore (scan_exclusive ( + ) 0 (map f s)));
    ("mapi, filtered", fun s -> iter ignore (mapi ( + ) (filter (fun i -> not (no i)) s)));
    ("flat_map, to a long one", fun s -> iter body (flat_map (fun _ -> s) (return ())));
    ("flat_map, to a long scan", fun s -> iter ignore (flat_map (fun _ -> scan ( + ) (map f s)) (return ())));
  ]

let takers body =
  let none i =
    body i;
    None
  and one i =
    body i;
    1
  and block first last =
    for i = first to last do
      body i
    done
  in
  let blocks ?chunk_size (start, finish) = Weft.parallel_for_blocks ?chunk_size ~start ~finish ~body:block ()
  and sum first last =
    block first last;
    1
  in
  [
    ("parallel_for_blocks", fun range -> blocks range);
    ("parallel_for_blocks, of 1", blocks ~chunk_size:1);
    ("parallel_for_blocks, of 2", blocks ~chunk_size:2);
    ( "parallel_for_reduce_blocks",
      fun (start, finish) -> ignore (Weft.parallel_for_reduce_blocks ~start ~finish ~body:sum ( + ) 0) );
    ("parallel_for", fun (start, finish) -> Weft.parallel_for ~start ~finish ~body ());
    ( "parallel_for_reduce",
      fun (start, finish) -> ignore (Weft.parallel_for_reduce ~start ~finish ~body:one ( + ) 0) );
    ( "parallel_find",
      fun (start, finish) -> ignore (Weft.parallel_find ~start ~finish ~body:none () : int option) );
    ( "speculative_for",
      fun (start, finish) ->
        let reserve i =
          body i;
          true
        in
        Weft.speculative_for ~start ~finish ~reserve ~commit:(fun _ -> true) () );
    ( "speculative_for, round by round",
      fun (start, finish) ->
        (* Some fail in each round, never all, and no index fails for ever: else a round would fail as a whole. *)
        let calls = Atomic.make 0 in
        let commit i =
          body i;
          Atomic.fetch_and_add calls 1 land 3 <> 0
        in
        Weft.speculative_for ~round:max_int ~start ~finish ~reserve:(fun _ -> true) ~commit () );
    ( "parallel_find_first",
      fun (start, finish) -> ignore (Weft.parallel_find_first ~start ~finish ~body:none () : int option) );
  ]
  @ List.map
      (fun (name, consume) -> ("Seq." ^ name, fun range -> consume (of_range range)))
      (seq_consumers body)
  @ List.concat_map
      (fun (name, consume) ->
        [
          ("Seq." ^ name ^ ", of init", fun range -> consume (of_init range));
          ("Seq." ^ name ^ ", of append", fun range -> consume (of_append range));
          ("Seq." ^ name ^ ", of concat", fun range -> consume (of_concat range));
        ])
      (List.filter (fun (name, _) -> List.mem name [ "iter"; "reduce"; "find" ]) (seq_consumers body))

let domainslib_takers pool body =
  let none i =
    body i;
    None
  and one i =
    body i;
    1
  in
  let module Old = Domainslib_04.Task in
  [
    ("Domainslib.Task.parallel_for", fun (start, finish) -> Task.parallel_for pool ~start ~finish ~body);
    ( "Domainslib.Task.parallel_for_reduce",
      fun (start, finish) -> ignore (Task.parallel_for_reduce pool ~start ~finish ~body:one ( + ) 0) );
    ( "Domainslib.Task.parallel_find",
      fun (start, finish) -> ignore (Task.parallel_find pool ~start ~finish ~body:none : int option) );
    ("Domainslib_04.Task.parallel_for", fun (start, finish) -> Old.parallel_for pool ~start ~finish ~body);
    ( "Domainslib_04.Task.parallel_for_reduce",
      fun (start, finish) -> ignore (Old.parallel_for_reduce pool ~start ~finish ~body:one ( + ) 0) );
  ]

let with_domainslib_pool n f =
  let pool = Task.setup_pool ~num_domains:n () in
  Fun.protect ~finally:(fun () -> Task.teardown_pool pool) (fun () -> f pool)

let is_of_seq name = String.starts_with ~prefix:"Seq." name

(* Sequences of more than [max_int] are refused ({!sequences_of_more_are_refused}). *)
let on_each_wide takers f =
  List.iter
    (fun (name, call) ->
      List.iter (fun range -> if size range > 0 || not (is_of_seq name) then f name call range) wide)
    takers

(* --- none is left out --- *)

(* Functions that make a sequence without running anything. *)
let sources_and_steps =
  List.map (( ^ ) "Weft.Seq.")
    [
      "return";
      "init";
      "of_range";
      "of_array";
      "of_floatarray";
      "of_string";
      "of_bytes";
      "of_bigarray";
      "of_list";
      "of_seq";
      "lines";
      "Text.of_string";
      "Text.of_bytes";
      "Text.of_bigarray";
      "Text.of_file";
      "Text.length";
      "Text.chars";
      "Text.lines";
      "Text.tokens";
      "Text.split_on_char";
      "split_at";
      "map";
      "mapi";
      "filter";
      "filter_map";
      "flat_map";
      "scan";
      "scan_exclusive";
      "append";
      "concat";
      "concat_list";
      "cons";
      "concat_map";
      "product";
      "map_product";
      "partition_map";
      "unzip";
      "split";
      "unfold";
      "of_dispenser";
    ]

let none_is_left_out () =
  let open Testing_public in
  let tried =
    let function_of (name, _) = List.hd (String.split_on_char ',' name) in
    List.map (fun taker -> "Weft." ^ function_of taker) (takers ignore)
    @ with_domainslib_pool 0 (fun pool -> List.map fst (domainslib_takers pool ignore))
    @ sources_and_steps
  and takes_a_range (f : Public_functions.t) =
    let has label = List.exists (fun (a : Public_functions.argument) -> a.label = label) f.arguments in
    String.starts_with ~prefix:"Weft.Seq." f.name || (has "start" && has "finish")
  in
  let functions =
    List.concat_map Public_functions.of_library [ "Weft"; "Weft_batch"; "Domainslib"; "Domainslib_04" ]
  in
  let expected = List.map (fun (f : Public_functions.t) -> f.name) (List.filter takes_a_range functions) in
  let sorted = List.sort_uniq compare in
  Alcotest.(check (list string)) "take a range" (sorted expected) (sorted tried)

(* A time-out of something that never ends: only the time-out ends it. *)
let ends_when_cancelled place name (f : int * int -> unit) range =
  match place.call (fun () -> Weft.Cancel.with_timeout 0.001 (fun () -> f range)) with
  | () -> Alcotest.failf "%s of %d to %d, on %s, has ended" name (fst range) (snd range) place.name
  | exception Weft.Cancel.Timeout -> ()

let all_are_cancellable () =
  everywhere (fun place -> on_each_wide (takers ignore) (ends_when_cancelled place));
  List.iter
    (fun n ->
      with_domainslib_pool n @@ fun pool ->
      let place =
        { name = Printf.sprintf "domainslib, %d" n; domains = n + 1; call = (fun f -> Task.run pool f) }
      in
      on_each_wide (domainslib_takers pool ignore) (ends_when_cancelled place))
    [ 0; 1 ]

exception Enough

let failures_end_them () =
  let body i = if i land 0xFFF = 0x5A5 then raise Enough in
  let ends what f range =
    match f range with
    | () -> Alcotest.failf "%s of %d to %d has ended" what (fst range) (snd range)
    | exception Enough -> ()
  in
  everywhere (fun place ->
      on_each_wide (takers body) (fun name f -> ends name (fun range -> place.call (fun () -> f range))));
  List.iter
    (fun n ->
      with_domainslib_pool n @@ fun pool ->
      on_each_wide (domainslib_takers pool body) (fun name f ->
          ends name (fun range -> Task.run pool (fun () -> f range))))
    [ 0; 1; 3 ]

(* --- empty, reversed, short --- *)

let empty_ones_call_nothing () =
  let body i = Alcotest.failf "%d in an empty range" i in
  everywhere (fun place ->
      List.iter (fun (_, f) -> List.iter (fun range -> place.call (fun () -> f range)) empty) (takers body));
  with_domainslib_pool 1 @@ fun pool ->
  List.iter
    (fun (_, f) -> List.iter (fun range -> Task.run pool (fun () -> f range)) empty)
    (domainslib_takers pool body);
  List.iter
    (fun (start, finish) -> check_int "of_range" 0 (Weft.Seq.length (Weft.Seq.of_range start finish)))
    empty

let sequences_of_more_are_refused () =
  List.iter
    (fun (start, finish) ->
      if size (start, finish) <= 0 then
        raises_invalid "of_range" "Weft.Seq.of_range: " (fun () -> Weft.Seq.of_range start finish)
      else check_int "length" (size (start, finish)) (Weft.Seq.length (Weft.Seq.of_range start finish)))
    wide

(* The elements are never computed. *)
let arrays_of_more_are_refused () =
  let s = Weft.Seq.map (fun i -> Alcotest.failf "element %d" i) (Weft.Seq.of_range 0 (max_int - 1)) in
  List.iter
    (fun (name, s) ->
      let who = Printf.sprintf "Weft.Seq.%s: no array has length %d" in
      raises_invalid name (who "to_array" max_int) (fun () -> Weft.Seq.to_array s);
      raises_invalid name (who "to_list" max_int) (fun () -> Weft.Seq.to_list s);
      raises_invalid name (who "force" max_int) (fun () -> Weft.Seq.force s);
      raises_invalid name (who "partition_to_arrays" max_int) (fun () ->
          Weft.Seq.partition_to_arrays (fun _ -> true) s);
      raises_invalid name (who "to_string" max_int) (fun () -> Weft.Seq.(to_string (map Char.chr s)));
      raises_invalid name (who "concat_strings" max_int) (fun () ->
          Weft.Seq.(concat_strings "" (map string_of_int s)));
      raises_invalid name (who "flatten" max_int) (fun () -> Weft.Seq.(iter ignore (flatten (map return s))));
      raises_invalid name (who "to_floatarray" max_int) (fun () ->
          Weft.Seq.to_floatarray (Weft.Seq.map float s)))
    Weft.Seq.
      [
        ("of a map", s);
        ("of a scan", scan ( + ) s);
        ("of two", append (init (max_int - 9) Fun.id) (init 9 Fun.id));
      ]

(* The inner sequences are traversed in pieces, which fit together. *)
let long_inner_ones_are_right () =
  everywhere @@ fun place ->
  List.iter
    (fun n ->
      let s = Weft.Seq.(flat_map (fun k -> of_range (k * n) ((k * n) + n - 1)) (of_range 0 2)) in
      Alcotest.(check (array int))
        place.name
        (Array.init (3 * n) Fun.id)
        (place.call (fun () -> Weft.Seq.to_array s)))
    [ 1; 4095; 4096; 4097; 8191; 8192; 8193; 20_000 ]

(* A leaf may be as long as the caller likes, however long its elements take. *)
let long_leaves_of_slow_elements () =
  everywhere @@ fun place ->
  let seen = Atomic.make 0 in
  let body i =
    if Atomic.fetch_and_add seen 1 > 5000 then raise Enough;
    spin 2_000;
    i
  in
  match
    place.call (fun () ->
        Weft.parallel_for_reduce ~chunk_size:max_int ~start:0 ~finish:(max_int - 1) ~body ( + ) 0)
  with
  | _ -> Alcotest.fail "has ended"
  | exception Enough -> ()

let long_leaves_are_right () =
  everywhere @@ fun place ->
  let body i =
    if i < 100 then spin 2_000;
    string_of_int (i mod 10)
  in
  let n = 10_000 in
  Alcotest.(check string)
    place.name
    (String.concat "" (List.init n (fun i -> string_of_int (i mod 10))))
    (place.call (fun () -> Weft.parallel_for_reduce ~chunk_size:n ~start:0 ~finish:(n - 1) ~body ( ^ ) ""))

let tests =
  [
    case "reductions cover the range" trees_cover_the_range;
    case "their tree depends on the range alone" trees_are_fixed_by_the_range;
    case "loops cover the range" loops_cover_the_range;
    case "none is left out" none_is_left_out;
    case "all can be cancelled" all_are_cancellable;
    case "failures end them" failures_end_them;
    case "empty ranges call nothing" empty_ones_call_nothing;
    case "sequences of more than max_int are refused" sequences_of_more_are_refused;
    case "arrays of more than there can be are refused" arrays_of_more_are_refused;
    case "long sequences inside others are right" long_inner_ones_are_right;
    case "leaves of any length with slow elements" long_leaves_of_slow_elements;
    case "leaves of any length are right" long_leaves_are_right;
  ]
