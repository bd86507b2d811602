open Support
module A = Weft.Array
module F = Weft.Floatarray
module L = Weft.List
module S = Weft.Seq
module Floats = Float.Array

(* Functions with names of the standard library, against those: the same value or the same exception. *)

let tiny = deep < 1_000_000

let lists =
  let open QCheck.Gen in
  let length =
    frequency [ (3, int_bound 10); (3, int_bound 300); (1, int_bound (if tiny then 700 else 3_000)) ]
  in
  list_size length (int_bound 1_000)

let arbitrary = QCheck.make ~print:QCheck.Print.(list int) ~shrink:QCheck.Shrink.list lists

(* The messages differ. *)
let outcome f =
  match f () with v -> Ok v | exception Invalid_argument _ -> Error Exit | exception exn -> Error exn

let same name weft std =
  let holds l =
    compare (outcome (fun () -> std l)) (outcome (fun () -> weft l)) = 0
    || QCheck.Test.fail_reportf "%s differs" name
  in
  let rand () = Random.State.make [| 11; String.length name |] in
  fun () ->
    QCheck.Test.check_exn ~rand:(rand ())
      (QCheck.Test.make ~count:(if tiny then 3 else tries 20) ~name arbitrary holds)

let even x = x mod 2 = 0
let rare x = x mod 97 = 96
let rare_pair x y = (x + y) mod 97 = 96
let no_rare_pair x y = not (rare_pair x y)
let either x = if even x then Either.Left (x / 2) else Right (string_of_int x)
let rare_index i x = if rare (i + x) then Some (i, x) else None
let fails_at_31 x = if x mod 31 = 30 then raise (Planned x) else rare x

let alike_lists =
  [
    same "rev_map" (L.rev_map succ) (List.rev_map succ);
    same "rev_map2" (fun l -> L.rev_map2 ( - ) l (List.rev l)) (fun l -> List.rev_map2 ( - ) l (List.rev l));
    same "find_all" (L.find_all even) (List.find_all even);
    same "filteri" (L.filteri (fun i x -> even (i + x))) (List.filteri (fun i x -> even (i + x)));
    same "partition_map" (L.partition_map either) (List.partition_map either);
    same "filter_mapi" (L.filter_mapi rare_index) (fun l -> List.filter_map Fun.id (List.mapi rare_index l));
    same "split_map"
      (L.split_map (fun x -> (x, even x)))
      (fun l -> List.split (List.map (fun x -> (x, even x)) l));
    same "singleton" L.singleton (fun l -> [ l ]);
    same "exists2"
      (fun l -> L.exists2 rare_pair l (List.rev l))
      (fun l -> List.exists2 rare_pair l (List.rev l));
    same "for_all2"
      (fun l -> L.for_all2 no_rare_pair l (List.rev l))
      (fun l -> List.for_all2 no_rare_pair l (List.rev l));
    same "find_index" (L.find_index rare) (List.find_index rare);
    same "find_index, raising" (L.find_index fails_at_31) (List.find_index fails_at_31);
    same "find_mapi" (L.find_mapi rare_index) (List.find_mapi rare_index);
    same "take" (fun l -> L.take 5 l) (fun l -> List.filteri (fun i _ -> i < 5) l);
    same "take, many" (fun l -> L.take max_int l) Fun.id;
    same "drop" (fun l -> L.drop 5 l) (fun l -> List.filteri (fun i _ -> i >= 5) l);
    same "take_while"
      (L.take_while (fun x -> not (rare x)))
      (fun l -> List.of_seq (Seq.take_while (fun x -> not (rare x)) (List.to_seq l)));
    same "drop_while"
      (L.drop_while (fun x -> not (rare x)))
      (fun l -> List.of_seq (Seq.drop_while (fun x -> not (rare x)) (List.to_seq l)));
  ]

(* Over arrays of the elements of the list. *)
let same_arrays name weft std = same name (fun l -> weft (Array.of_list l)) (fun l -> std (Array.of_list l))
let reversed a = Array.init (Array.length a) (fun i -> a.(Array.length a - 1 - i))
let side a = Array.length a mod 60

