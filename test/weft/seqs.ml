open Support
module Seq = Weft.Seq

(* --- random chains against lists --- *)

(* Small affine maps, x -> a x + b modulo 101, encoded as the integers 101 a + b. Their composition is
   associative and not commutative. *)
let compose f g =
  let a = f / 101 and b = f mod 101 and c = g / 101 and d = g mod 101 in
  (101 * (a * c mod 101)) + (((a * d) + b) mod 101)

let some_map i = (abs i * 37 mod 10_201) + 102

type chain =
  | Range of int * int
  | Init of int
  | Of_array of int
  | Of_list of int
  | Map of int * chain
  | Mapi of chain
  | Filter of int * chain
  | Filter_map of int * chain
  | Flat_map of chain * chain
    (* runs the inner chain for each element, and adds that element to its
                                 elements *)
  | Scan of chain
  | Scan_exclusive of int * chain
  | Append of chain * chain
  | Concat of chain list
  | Force of chain
  | Take of int * chain
  | Drop of int * chain
  | Rev of chain
  | Step_by of int * chain
  | Map2 of chain * chain
  | Chunks of int * chain (* the compositions of chunks *)
  | Windows of int * chain
  | Flatten of chain * chain (* like [Flat_map] *)
  | Fail of int * chain (* fails at the element with this number, from 0 on *)

let rec print = function
  | Range (a, b) -> Printf.sprintf "range %d %d" a b
  | Init n -> Printf.sprintf "init %d" n
  | Of_array n -> Printf.sprintf "array %d" n
  | Of_list n -> Printf.sprintf "list %d" n
  | Map (k, c) -> Printf.sprintf "%s |> map %d" (print c) k
  | Mapi c -> Printf.sprintf "%s |> mapi" (print c)
  | Filter (k, c) -> Printf.sprintf "%s |> filter %d" (print c) k
  | Filter_map (k, c) -> Printf.sprintf "%s |> filter_map %d" (print c) k
  | Flat_map (inner, c) -> Printf.sprintf "%s |> flat_map (%s)" (print c) (print inner)
  | Scan c -> Printf.sprintf "%s |> scan" (print c)
  | Scan_exclusive (k, c) -> Printf.sprintf "%s |> scan_exclusive %d" (print c) k
  | Append (c, d) -> Printf.sprintf "append (%s) (%s)" (print c) (print d)
  | Concat cs -> Printf.sprintf "concat [%s]" (String.concat "; " (List.map print cs))
  | Force c -> Printf.sprintf "%s |> force" (print c)
  | Take (k, c) -> Printf.sprintf "%s |> take %d" (print c) k
  | Drop (k, c) -> Printf.sprintf "%s |> drop %d" (print c) k
  | Rev c -> Printf.sprintf "%s |> rev" (print c)
  | Step_by (k, c) -> Printf.sprintf "%s |> step_by %d" (print c) k
  | Map2 (c, d) -> Printf.sprintf "map2 (%s) (%s)" (print c) (print d)
  | Chunks (k, c) -> Printf.sprintf "%s |> chunks %d" (print c) k
  | Windows (k, c) -> Printf.sprintf "%s |> windows %d" (print c) k
  | Flatten (inner, c) -> Printf.sprintf "%s |> flatten (%s)" (print c) (print inner)
  | Fail (at, c) -> Printf.sprintf "%s |> fail %d" (print c) at

let keep k x = x mod k <> 0
let keep_some k x = if keep k x then Some (some_map (x + k)) else None
let fail at i x = if i = at then raise (Planned at) else x
let rec chunks k l = if l = [] then [] else List.take k l :: chunks k (List.drop k l)

let windows k l =
  let a = Array.of_list l in
  List.init (max 0 (Array.length a - k + 1)) (fun i -> Array.to_list (Array.sub a i k))

let composition l = List.fold_left compose 101 l
let rec map2 f l m = match (l, m) with x :: l, y :: m -> f x y :: map2 f l m | _ -> []

