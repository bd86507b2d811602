open Support
module A = Weft.Array

(* Functions by key, against a sequential table. *)

(* The keys in the order of their first occurrences, each with its values in order. *)
let groups_of (type k) ~hash ~equal pairs =
  let module Table = Hashtbl.Make (struct
    type t = k

    let hash = hash
    let equal = equal
  end) in
  let known = Table.create 16 and order = ref [] in
  Array.iter
    (fun (k, v) ->
      match Table.find_opt known k with
      | Some values -> values := v :: !values
      | None ->
          let values = ref [ v ] in
          Table.add known k values;
          order := (k, values) :: !order)
    pairs;
  List.rev_map (fun (k, values) -> (k, Array.of_list (List.rev !values))) !order |> Array.of_list

type 'k keys = { of_int : int -> 'k; hash : 'k -> int; equal : 'k -> 'k -> bool }

let by_default of_int = { of_int; hash = Hashtbl.hash; equal = (fun x y -> compare x y = 0) }

let same what expected got =
  if Obj.tag (Obj.repr expected) <> Obj.tag (Obj.repr got) || compare expected got <> 0 then
    QCheck.Test.fail_reportf "%s differs" what

(* Not commutative. *)
let join x y = x ^ y

let check_keys ?hash ?equal keys (numbers : int array) =
  let pairs = Array.mapi (fun i number -> (keys.of_int number, string_of_int (i mod 10))) numbers in
  let expected = groups_of ~hash:keys.hash ~equal:keys.equal pairs in
  let all_keys = Array.map fst expected in
  same "group_by_key" expected (A.group_by_key ?hash ?equal pairs);
  same "group_by"
    (Array.map (fun (k, values) -> (k, Array.length values)) expected)
    (Array.map (fun (k, elements) -> (k, Array.length elements)) (A.group_by ?hash ?equal ~key:fst pairs));
  same "group_by's elements" (Array.map snd expected)
    (Array.map (fun (_, elements) -> Array.map snd elements) (A.group_by ?hash ?equal ~key:fst pairs));
  same "reduce_by_key"
    (Array.map (fun (k, values) -> (k, String.concat "" (Array.to_list values))) expected)
    (A.reduce_by_key ?hash ?equal join pairs);
  same "histogram_by_key"
    (Array.map (fun (k, values) -> (k, Array.length values)) expected)
    (A.histogram_by_key ?hash ?equal ~key:fst pairs);
  same "remove_duplicates" all_keys (A.remove_duplicates ?hash ?equal (Array.map fst pairs))

let lengths =
  QCheck.Gen.(
    frequency [ (2, int_bound 4); (4, int_bound 300); (2, int_bound 3_000); (1, int_range 20_000 30_000) ])

let numbers_of rand n =
  let kinds = match Random.State.int rand 4 with 0 -> 1 | 1 -> 10 | 2 -> 1 + (n / 3) | _ -> 1 + (10 * n) in
  Array.init n (fun _ -> Random.State.int rand kinds)

let letter i = Char.chr (97 + (i mod 26))

(* Strings that are equal if only cases differ. *)
let without_case =
  {
    of_int =
      (fun i ->
        if i land 1 = 0 then Printf.sprintf "%c%d" (letter i) (i / 2)
        else Printf.sprintf "%c%d" (Char.uppercase_ascii (letter (i - 1))) (i / 2));
    hash = (fun s -> Hashtbl.hash (String.lowercase_ascii s));
    equal = (fun s t -> String.lowercase_ascii s = String.lowercase_ascii t);
  }

let property name count check =
  let arbitrary =
    QCheck.make ~print:QCheck.Print.(pair int int) QCheck.Gen.(pair lengths (int_bound 1_000_000))
  in
  QCheck.Test.check_exn ~rand:(Random.State.make [| 5 |])
    (QCheck.Test.make ~count:(tries count) ~name arbitrary (fun (n, seed) ->
         check (numbers_of (Random.State.make [| seed |]) n);
         true))

let like_a_table () =
  in_each_size @@ fun () ->
  property "integers" 20 (check_keys (by_default Fun.id));
  property "floats" 10 (check_keys (by_default float));
  property "strings" 10 (check_keys (by_default string_of_int));
  property "own functions" 20 (fun numbers ->
      let { hash; equal; _ } = without_case in
      check_keys ~hash ~equal without_case numbers);
  property "identity" 10 (check_keys ~hash:Fun.id ~equal:Int.equal (by_default Fun.id));
  property "multiples" 10 (check_keys ~hash:Fun.id (by_default (fun i -> i lsl 40)));
  property "the same hash" 10 (fun numbers ->
      if Array.length numbers <= 300 then check_keys ~hash:(Fun.const 7) (by_default Fun.id) numbers);
  (* Not equal to itself, but by [compare]. *)
  same "nan" [| (nan, 3) |] (A.histogram_by_key ~key:Fun.id [| nan; nan; nan |])