let alike_arrays =
  [
    same_arrays "make_matrix" (fun a -> A.make_matrix (side a) 7 1) (fun a -> Array.make_matrix (side a) 7 1);
    same_arrays "make_matrix, floats"
      (fun a -> A.make_matrix 3 (side a) 1.5)
      (fun a -> Array.make_matrix 3 (side a) 1.5);
    same_arrays "init_matrix"
      (fun a -> A.init_matrix (side a) 5 (fun i j -> (i * j) + a.(i)))
      (fun a -> Array.init_matrix (side a) 5 (fun i j -> (i * j) + a.(i)));
    same_arrays "init_matrix, floats"
      (fun a -> A.init_matrix 2 (side a) (fun i j -> float (i - j)))
      (fun a -> Array.init_matrix 2 (side a) (fun i j -> float (i - j)));
    same_arrays "exists2"
      (fun a -> A.exists2 rare_pair a (reversed a))
      (fun a -> Array.exists2 rare_pair a (reversed a));
    same_arrays "for_all2"
      (fun a -> A.for_all2 no_rare_pair a (reversed a))
      (fun a -> Array.for_all2 no_rare_pair a (reversed a));
  ]

let same_floats name weft std =
  let floats l = Floats.of_list (List.map (fun x -> if x = 0 then nan else float x) l) in
  same name (fun l -> weft (floats l)) (fun l -> std (floats l))

let changed change f =
  let f = Floats.copy f in
  change f;
  Floats.to_list f

let rare_float x = Float.rem x 97. = 96.
let pairs = Array.map Floats.to_list

let alike_floatarrays =
  [
    same_floats "make_matrix"
      (fun f -> pairs (F.make_matrix 3 (Floats.length f) 1.5))
      (fun f -> pairs (Floats.make_matrix 3 (Floats.length f) 1.5));
    same_floats "init_matrix"
      (fun f -> pairs (F.init_matrix (Floats.length f mod 50) 4 (fun i j -> float (i - j))))
      (fun f -> pairs (Floats.init_matrix (Floats.length f mod 50) 4 (fun i j -> float (i - j))));
    same_floats "map_inplace" (changed (F.map_inplace sqrt)) (changed (Floats.map_inplace sqrt));
    same_floats "mapi_inplace"
      (changed (F.mapi_inplace (fun i x -> float i -. x)))
      (changed (Floats.mapi_inplace (fun i x -> float i -. x)));
    same_floats "mem" (F.mem 500.) (Floats.mem 500.);
    same_floats "mem, nan" (F.mem nan) (Floats.mem nan);
    same_floats "mem_ieee" (F.mem_ieee 500.) (Floats.mem_ieee 500.);
    same_floats "mem_ieee, nan" (F.mem_ieee nan) (Floats.mem_ieee nan);
    same_floats "find_opt" (F.find_opt rare_float) (Floats.find_opt rare_float);
    same_floats "find_map"
      (F.find_map (fun x -> if rare_float x then Some (string_of_float x) else None))
      (Floats.find_map (fun x -> if rare_float x then Some (string_of_float x) else None));
    same_floats "find_mapi"
      (F.find_mapi (fun i x -> if rare_float x then Some i else None))
      (Floats.find_mapi (fun i x -> if rare_float x then Some i else None));
    same_floats "min_opt" F.min_opt (fun f ->
        if Floats.length f = 0 then None else Some (Floats.fold_left Float.min infinity f));
    same_floats "max_opt" F.max_opt (fun f ->
        if Floats.length f = 0 then None else Some (Floats.fold_left Float.max neg_infinity f));
    same_floats "sort_floats" (changed F.sort_floats) (changed (Floats.stable_sort Float.compare));
    same_floats "stable_sort"
      (changed (F.stable_sort (fun x y -> Float.compare y x)))
      (changed (Floats.stable_sort (fun x y -> Float.compare y x)));
    same_floats "stable_sort, equal ones"
      (changed (F.stable_sort (fun x y -> Float.compare (Float.rem x 10.) (Float.rem y 10.))))
      (changed (Floats.stable_sort (fun x y -> Float.compare (Float.rem x 10.) (Float.rem y 10.))));
    same_floats "fast_sort" (changed (F.fast_sort Float.compare)) (changed (Floats.fast_sort Float.compare));
    same_floats "map_from_array"
      (fun f -> Floats.to_list (F.map_from_array float_of_string (F.map_to_array string_of_float f)))
      Floats.to_list;
  ]

(* Over the sequence of the elements: of an array, and with positions that have no element. *)
let same_sequences name weft std =
  let filtered l = S.filter (fun x -> x mod 5 > 0) (S.of_list l) in
  let both l = (weft (S.of_list l), weft (filtered l)) in
  same name both (fun l -> (std (List.to_seq l), std (Seq.filter (fun x -> x mod 5 > 0) (List.to_seq l))))

let listed s = S.to_list s
let down n = if n = 0 then None else Some (n, n - 1)