let rec meaning = function
  | Range (a, b) -> List.init (max 0 (b - a + 1)) (fun i -> some_map (a + i))
  | Init n | Of_array n | Of_list n -> List.init n some_map
  | Map (k, c) -> List.map (fun x -> some_map (x + k)) (meaning c)
  | Mapi c -> List.mapi (fun i x -> compose (some_map i) x) (meaning c)
  | Filter (k, c) -> List.filter (keep k) (meaning c)
  | Filter_map (k, c) -> List.filter_map (keep_some k) (meaning c)
  | Flat_map (inner, c) ->
      let inner = meaning inner in
      List.concat_map (fun x -> List.map (compose x) inner) (meaning c)
  | Scan c -> (
      match meaning c with
      | [] -> []
      | x :: l -> List.rev (List.fold_left (fun sums x -> compose (List.hd sums) x :: sums) [ x ] l))
  | Scan_exclusive (k, c) ->
      let step (sum, sums) x = (compose sum x, sum :: sums) in
      List.rev (snd (List.fold_left step (some_map k, []) (meaning c)))
  | Append (c, d) ->
      let l = meaning c in
      l @ meaning d
  | Concat cs -> List.concat_map meaning cs
  | Force c -> meaning c
  | Take (k, c) -> List.take k (meaning c)
  | Drop (k, c) -> List.drop k (meaning c)
  | Rev c -> List.rev (meaning c)
  | Step_by (k, c) -> List.filteri (fun i _ -> i mod k = 0) (meaning c)
  | Map2 (c, d) -> map2 compose (meaning c) (meaning d)
  | Chunks (k, c) -> List.map composition (chunks k (meaning c))
  | Windows (k, c) -> List.map composition (windows k (meaning c))
  | Flatten (inner, c) -> meaning (Flat_map (inner, c))
  | Fail (at, c) -> List.mapi (fail at) (meaning c)

let rec execute = function
  | Range (a, b) -> Seq.map some_map (Seq.of_range a b)
  | Init n -> Seq.init n some_map
  | Of_array n -> Seq.of_array (Array.init n some_map)
  | Of_list n -> Seq.of_list (List.init n some_map)
  | Map (k, c) -> Seq.map (fun x -> some_map (x + k)) (execute c)
  | Mapi c -> Seq.mapi (fun i x -> compose (some_map i) x) (execute c)
  | Filter (k, c) -> Seq.filter (keep k) (execute c)
  | Filter_map (k, c) -> Seq.filter_map (keep_some k) (execute c)
  | Flat_map (inner, c) -> Seq.flat_map (fun x -> Seq.map (compose x) (execute inner)) (execute c)
  | Scan c -> Seq.scan compose (execute c)
  | Scan_exclusive (k, c) -> Seq.scan_exclusive compose (some_map k) (execute c)
  | Append (c, d) -> Seq.append (execute c) (execute d)
  | Concat cs -> Seq.concat (List.map execute cs)
  | Force c -> Seq.force (execute c)
  | Take (k, c) -> Seq.take k (execute c)
  | Drop (k, c) -> Seq.drop k (execute c)
  | Rev c -> Seq.rev (execute c)
  | Step_by (k, c) -> Seq.step_by k (execute c)
  | Map2 (c, d) -> Seq.map2 compose (execute c) (execute d)
  | Chunks (k, c) -> Seq.map (Array.fold_left compose 101) (Seq.chunks k (execute c))
  | Windows (k, c) -> Seq.map (Array.fold_left compose 101) (Seq.windows k (execute c))
  | Flatten (inner, c) -> Seq.flatten (Seq.map (fun x -> Seq.map (compose x) (execute inner)) (execute c))
  | Fail (at, c) -> Seq.mapi (fail at) (execute c)

let chain ~may_fail =
  let open QCheck.Gen in
  let length = frequency [ (4, int_bound 5); (4, int_bound 100); (1, int_range 4000 5000) ] in
  let source =
    oneof
      [
        map2 (fun a n -> Range (a, a + n)) (int_range (-5) 5) length;
        map (fun n -> Init n) length;
        map (fun n -> Of_array n) length;
        map (fun n -> Of_list n) length;
        return (Range (3, 2));
      ]
  in
  (* The arguments of [flat_map] and [concat], which multiply elements, are short. *)
  let short_source = map (fun n -> Init n) (int_bound 3) in
  let k = int_range 2 7
  and amount = frequency [ (2, int_bound 9); (1, int_bound 3000); (1, return max_int) ] in
  (* A part may have less to fail. *)
  let parts = if may_fail then 0 else 1 in
  let rec go source depth =
    if depth = 0 then source
    else
      let c = go source (depth - 1) in
      frequency
        [
          (1, source);
          (2, map2 (fun k c -> Map (k, c)) k c);
          (2, map (fun c -> Mapi c) c);
          (2, map2 (fun k c -> Filter (k, c)) k c);
          (1, map2 (fun k c -> Filter_map (k, c)) k c);
          ( 1,
            map2
              (fun inner c -> Flat_map (inner, c))
              (go short_source (depth / 2))
              (go short_source (depth - 1)) );
          (1, map2 (fun inner c -> Flat_map (inner, c)) short_source c);
          (2, map (fun c -> Scan c) c);
          (1, map2 (fun k c -> Scan_exclusive (k, c)) k c);
          (1, map2 (fun c d -> Append (c, d)) c (go short_source (depth / 2)));
          (1, map (fun cs -> Concat cs) (list_size (int_bound 4) (go short_source 0)));
          (1, map (fun c -> Force c) c);
          (parts, map2 (fun k c -> Take (k, c)) amount c);
          (parts, map2 (fun k c -> Drop (k, c)) amount c);
          (parts, map (fun c -> Rev c) c);
          (parts, map2 (fun k c -> Step_by (k, c)) (int_range 1 5) c);
          (parts, map2 (fun c d -> Map2 (c, d)) c c);
          (parts, map2 (fun k c -> Chunks (k, c)) (int_range 1 5) c);
          (parts, map2 (fun k c -> Windows (k, c)) (int_range 1 5) c);
          ( parts,
            map2
              (fun inner c -> Flatten (inner, c))
              (go short_source (depth / 2))
              (go short_source (depth - 1)) );
          ((if may_fail then 2 else 0), map2 (fun at c -> Fail (at, c)) (int_bound 400) c);
        ]
  in
  int_bound 6 >>= go source