let indices () =
  in_each_size @@ fun () ->
  property "indices" 30 (fun numbers ->
      List.iter
        (fun buckets ->
          let pairs = Array.mapi (fun i number -> (number mod buckets, string_of_int (i mod 10))) numbers in
          let expected = Array.make buckets "x" and counts = Array.make buckets 0 in
          Array.iter
            (fun (b, v) ->
              counts.(b) <- counts.(b) + 1;
              expected.(b) <- join expected.(b) v)
            pairs;
          same "reduce_by_index" expected (A.reduce_by_index ~buckets join "x" pairs);
          same "reduce_by_index, floats" (Array.map float counts)
            (A.reduce_by_index ~buckets ( +. ) 0. (Array.map (fun (b, _) -> (b, 1.)) pairs));
          same "histogram" counts (A.histogram ~buckets fst pairs))
        [ 1; 7; 1_000; 50_000 ])

(* --- what is combined with what --- *)

let the_same_for_all_sizes () =
  let n = if is_tiny then 1_000 else 20_000 in
  let shape x y = Hashtbl.hash (x, y) in
  let results = ref [] in
  in_each_size (fun () ->
      List.iter
        (fun kinds ->
          let pairs = Array.init n (fun i -> (i * 7919 mod kinds, i)) in
          results := (kinds, 0, A.reduce_by_key shape pairs) :: !results;
          let by_index = A.reduce_by_index ~buckets:kinds shape 1 pairs in
          results := (kinds, 1, Array.mapi (fun b v -> (b, v)) by_index) :: !results)
        [ 1; 50; n ]);
  List.iter
    (fun (kinds, which, result) ->
      List.iter
        (fun (kinds', which', result') ->
          if kinds = kinds' && which = which' && result <> result' then
            Alcotest.failf "%d keys: another nesting (%d)" kinds which)
        !results)
    !results

let calls_are_counted () =
  in_each_size @@ fun () ->
  List.iter
    (fun (n, kinds) ->
      let a = Array.init n (fun i -> i * 7919 mod kinds) and calls = Atomic.make 0 in
      let counted f x =
        Atomic.incr calls;
        f x
      in
      let expect what expected f =
        Atomic.set calls 0;
        ignore (f ());
        check_int (Printf.sprintf "%s, %d of %d" what kinds n) expected (Atomic.get calls)
      in
      let groups = Int.min n kinds and pairs = Array.map (fun k -> (k, 1)) a in
      let add = counted (fun x y -> x + y) in
      expect "keys" n (fun () -> A.group_by ~key:(counted Fun.id) a);
      expect "keys" n (fun () -> A.histogram_by_key ~key:(counted Fun.id) a);
      expect "hashes" n (fun () -> A.remove_duplicates ~hash:(counted Hashtbl.hash) a);
      expect "hashes" n (fun () -> A.group_by_key ~hash:(counted Hashtbl.hash) pairs);
      expect "sums" (n - groups) (fun () -> A.reduce_by_key add pairs);
      if kinds > n / 64 then expect "sums by index" n (fun () -> A.reduce_by_index ~buckets:kinds add 0 pairs);
      expect "buckets" n (fun () -> A.histogram ~buckets:kinds (counted Fun.id) a))
    [ (1, 1); (100, 7); (100, 1000); (20_000, 3); (20_000, 20_000) ]

(* --- failures, cancellation, waiting --- *)

(* Each function, with one of its own that calls [visit]. *)
let all_functions : (string * ((unit -> unit) -> int -> unit)) list =
  let visiting visit f x =
    visit ();
    f x
  in
  let pairs n = Array.init n (fun i -> (i / 2, i)) and ints n = Array.init n (fun i -> i / 2) in
  let equal visit x y =
    visit ();
    x = y
  in
  [
    ("group_by, key", fun visit n -> ignore (A.group_by ~key:(visiting visit Fun.id) (ints n)));
    ("group_by, hash", fun visit n -> ignore (A.group_by ~hash:(visiting visit Fun.id) ~key:Fun.id (ints n)));
    ("group_by, equal", fun visit n -> ignore (A.group_by ~equal:(equal visit) ~key:Fun.id (ints n)));
    ("group_by_key", fun visit n -> ignore (A.group_by_key ~hash:(visiting visit Fun.id) (pairs n)));
    ("histogram_by_key", fun visit n -> ignore (A.histogram_by_key ~key:(visiting visit Fun.id) (ints n)));
    ("remove_duplicates", fun visit n -> ignore (A.remove_duplicates ~equal:(equal visit) (ints n)));
    ("reduce_by_key", fun visit n -> ignore (A.reduce_by_key (fun x -> visiting visit (( + ) x)) (pairs n)));
    ( "reduce_by_index, few buckets",
      fun visit n ->
        let f x = visiting visit (( + ) x) in
        ignore (A.reduce_by_index ~buckets:4 f 0 (Array.init n (fun i -> (i mod 4, i)))) );
    ( "reduce_by_index, many buckets",
      fun visit n -> ignore (A.reduce_by_index ~buckets:n (fun x -> visiting visit (( + ) x)) 0 (pairs n)) );
    ( "histogram, many buckets",
      fun visit n -> ignore (A.histogram ~buckets:n (visiting visit Fun.id) (ints n)) );
  ]

let failures () =
  in_each_size @@ fun () ->
  List.iter
    (fun (name, call) ->
      List.iter
        (fun k ->
          let calls = Atomic.make 0 in
          let visit () = if Atomic.fetch_and_add calls 1 >= k then raise (Planned k) in
          match call visit 5_000 with
          | () -> Alcotest.failf "%s: no exception" name
          | exception Planned _ -> ())
        [ 0; 1; 1_000 ])
    all_functions

let cancellations () =
  in_each_size @@ fun () ->
  List.iter
    (fun (name, call) ->
      let token = Weft.Cancel.create () and calls = Atomic.make 0 in
      (* Calls go on until the function itself looks whether it is cancelled. *)
      let visit () = if Atomic.fetch_and_add calls 1 = 100 then Weft.Cancel.cancel token in
      match Weft.Cancel.within token (fun () -> call visit 10_000) with
      | () -> Alcotest.failf "%s returned" name
      | exception Weft.Cancel.Cancelled _ -> ())
    all_functions

let ended_by_their_pool () =
  List.iter
    (fun (_, call) ->
      let never = Weft.Ivar.create () in
      waits_and_is_ended (fun () -> call (fun () -> Weft.Ivar.read never) 500))
    all_functions

(* All keys are computed at the same time. *)
let keys_that_wait () =
  in_each_size @@ fun () ->
  let n = 100 in
  let meet f =
    let here = Atomic.make 0 in
    f (fun k ->
        Atomic.incr here;
        yield_until "all are here" (fun () -> Atomic.get here >= n);
        k mod 3)
  in
  let a = Array.init n Fun.id in
  let counts = [| (0, 34); (1, 33); (2, 33) |] in
  check "histogram_by_key" (meet (fun key -> A.histogram_by_key ~key a) = counts);
  check "group_by"
    (Array.map (fun (k, l) -> (k, Array.length l)) (meet (fun key -> A.group_by ~key a)) = counts);
  check "histogram"
    (meet (fun key -> A.histogram ~buckets:500 key a)
    = Array.init 500 (fun b -> if b < 3 then snd counts.(b) else 0))

let misuse () =
  let invalid prefix f = raises_invalid prefix ("Weft.Array.reduce_by_index: " ^ prefix) f in
  let reduce buckets a = A.reduce_by_index ~buckets ( + ) 0 a in
  List.iter
    (fun n ->
      invalid "bucket 3 of 3" (fun () -> reduce 3 (Array.make n (3, 1)));
      invalid "bucket -1 of 3" (fun () -> reduce 3 (Array.make n (-1, 1))))
    [ 1; 10_000 ];
  invalid "bucket 0 of 0" (fun () -> reduce 0 [| (0, 1) |]);
  invalid "negative number of buckets -1" (fun () -> reduce (-1) [||]);
  check "none" (reduce 2 [||] = [| 0; 0 |])

let tests =
  [
    case "keys are those of a sequential table" like_a_table;
    case "indices are those of a sequential loop" indices;
    case "what is combined with what depends on no number of domains" the_same_for_all_sizes;
    case "calls are counted" calls_are_counted;
    case "failures in each function" failures;
    case "cancelled in each function" cancellations;
    case "ended by the closing of their pool" ended_by_their_pool;
    case "keys that wait" keys_that_wait;
    case "misuse is said" misuse;
  ]