let dispenser l =
  let rest = ref l in
  fun () ->
    match !rest with
    | [] -> None
    | x :: others ->
        rest := others;
        Some x

let few s = S.filter (fun x -> x < 100) s
let few_std s = Seq.filter (fun x -> x < 100) s
let twice x = S.of_list [ x; x ]

let alike_sequences =
  [
    same_sequences "is_empty" S.is_empty Seq.is_empty;
    same_sequences "is_empty, of what is filtered"
      (fun s -> S.is_empty (S.filter rare s))
      (fun s -> Seq.is_empty (Seq.filter rare s));
    same_sequences "fold_left"
      (S.fold_left (fun acc x -> x :: acc) [])
      (Seq.fold_left (fun acc x -> x :: acc) []);
    same_sequences "fold_lefti"
      (S.fold_lefti (fun acc i x -> (i, x) :: acc) [])
      (Seq.fold_lefti (fun acc i x -> (i, x) :: acc) []);
    same_sequences "find_index" (S.find_index rare) (Seq.find_index rare);
    same_sequences "find_index, raising" (S.find_index fails_at_31) (Seq.find_index fails_at_31);
    same_sequences "find_mapi" (S.find_mapi rare_index) (Seq.find_mapi rare_index);
    same_sequences "cons" (fun s -> listed (S.cons 7 s)) (fun s -> List.of_seq (Seq.cons 7 s));
    same_sequences "concat_map"
      (fun s -> listed (S.concat_map twice s))
      (fun s -> List.of_seq (Seq.concat_map (fun x -> List.to_seq [ x; x ]) s));
    same_sequences "flatten"
      (fun s -> listed (S.flatten (S.map twice s)))
      (fun s -> List.of_seq (Seq.concat (Seq.map (fun x -> List.to_seq [ x; x ]) s)));
    same_sequences "min_opt" (S.min_opt Int.compare) (fun s ->
        Seq.fold_left (fun least x -> match least with Some y when y <= x -> least | _ -> Some x) None s);
    same_sequences "max_opt" (S.max_opt Int.compare) (fun s ->
        Seq.fold_left (fun most x -> match most with Some y when y >= x -> most | _ -> Some x) None s);
    same_sequences "product, as a set"
      (fun s -> listed (S.product (few s) (few s)))
      (fun s ->
        List.concat_map
          (fun x -> List.map (fun y -> (x, y)) (List.of_seq (few_std s)))
          (List.of_seq (few_std s)));
    same_sequences "map_product"
      (fun s -> listed (S.map_product ( - ) (few s) (few s)))
      (fun s ->
        List.concat_map
          (fun x -> List.map (fun y -> x - y) (List.of_seq (few_std s)))
          (List.of_seq (few_std s)));
    same_sequences "partition_map"
      (fun s ->
        let left, right = S.partition_map either s in
        (listed left, listed right))
      (fun s ->
        let left, right = Seq.partition_map either s in
        (List.of_seq left, List.of_seq right));
    same_sequences "unzip"
      (fun s ->
        let left, right = S.unzip (S.map (fun x -> (x, -x)) s) in
        (listed left, listed right))
      (fun s -> (List.of_seq s, List.of_seq (Seq.map Int.neg s)));
    same_sequences "split"
      (fun s ->
        let left, right = S.split (S.map (fun x -> (x, -x)) s) in
        (listed left, listed right))
      (fun s -> (List.of_seq s, List.of_seq (Seq.map Int.neg s)));
    same_sequences "memoize" (fun s -> listed (S.memoize s)) List.of_seq;
    same_sequences "memoize, inside"
      (fun s -> listed (S.flat_map (fun x -> S.memoize (twice x)) s))
      (fun s -> List.concat_map (fun x -> [ x; x ]) (List.of_seq s));
    same_sequences "to_dispenser" (fun s -> List.of_seq (Seq.of_dispenser (S.to_dispenser s))) List.of_seq;
    same "of_dispenser" (fun l -> listed (S.of_dispenser (dispenser l))) Fun.id;
    same "unfold"
      (fun l -> listed (S.unfold down (List.length l)))
      (fun l -> List.of_seq (Seq.unfold down (List.length l)));
  ]

let alike checks () =
  in_each_size (fun () -> List.iter (fun check -> check ()) checks);
  List.iter (fun check -> check ()) checks

(* --- each element once --- *)