(* On a difference it says in which check. *)
let same what l r = if l <> r then QCheck.Test.fail_reportf "%s differs" what
let letter x = Char.chr (97 + (x mod 26))

let check_all l s =
  let n = List.length l in
  same "to_list" l (Seq.to_list s);
  same "to_array" (Array.of_list l) (Seq.to_array s);
  same "to_seq" l (List.of_seq (Seq.to_seq s));
  same "length" n (Seq.length s);
  same "to_floatarray" (List.map float l) (Float.Array.to_list (Seq.to_floatarray (Seq.map float s)));
  same "sum" (List.fold_left ( + ) 0 l) (Seq.sum s);
  same "float_sum" (List.fold_left (fun s x -> s +. float x) 0. l) (Seq.float_sum (Seq.map float s));
  same "reduce" (List.fold_left compose 205 l) (Seq.reduce compose 205 s);
  same "fold" l (List.rev (Seq.fold (fun l x -> x :: l) ~combine:(fun a b -> b @ a) [] s));
  same "to_string" (String.of_seq (List.to_seq (List.map letter l))) (Seq.to_string (Seq.map letter s));
  same "to_bytes" (Bytes.of_seq (List.to_seq (List.map letter l))) (Seq.to_bytes (Seq.map letter s));
  same "concat_strings"
    (String.concat ", " (List.map string_of_int l))
    (Seq.concat_strings ", " (Seq.map string_of_int s));
  same "equal" true (Seq.equal ( = ) s (Seq.of_list l));
  let longer = Seq.filter (fun _ -> true) (Seq.of_list (l @ [ 1 ])) in
  same "equal to what is longer" (false, false) (Seq.equal ( = ) s longer, Seq.equal ( = ) longer s);
  same "not equal" (l = []) (Seq.equal ( <> ) s s && Seq.equal (fun x y -> x = y + 1) (Seq.map succ s) s);
  let less = List.map (fun x -> x - 1) (List.drop (n / 2) l) in
  let other = List.append (List.take (n / 2) l) less in
  List.iter
    (fun m -> same "compare" (List.compare Int.compare l m) (Seq.compare Int.compare s (Seq.of_list m)))
    [ l; other; List.take (n / 2) l; l @ [ 1 ] ];
  let shorter = List.drop (n / 2) l in
  let std = List.to_seq l and std' = List.to_seq shorter and s' = Seq.of_list shorter in
  same "fold_left2"
    (Stdlib.Seq.fold_left2 (fun l x y -> (x - y) :: l) [] std std')
    (Seq.fold_left2 (fun l x y -> (x - y) :: l) [] s s');
  List.iter
    (fun (what, p) ->
      same ("exists2, " ^ what) (Stdlib.Seq.exists2 p std std') (Seq.exists2 p s s');
      same ("for_all2, " ^ what) (Stdlib.Seq.for_all2 p std' std) (Seq.for_all2 p s' s))
    [ ("<", ( < )); (">=", ( >= )); ("rare", fun x y -> (x + y) mod 97 = 0) ];
  let products = Atomic.make 0 in
  Seq.iter2 (fun x y -> ignore (Atomic.fetch_and_add products (x * y))) s s';
  same "iter2" (Stdlib.Seq.fold_left2 (fun sum x y -> sum + (x * y)) 0 std std') (Atomic.get products);
  let marks = Atomic.make 0 in
  Seq.iter (fun x -> ignore (Atomic.fetch_and_add marks (x * x))) s;
  same "iter" (List.fold_left (fun s x -> s + (x * x)) 0 l) (Atomic.get marks);
  let even x = x land 1 = 0 in
  let seen = Array.make n 0 in
  Seq.iteri (fun i x -> seen.(i) <- x) s;
  same "iteri" l (Array.to_list seen);
  let some, others = List.partition even l and some', others' = Seq.partition even s in
  same "partition" (some, others) (Seq.to_list some', Seq.to_list others');
  same "partition_to_arrays" (Array.of_list some, Array.of_list others) (Seq.partition_to_arrays even s);
  same "count" (List.length (List.filter even l)) (Seq.count even s);
  (* Pairs that tell equal elements apart. *)
  let pairs = List.mapi (fun i x -> (x mod 10, i)) l and pairs' = Seq.mapi (fun i x -> (x mod 10, i)) s in
  let order (x, _) (y, _) = Int.compare x y in
  let best better = function
    | [] -> None
    | x :: l -> Some (List.fold_left (fun a b -> if better (order b a) then b else a) x l)
  in
  same "min_opt" (best (fun c -> c < 0) pairs) (Seq.min_opt order pairs');
  same "max_opt" (best (fun c -> c > 0) pairs) (Seq.max_opt order pairs');
  same "min_by" (best (fun c -> c < 0) pairs) (Seq.min_by ~key:fst Int.compare pairs');
  same "max_by" (best (fun c -> c > 0) pairs) (Seq.max_by ~key:fst Int.compare pairs');
  List.iter
    (fun k ->
      let rare x = x mod k = 0 in
      let add sum x = if rare x then Error x else Ok (compose sum x) in
      let step sum x = Result.bind sum (fun sum -> add sum x) in
      same "try_fold" (List.fold_left step (Ok 101) l) (Seq.try_fold ~combine:compose add 101 s);
      same "find_index" (List.find_index rare l) (Seq.find_index rare s);
      same "exists" (List.exists rare l) (Seq.exists rare s);
      same "for_all" (List.for_all (keep k) l) (Seq.for_all (keep k) s);
      same "find"
        (List.find_opt (fun (x, i) -> rare (x + i)) pairs)
        (Seq.find (fun (x, i) -> rare (x + i)) pairs');
      let answer (x, i) = if rare (x + i) then Some (i + 1) else None in
      same "find_map" (List.find_map answer pairs) (Seq.find_map answer pairs'))
    [ 2; 97; 1009 ]

let check_property name ~count ~may_fail property =
  let arbitrary = QCheck.make ~print (chain ~may_fail) in
  QCheck.Test.check_exn ~rand:(Stdlib.Random.State.make [| 5 |])
    (QCheck.Test.make ~count:(tries count) ~name arbitrary property)

(* With a tiny minor heap and many domains, everything that allocates is slow. *)
let is_slow = deep < 1_000_000
let count = if is_slow then 25 else 200

let chains_mean_what_lists_mean () =
  in_each_size @@ fun () ->
  check_property "chains" ~count ~may_fail:false (fun c ->
      let l = meaning c in
      if List.length l <= 10_000 then check_all l (execute c);
      true)

let outcome f = match f () with v -> Ok v | exception Planned n -> Error n

(* Timing decides which of several exceptions is raised, but not whether one is. *)
let chains_that_fail () =
  in_each_size @@ fun () ->
  check_property "chains that fail" ~count ~may_fail:true (fun c ->
      match (outcome (fun () -> meaning c), outcome (fun () -> Seq.to_list (execute c))) with
      | Ok l, Ok l' -> l = l'
      | Error _, Error _ -> true
      | _ -> false)

(* --- exceptions --- *)

(* For each function with a body: the body raises at the elements from [k] on; the function raises the
   exception of the smallest that ran. *)
let exceptions_in_every_function () =
  in_each_size @@ fun () ->
  let n = 5_000 in
  List.iter
    (fun k ->
      let bad x = if x >= k then raise (Planned x) else x in
      let expect what f =
        match f () with
        | () -> Alcotest.failf "%s: no exception at %d" what k
        | exception Planned x -> if x < k || x >= n then Alcotest.failf "%s: %d, expected from %d on" what x k
      in
      let s = Seq.of_range 0 (n - 1) and quiet s = Seq.iter ignore s in
      expect "init" (fun () -> quiet (Seq.init n bad));
      expect "map" (fun () -> quiet (Seq.map bad s));
      expect "mapi" (fun () -> quiet (Seq.mapi (fun i _ -> bad i) s));
      expect "filter" (fun () -> quiet (Seq.filter (fun x -> bad x >= 0) s));
      expect "filter_map" (fun () -> quiet (Seq.filter_map (fun x -> Some (bad x)) s));
      expect "flat_map" (fun () -> quiet (Seq.flat_map (fun x -> Seq.return (bad x)) s));
      expect "inside flat_map" (fun () -> quiet (Seq.flat_map (fun x -> Seq.map bad (Seq.return x)) s));
      let larger a b = bad (max a b) in
      expect "scan" (fun () -> quiet (Seq.scan larger s));
      expect "scan_exclusive" (fun () -> quiet (Seq.scan_exclusive larger (-1) (Seq.of_range 0 n)));
      let failing = Seq.map bad s in
      expect "append" (fun () -> quiet (Seq.append Seq.empty failing));
      expect "force" (fun () -> ignore (Seq.force failing));
      expect "iter" (fun () -> Seq.iter (fun x -> ignore (bad x)) s);
      expect "reduce" (fun () -> ignore (Seq.reduce larger (-1) s));
      expect "fold" (fun () -> ignore (Seq.fold (fun _ x -> bad x) ~combine:max 0 s));
      expect "combine of fold" (fun () -> ignore (Seq.fold max ~combine:(fun _ _ -> raise (Planned k)) 0 s));
      expect "sum" (fun () -> ignore (Seq.sum failing));
      expect "float_sum" (fun () -> ignore (Seq.float_sum (Seq.map float failing)));
      expect "length" (fun () -> ignore (Seq.length (Seq.filter (fun _ -> true) failing)));
      let numbered f s = quiet (f (Seq.filter (fun _ -> true) s)) in
      expect "take" (fun () -> quiet (Seq.take n failing));
      expect "take, counted" (fun () -> numbered (Seq.take n) failing);
      expect "drop" (fun () -> quiet (Seq.drop 1 failing));
      expect "drop, counted" (fun () -> numbered (Seq.drop (k + 1)) failing);
      expect "rev" (fun () -> quiet (Seq.rev failing));
      expect "rev, collected" (fun () -> numbered Seq.rev failing);
      expect "step_by" (fun () -> quiet (Seq.step_by 2 failing));
      expect "chunks" (fun () -> quiet (Seq.chunks 7 failing));
      expect "windows" (fun () -> quiet (Seq.windows 7 failing));
      expect "zip" (fun () -> quiet (Seq.zip s failing));
      expect "map2" (fun () -> quiet (Seq.map2 (fun x _ -> bad x) s s));
      expect "flatten" (fun () -> quiet (Seq.flatten (Seq.of_list [ Seq.empty; failing ])));
      expect "flatten, outside" (fun () -> quiet (Seq.flatten (Seq.map Seq.return failing)));
      expect "iteri" (fun () -> Seq.iteri (fun _ x -> ignore (bad x)) s);
      expect "try_fold" (fun () -> ignore (Seq.try_fold ~combine:max (fun _ x -> Ok (bad x)) 0 s));
      expect "min_by" (fun () -> ignore (Seq.min_by ~key:bad Int.compare s));
      expect "max_by" (fun () -> ignore (Seq.max_by ~key:bad Int.compare s));
      expect "equal" (fun () -> ignore (Seq.equal (fun x _ -> bad x >= 0) s s));
      expect "compare" (fun () -> ignore (Seq.compare (fun x _ -> bad x - x) s s));
      expect "iter2" (fun () -> Seq.iter2 (fun x _ -> ignore (bad x)) s s);
      expect "fold_left2" (fun () -> ignore (Seq.fold_left2 (fun _ x _ -> bad x) 0 s s));
      expect "exists2" (fun () -> ignore (Seq.exists2 (fun x _ -> bad x < 0) s s));
      expect "for_all2" (fun () -> ignore (Seq.for_all2 (fun x _ -> bad x >= 0) s s));
      expect "find_index" (fun () -> ignore (Seq.find_index (fun x -> bad x < 0) s));
      expect "partition" (fun () -> quiet (fst (Seq.partition (fun x -> bad x < 0) s)));
      expect "partition_to_arrays" (fun () -> ignore (Seq.partition_to_arrays (fun x -> bad x < 0) s));
      expect "to_string" (fun () -> ignore (Seq.to_string (Seq.map (fun x -> letter (bad x)) s)));
      expect "concat_strings" (fun () -> ignore (Seq.concat_strings "" (Seq.map string_of_int failing)));
      expect "count" (fun () -> ignore (Seq.count (fun x -> bad x < 0) s));
      expect "min_opt" (fun () ->
          ignore
            (Seq.min_opt
               (fun a b ->
                 ignore (larger a b);
                 0)
               s));
      expect "max_opt" (fun () ->
          ignore
            (Seq.max_opt
               (fun a b ->
                 ignore (larger a b);
                 0)
               s));
      expect "exists" (fun () -> ignore (Seq.exists (fun x -> bad x < 0) s));
      expect "for_all" (fun () -> ignore (Seq.for_all (fun x -> bad x >= 0) s));
      expect "to_array" (fun () -> ignore (Seq.to_array failing));
      expect "to_array of some" (fun () -> ignore (Seq.to_array (Seq.filter (fun _ -> true) failing)));
      expect "to_floatarray" (fun () -> ignore (Seq.to_floatarray (Seq.map float failing)));
      expect "to_list" (fun () -> ignore (Seq.to_list failing));
      expect "to_seq" (fun () -> ignore (Seq.to_seq failing ()));
      (* The search gives the same result as the sequential one. *)
      List.iter
        (fun (what, at) ->
          let answer = outcome (fun () -> Seq.find (fun x -> bad x = at) s) in
          let expected = if at < k then Ok (Some at) else Error k in
          if answer <> expected then Alcotest.failf "find: an answer %s an exception at %d" what k;
          let answer = outcome (fun () -> Seq.find_map (fun x -> if x = at then Some x else None) failing) in
          if answer <> expected then Alcotest.failf "find_map: an answer %s an exception at %d" what k)
        [ ("before", k - 1); ("after", k + 1) ];
      (* On one domain the search finds the answer first, on several it may not. *)
      if Weft.Pool.(domains (Option.get (current ()))) = 1 && not (Seq.exists (fun x -> bad x = 0) s) then
        Alcotest.fail "exists: an answer before an exception")
    [ 1; 70; 4_990 ]

let misuse () =
  raises_invalid "init" "Weft.Seq.init: negative length -1" (fun () -> Seq.init (-1) Fun.id);
  raises_invalid "of_range" "Weft.Seq.of_range: more than max_int integers, -1 to " (fun () ->
      Seq.of_range (-1) max_int);
  raises_invalid "of_range" "Weft.Seq.of_range: more than max_int integers, 0 to " (fun () ->
      Seq.of_range 0 max_int);
  raises_invalid "append" "Weft.Seq.append: more than max_int elements" (fun () ->
      Seq.length (Seq.append (Seq.of_range 1 max_int) (Seq.return 0)));
  raises_invalid "concat" "Weft.Seq.concat: more than max_int elements" (fun () ->
      Seq.length (Seq.concat [ Seq.of_range 1 max_int; Seq.return 0 ]))

(* --- delays --- *)

let runs_when_used_and_once () =
  in_each_size @@ fun () ->
  List.iter
    (fun n ->
      let calls = Array.init n (fun _ -> Atomic.make 0) in
      let s =
        Seq.init n (fun i ->
            Atomic.incr calls.(i);
            i)
      in
      let longer = Seq.map succ (Seq.filter (fun _ -> true) s) in
      let check what times =
        Array.iteri
          (fun i c ->
            if Atomic.get c <> times then Alcotest.failf "%s: %d calls for %d of %d" what (Atomic.get c) i n)
          calls
      in
      check "unused" 0;
      check_int "length" n (Seq.length (Seq.map succ (Seq.scan ( + ) s)));
      check "known length" 0;
      ignore (Seq.to_array s);
      check "to_array" 1;
      ignore (Seq.to_array longer);
      check "to_array of filtered" 2;
      ignore (Seq.sum longer);
      check "sum" 3;
      let forced = Seq.force longer in
      check "force" 4;
      check_int "forced" (n * (n + 1) / 2) (Seq.sum (Seq.append forced Seq.empty));
      check "after force" 4)
    [ 1; 100; 5_000 ]

let searches_end_early () =
  in_each_size @@ fun () ->
  let all = Seq.of_range 0 (max_int - 1) in
  Alcotest.(check bool) "exists" true (Seq.exists (fun x -> x = 5_000) all);
  Alcotest.(check bool) "for_all" false (Seq.for_all (fun x -> x < 5_000) all);
  Alcotest.(check (option int)) "find" (Some 5_000) (Seq.find (fun x -> x >= 5_000) all);
  (* The same inside one position. *)
  let endless = Seq.flat_map (fun _ -> all) (Seq.return ()) in
  Alcotest.(check (option int)) "find in flat_map" (Some 5_000) (Seq.find (fun x -> x >= 5_000) endless);
  let nested = Seq.filter (fun x -> Seq.exists (fun y -> y = x) (Seq.of_range 20 40)) all in
  Alcotest.(check (option int)) "nested" (Some 21) (Seq.find (fun x -> x > 20) nested)

(* A later answer is slow and settles last; the first answer counts all the same. *)
let the_first_is_found () =
  in_each_size @@ fun () ->
  let slowly n =
    spin n;
    true
  in
  for _ = 1 to 5 do
    let hit x = if x = 3 then slowly 1_000_000 else x >= 15_000 && slowly 4_000_000 in
    Alcotest.(check (option int)) "find" (Some 3) (Seq.find hit (Seq.of_range 0 20_000));
    let answer x = if hit x then Some x else None in
    Alcotest.(check (option int)) "find_map" (Some 3) (Seq.find_map answer (Seq.of_range 0 20_000))
  done

let same_bits_for_all_sizes () =
  let values n = Seq.init n (fun i -> Weft.Random.(float_at (make 3) i 1.) -. 0.3) in
  List.iter
    (fun n ->
      let some = Seq.filter (fun x -> x > -0.1) (values n) in
      let results = ref [] in
      in_each_size (fun () ->
          let bits = Int64.bits_of_float in
          results :=
            ( List.map bits
                [
                  Seq.float_sum (values n);
                  Seq.reduce ( +. ) 0.1 some;
                  Seq.fold ( +. ) ~combine:( +. ) 0. some;
                  Seq.float_sum (Seq.scan ( +. ) some);
                  Seq.float_sum (Seq.flat_map (fun x -> Seq.scan ( +. ) (Seq.map (( *. ) x) (values 7))) some);
                ],
              Array.map bits (Seq.to_array (Seq.scan ( +. ) (values n))),
              Array.map bits (Seq.to_array (Seq.scan_exclusive ( +. ) 0.1 some)) )
            :: !results);
      match !results with
      | first :: rest ->
          List.iteri (fun i r -> if r <> first then Alcotest.failf "%d: result %d differs" n i) rest
      | [] -> assert false)
    [ 1; 100; (if is_slow then 1_500 else 20_000) ]

let float_arrays_are_flat () =
  in_each_size @@ fun () ->
  let check what a =
    Array.iteri (fun i x -> if x <> float i then Alcotest.failf "%s: %g at %d" what x i) a;
    (* A flat array equals one that OCaml made; an array of boxes would not be a float array at all. *)
    if a <> Array.init (Array.length a) float then Alcotest.failf "%s differs" what
  in
  List.iter
    (fun n ->
      check "known" (Seq.to_array (Seq.init n float));
      check "filtered" (Seq.to_array (Seq.filter (fun _ -> true) (Seq.init n float))))
    [ 0; 1; 100; 10_000 ]

(* --- lines --- *)

let with_file text use =
  Testing.Child.with_temp_file @@ fun path ->
  Out_channel.with_open_bin path (fun channel -> output_string channel text);
  use path

let lines_of text =
  match List.rev (String.split_on_char '\n' text) with "" :: l -> List.rev l | l -> List.rev l

let every_line_once () =
  in_each_size @@ fun () ->
  let text =
    let open QCheck.Gen in
    string_size
      ~gen:(frequency [ (3, char_range 'a' 'z'); (2, return '\n'); (1, return '\r') ])
      (int_bound 40)
  in
  let property (text, block) =
    with_file text (fun path ->
        let expected = lines_of text and s = Seq.Private.lines ~block path in
        same "lines" expected (Seq.to_list s);
        same "numbers" (List.mapi (fun i l -> (i, l)) expected) (Seq.to_list (Seq.mapi (fun i l -> (i, l)) s));
        same "inside flat_map" (expected @ expected)
          (Seq.to_list (Seq.flat_map Seq.lines (Seq.of_list [ path; path ])));
        same "usual block" expected (Seq.to_list (Seq.lines path)));
    true
  in
  let arbitrary =
    QCheck.make ~print:QCheck.Print.(pair (Printf.sprintf "%S") int) QCheck.Gen.(pair text (int_range 1 12))
  in
  QCheck.Test.check_exn ~rand:(Stdlib.Random.State.make [| 6 |])
    (QCheck.Test.make ~count:(tries 100) ~name:"lines" arbitrary property)

let newlines_around_blocks () =
  Weft.run ~domains:2 @@ fun () ->
  (* All texts of up to 7 bytes, all blocks. *)
  for length = 0 to 7 do
    for code = 0 to (1 lsl length) - 1 do
      let text = String.init length (fun i -> if (code lsr i) land 1 = 0 then '\n' else Char.chr (97 + i)) in
      with_file text (fun path ->
          for block = 1 to length + 1 do
            let got = Seq.to_list (Seq.Private.lines ~block path) in
            if got <> lines_of text then Alcotest.failf "%S in blocks of %d" text block
          done)
    done
  done

let long_lines () =
  in_each_size @@ fun () ->
  let line i = String.make (if i = 3 then 100_000 else i * 517 mod 4_000) (Char.chr (97 + (i mod 26))) in
  let expected = List.init 200 line in
  List.iter
    (fun last ->
      with_file
        (String.concat "\n" expected ^ last)
        (fun path ->
          if Seq.to_list (Seq.lines path) <> expected then Alcotest.fail "lines";
          if Seq.to_list (Seq.Private.lines ~block:1_000 path) <> expected then
            Alcotest.fail "in blocks of 1000";
          check_int "bytes"
            (List.fold_left (fun n l -> n + String.length l) 0 expected)
            (Seq.sum (Seq.map String.length (Seq.lines path)))))
    [ ""; "\n" ]

let raises_sys_error what path f =
  match f () with
  | _ -> Alcotest.failf "%s: no exception" what
  | exception Sys_error message ->
      if not (String.starts_with ~prefix:(path ^ ": ") message) then Alcotest.failf "%s: %s" what message

let errors_name_the_file () =
  in_each_size @@ fun () ->
  let missing = Filename.concat (Filename.get_temp_dir_name ()) "weft-no-such-file" in
  let s = Seq.lines missing in
  raises_sys_error "missing" missing (fun () -> Seq.to_list s);
  raises_sys_error "missing, inside" missing (fun () ->
      Seq.to_list (Seq.flat_map Seq.lines (Seq.return missing)));
  let dir = Filename.get_temp_dir_name () in
  raises_sys_error "directory" dir (fun () -> Seq.to_list (Seq.lines dir));
  (* An error that the user's function raises is not changed. *)
  with_file "a\n" (fun path ->
      match Seq.iter (fun _ -> raise (Sys_error "mine")) (Seq.lines path) with
      | () -> Alcotest.fail "no exception"
      | exception Sys_error message -> Alcotest.(check string) "message" "mine" message)

let times_open path =
  let path = Unix.realpath path in
  let is_it fd =
    match Unix.readlink (Filename.concat "/proc/self/fd" fd) with
    | file -> file = path
    | exception Unix.Unix_error _ -> false
  in
  List.length (List.filter is_it (Array.to_list (Sys.readdir "/proc/self/fd")))

let files_are_closed () =
  if Sys.file_exists "/proc/self/fd" then (
    with_file (String.concat "\n" (List.init 2_000 string_of_int)) @@ fun path ->
    in_each_size @@ fun () ->
    let s = Seq.Private.lines ~block:100 path in
    for _ = 1 to 8 do
      check_int "count" 2_000 (Seq.length s);
      Alcotest.(check bool) "found" true (Seq.exists (String.equal "77") s);
      (match Seq.iter (fun line -> if line = "1500" then raise (Planned 0)) s with
      | () -> Alcotest.fail "no exception"
      | exception Planned _ -> ());
      match
        Seq.iter ignore
          (Seq.flat_map (fun path -> Seq.map (fun _ -> raise (Planned 0)) (Seq.lines path)) (Seq.return path))
      with
      | () -> Alcotest.fail "no exception"
      | exception Planned _ -> ()
    done;
    check_int "open" 0 (times_open path);
    In_channel.with_open_bin path (fun _ -> check_int "open once" 1 (times_open path)))

let files_that_change () =
  Weft.run ~domains:2 @@ fun () ->
  let text = String.concat "\n" (List.init 100 string_of_int) in
  with_file text (fun path ->
      let other = path ^ ".new" in
      let replaced = Atomic.make false in
      let replace _ =
        if not (Atomic.exchange replaced true) then begin
          Out_channel.with_open_bin other (fun channel -> output_string channel text);
          Sys.rename other path
        end
      in
      raises_sys_error "replaced" path (fun () -> Seq.iter replace (Seq.Private.lines ~block:1 path)));
  with_file text (fun path ->
      let append _ =
        Out_channel.with_open_gen [ Open_append; Open_binary ] 0 path (fun channel ->
            output_string channel "\nmore")
      in
      let s = Seq.Private.lines ~block:7 path in
      check_int "lines of a file that grows" 100
        (Seq.length
           (Seq.filter
              (fun line ->
                append line;
                true)
              s));
      check_int "and then" 200 (Seq.length s));
  with_file text (fun path ->
      let s =
        Seq.map
          (fun line ->
            Unix.truncate path 0;
            line)
          (Seq.Private.lines ~block:7 path)
      in
      if Seq.length (Seq.filter (fun _ -> true) s) > 100 then Alcotest.fail "lines of a file that shrinks")

let files_without_a_size () =
  in_each_size @@ fun () ->
  if Sys.file_exists "/proc/self/status" then begin
    let names = Seq.filter (String.starts_with ~prefix:"Name:") (Seq.lines "/proc/self/status") in
    check_int "of /proc" 1 (Seq.length names)
  end;
  let path = Filename.temp_file "weft" ".pipe" in
  Sys.remove path;
  Unix.mkfifo path 0o600;
  let writer =
    Thread.create
      (fun () -> Out_channel.with_open_bin path (fun channel -> output_string channel "a\nb\n\nc"))
      ()
  in
  let got = Seq.to_list (Seq.lines path) in
  Thread.join writer;
  Sys.remove path;
  Alcotest.(check (list string)) "of a pipe" [ "a"; "b"; ""; "c" ] got

let tests =
  [
    case "random chains mean what they mean on lists" chains_mean_what_lists_mean;
    case "chains fail when lists do" chains_that_fail;
    case "an exception in every function" exceptions_in_every_function;
    case "misuse is said" misuse;
    case "a sequence runs when it is used, and once" runs_when_used_and_once;
    case "searches end early" searches_end_early;
    case "the first of several answers is found" the_first_is_found;
    case "the same bits for every number of domains" same_bits_for_all_sizes;
    case "arrays of floats are flat" float_arrays_are_flat;
    case "every line of a file once, whatever the blocks" every_line_once;
    case "line ends anywhere around the ends of blocks" newlines_around_blocks;
    case "lines longer than blocks" long_lines;
    case "errors name the file" errors_name_the_file;
    case "files are closed whatever happens" files_are_closed;
    case "files that change while they are read" files_that_change;
    case "files without a size" files_without_a_size;
  ]