let effects_happen_once () =
  in_each_size @@ fun () ->
  List.iter
    (fun n ->
      let l = List.init n Fun.id and a = Array.init n Fun.id in
      let f = Floats.init n float in
      let seen = Array.init n (fun _ -> Atomic.make 0) in
      let see i = Atomic.incr seen.(i) in
      L.iter2 (fun i j -> if i = j then see i) l l;
      F.iter2 (fun x y -> if x = y then see (int_of_float x)) f f;
      ignore (A.init_matrix 1 n (fun _ j -> see j) : unit array array);
      ignore (A.init_matrix n 1 (fun i _ -> see i) : unit array array);
      ignore
        (A.exists2
           (fun i _ ->
             see i;
             false)
           a a
          : bool);
      ignore
        (L.filteri
           (fun i _ ->
             see i;
             true)
           l
          : int list);
      ignore (S.fold_lefti (fun () i _ -> see i) () (S.of_array a));
      Array.iteri (fun i c -> check_int (Printf.sprintf "element %d of %d" i n) 7 (Atomic.get c)) seen)
    [ 0; 1; 2; 7; 1_000; 5_000 ]

(* Not when it is made, and however many use it. *)
let memoize_runs_once () =
  in_each_size @@ fun () ->
  let runs = Atomic.make 0 in
  let s =
    S.memoize
      (S.map
         (fun x ->
           Atomic.incr runs;
           x)
         (S.of_range 1 500))
  in
  check_int "runs before it is used" 0 (Atomic.get runs);
  check_int "its length is known" 500 (S.length s);
  check_int "and costs no run" 0 (Atomic.get runs);
  let sums = Weft.all (List.init 10 (fun _ () -> S.sum s)) in
  List.iter (check_int "sum" 125_250) sums;
  check_int "runs" 500 (Atomic.get runs)

(* --- failures --- *)

let raising : (string * ((int -> int) -> int list -> unit)) list =
  let over f fail l = ignore (f fail (Array.of_list l)) in
  let of_floats f fail l = ignore (f (fun x -> fail (int_of_float x)) (Floats.of_list (List.map float l))) in
  let of_sequence f fail l = ignore (f fail (S.of_list l)) in
  [
    ("List.rev_map", fun fail l -> ignore (L.rev_map fail l));
    ("List.rev_map2", fun fail l -> ignore (L.rev_map2 (fun x _ -> fail x) l l));
    ("List.iter2", fun fail l -> L.iter2 (fun x _ -> ignore (fail x)) l l);
    ("List.find_all", fun fail l -> ignore (L.find_all (fun x -> fail x = 0) l));
    ("List.filteri", fun fail l -> ignore (L.filteri (fun _ x -> fail x = 0) l));
    ("List.partition_map", fun fail l -> ignore (L.partition_map (fun x -> Either.Left (fail x)) l));
    ("List.exists2", fun fail l -> ignore (L.exists2 (fun x _ -> fail x < 0) l l));
    ("List.for_all2", fun fail l -> ignore (L.for_all2 (fun x _ -> fail x >= 0) l l));
    ("List.find_index", fun fail l -> ignore (L.find_index (fun x -> fail x < 0) l));
    ("List.find_mapi", fun fail l -> ignore (L.find_mapi (fun _ x -> if fail x < 0 then Some x else None) l));
    ("Array.init_matrix", over (fun fail a -> A.init_matrix 1 (Array.length a) (fun _ j -> fail j)));
    ("Array.init_matrix, rows", over (fun fail a -> A.init_matrix (Array.length a) 1 (fun i _ -> fail i)));
    ("Array.exists2", over (fun fail a -> A.exists2 (fun x _ -> fail x < 0) a a));
    ("Array.for_all2", over (fun fail a -> A.for_all2 (fun x _ -> fail x >= 0) a a));
    ( "Floatarray.init_matrix",
      over (fun fail a -> F.init_matrix 1 (Array.length a) (fun _ j -> float (fail j))) );
    ("Floatarray.map_inplace", of_floats (fun fail -> F.map_inplace (fun x -> float (fail x))));
    ("Floatarray.mapi_inplace", of_floats (fun fail -> F.mapi_inplace (fun _ x -> float (fail x))));
    ("Floatarray.iter2", of_floats (fun fail f -> F.iter2 (fun x _ -> ignore (fail x)) f f));
    ("Floatarray.find_opt", of_floats (fun fail -> F.find_opt (fun x -> fail x < 0)));
    ("Floatarray.find_map", of_floats (fun fail -> F.find_map (fun x -> if fail x < 0 then Some x else None)));
    ( "Floatarray.find_mapi",
      of_floats (fun fail -> F.find_mapi (fun i x -> if fail x < 0 then Some i else None)) );
    ("Seq.fold_left", of_sequence (fun fail -> S.fold_left (fun n x -> n + fail x) 0));
    ("Seq.fold_lefti", of_sequence (fun fail -> S.fold_lefti (fun n _ x -> n + fail x) 0));
    ("Seq.find_index", of_sequence (fun fail -> S.find_index (fun x -> fail x < 0)));
    ("Seq.find_mapi", of_sequence (fun fail -> S.find_mapi (fun i x -> if fail x < 0 then Some i else None)));
    ("Seq.memoize", of_sequence (fun fail s -> S.length (S.filter even (S.memoize (S.map fail s)))));
    ("Seq.map_product", of_sequence (fun fail s -> S.sum (S.map_product (fun x _ -> fail x) s (S.return 1))));
  ]

(* Searches for the first, and what is sequential, raise what the sequential program raises. *)
let from_the_left = [ "find"; "fold" ]

let exceptions_come_out () =
  in_each_size @@ fun () ->
  let l = List.init 3_000 Fun.id in
  let bad i = i mod 1_000 = 777 in
  let fail i = if bad i then raise (Planned i) else i in
  let left name =
    let own = List.nth (String.split_on_char '.' name) 1 in
    List.exists (fun prefix -> String.starts_with ~prefix own) from_the_left
    && not (String.starts_with ~prefix:"find_all" own)
  in
  List.iter
    (fun (name, f) ->
      match f fail l with
      | () -> Alcotest.failf "%s: no exception" name
      | exception Planned i ->
          if (not (bad i)) || (left name && i <> 777) then
            Alcotest.failf "%s raises the exception of %d" name i)
    raising

(* Each ends at once when the code around it is cancelled. *)
let cancelled () =
  in_each_size @@ fun () ->
  let l = List.init 3_000 Fun.id in
  List.iter
    (fun (name, f) ->
      let token = Weft.Cancel.create () in
      let calls = Atomic.make 0 in
      let cancel i =
        Atomic.incr calls;
        Weft.Cancel.cancel token;
        Weft.Cancel.check ();
        i
      in
      match Weft.Cancel.within token (fun () -> f cancel l) with
      | () -> Alcotest.failf "%s goes on" name
      | exception Weft.Cancel.Cancelled _ -> check (name ^ " was called") (Atomic.get calls > 0))
    raising

(* --- two names for one function --- *)

(* Programs may use either, and a channel may be used by both. *)
let older_names () =
  check "Array.scan" (A.scan == A.scan_inclusive);
  check "Floatarray.scan" (F.scan == F.scan_inclusive);
  check "Floatarray.sort" (F.sort == F.sort_floats);
  check "Seq.scan" (S.scan == S.scan_inclusive);
  check "Chan.send_poll" (Weft.Chan.send_poll == Weft.Chan.try_send);
  check "Chan.recv_poll" (Weft.Chan.recv_poll == Weft.Chan.try_recv);
  check "Broadcast.recv_poll" (Weft.Broadcast.recv_poll == Weft.Broadcast.try_recv);
  in_each_size @@ fun () ->
  let parts = [ S.of_range 1 3; S.empty; S.of_range 7 9 ] in
  check "Seq.concat" (S.to_list (S.concat parts) = S.to_list (S.concat_list parts));
  (* The labels commute. *)
  let sum = Weft.Seq.fold max ~combine:max 0 and same = Weft.Seq.fold ~combine:max max 0 in
  check "Seq.fold" (sum (S.of_range 1 9) = 9 && same (S.of_range 1 9) = 9);
  let ready () = Weft.Select.always 1 in
  check "Select.poll"
    (Weft.Select.poll [ ready () ] = Weft.Select.try_select [ Weft.Select.never; ready () ]
    && Weft.Select.poll_in_order [ ready (); Weft.Select.always 2 ]
       = Weft.Select.try_select_in_order [ ready (); Weft.Select.always 2 ])

let tests =
  [
    case "older names" older_names;
    case "lists are like OCaml's" (alike alike_lists);
    case "arrays are like OCaml's" (alike alike_arrays);
    case "float arrays are like OCaml's" (alike alike_floatarrays);
    case "sequences are like OCaml's" (alike alike_sequences);
    case "effects happen once per element" effects_happen_once;
    case "what is memoized runs once" memoize_runs_once;
    case "exceptions come out" exceptions_come_out;
    case "cancelled" cancelled;
  ]
