open Support

(* Each function against OCaml's, on lists of many lengths: shorter than the number of domains, longer than
   a leaf, and long. *)

(* Each minor collection stops all domains: with a tiny minor heap the test does less. *)
let tiny = deep < 1_000_000

let lists =
  let open QCheck.Gen in
  let long = if tiny then 700 else 3_000 in
  let length = frequency [ (3, int_bound 10); (3, int_bound 300); (1, int_bound long) ] in
  list_size length (int_bound 1_000)

let arbitrary = QCheck.make ~print:QCheck.Print.(list int) ~shrink:QCheck.Shrink.list lists
let outcome f = match f () with v -> Ok v | exception exn -> Error exn

(* Both return the same value or raise the same exception. *)
let same name weft std =
  let property l =
    let expected = outcome (fun () -> std l) and got = outcome (fun () -> weft l) in
    compare expected got = 0 || QCheck.Test.fail_reportf "%s differs" name
  in
  fun () ->
    QCheck.Test.check_exn
      ~rand:(Random.State.make [| 3; String.length name |])
      (QCheck.Test.make ~count:(if tiny then 5 else 30) ~name arbitrary property)

let half x = x / 2
let even x = x mod 2 = 0
let rare x = x mod 97 = 96
let some_odd x = if even x then None else Some (half x)
let copies x = List.init (x mod 4) (fun k -> x + k)

module W = Weft.List

(* Associative, but not commutative. *)
let append a b = a ^ b
let floats = List.map float_of_int

let alike =
  [
    same "init" (fun l -> W.init (List.length l) half) (fun l -> List.init (List.length l) half);
    same "map" (W.map half) (List.map half);
    same "map to floats" (W.map float_of_int) (List.map float_of_int);
    same "map of floats"
      (fun l -> W.map (fun x -> x +. 0.5) (floats l))
      (fun l -> List.map (fun x -> x +. 0.5) (floats l));
    same "mapi" (W.mapi (fun i x -> (i, x))) (List.mapi (fun i x -> (i, x)));
    same "map2" (fun l -> W.map2 ( - ) l (List.rev l)) (fun l -> List.map2 ( - ) l (List.rev l));
    same "filter" (W.filter even) (List.filter even);
    same "filter_map" (W.filter_map some_odd) (List.filter_map some_odd);
    same "partition" (W.partition even) (List.partition even);
    same "concat_map" (W.concat_map copies) (List.concat_map copies);
    same "reduce"
      (fun l -> W.reduce append "<" (List.map string_of_int l))
      (fun l -> List.fold_left append "<" (List.map string_of_int l));
    same "fold"
      (W.fold ~combine:append (fun s x -> s ^ string_of_int x) "")
      (List.fold_left (fun s x -> s ^ string_of_int x) "");
    same "count" (W.count even) (fun l -> List.length (List.filter even l));
    same "for_all" (W.for_all (fun x -> not (rare x))) (List.for_all (fun x -> not (rare x)));
    same "exists" (W.exists rare) (List.exists rare);
    same "mem" (W.mem 500) (List.mem 500);
    same "mem nan" (fun l -> W.mem nan (nan :: floats l)) (fun l -> List.mem nan (nan :: floats l));
    same "find" (W.find rare) (List.find rare);
    same "find_opt" (W.find_opt rare) (List.find_opt rare);
    same "find_map"
      (W.find_map (fun x -> if rare x then Some (half x) else None))
      (List.find_map (fun x -> if rare x then Some (half x) else None));
    (* These raise what the sequential search raises, though a later element would match. *)
    same "find, raising"
      (W.find (fun x -> if x mod 31 = 0 then raise (Planned x) else rare x))
      (List.find (fun x -> if x mod 31 = 0 then raise (Planned x) else rare x));
  ]

let like_the_standard_library () =
  in_each_size (fun () -> List.iter (fun check -> check ()) alike);
  List.iter (fun check -> check ()) alike

let effects_happen_once () =
  in_each_size @@ fun () ->
  List.iter
    (fun n ->
      let l = List.init n Fun.id in
      let seen = Array.init n (fun _ -> Atomic.make 0) in
      W.iter (fun i -> Atomic.incr seen.(i)) l;
      W.iteri (fun i x -> if i = x then Atomic.incr seen.(i)) l;
      W.init n (fun i -> Atomic.incr seen.(i)) |> ignore;
      Array.iteri (fun i c -> check_int (Printf.sprintf "element %d of %d" i n) 3 (Atomic.get c)) seen)
    [ 0; 1; 2; 7; 1_000; 4_000 ]

(* [f] raises for the elements of [bad]: every function raises the exception of one of them, on one domain
   that of the first. *)
let raising =
  let unit f l = ignore (f l) in
  fun fail ->
    [
      ("init", fun l -> ignore (W.init (List.length l) fail));
      ("map", unit (W.map fail));
      ("mapi", unit (W.mapi (fun i _ -> fail i)));
      ("map2", fun l -> ignore (W.map2 (fun x _ -> fail x) l l));
      ("iter", unit (W.iter (fun x -> ignore (fail x))));
      ("iteri", unit (W.iteri (fun i _ -> ignore (fail i))));
      ("filter", unit (W.filter (fun x -> fail x = 0)));
      ("filter_map", unit (W.filter_map (fun x -> Some (fail x))));
      ("filter_mapi", unit (W.filter_mapi (fun i _ -> Some (fail i))));
      ("partition", unit (W.partition (fun x -> fail x = 0)));
      ("split_map", unit (W.split_map (fun x -> (fail x, x))));
      ("concat_map", unit (W.concat_map (fun x -> [ fail x ])));
      ("reduce", unit (W.reduce (fun _ x -> fail x) 0));
      ("fold", unit (W.fold ~combine:(fun _ x -> x) (fun _ x -> fail x) 0));
      ("fold, combine", unit (W.fold ~combine:(fun _ x -> fail x) (fun _ x -> x) 0));
      ("count", unit (W.count (fun x -> fail x = 0)));
      ("for_all", unit (W.for_all (fun x -> fail x >= 0)));
      ("exists", unit (W.exists (fun x -> fail x < 0)));
      ("find", unit (W.find (fun x -> fail x < 0)));
      ("find_opt", unit (W.find_opt (fun x -> fail x < 0)));
      ("find_map", unit (W.find_map (fun x -> if fail x < 0 then Some x else None)));
    ]

let exceptions_come_out () =
  List.iter
    (fun domains ->
      Weft.run ~domains @@ fun () ->
      let n = 3_000 in
      let l = List.init n Fun.id in
      let bad i = i mod 1_000 = 777 in
      let fail i = if bad i then raise (Planned i) else i in
      List.iter
        (fun (name, f) ->
          match f l with
          | () -> Alcotest.failf "%s: no exception" name
          | exception Planned i ->
              let sequential = List.mem name [ "find"; "find_opt"; "find_map" ] || domains = 1 in
              (* The arguments of [combine] depend on the tree. *)
              if (sequential && i <> 777 && name <> "fold, combine") || not (bad i) then
                Alcotest.failf "%s on %d domains raises the exception of element %d" name domains i
          | exception exn when name = "fold, combine" -> Alcotest.failf "%s: %s" name (Printexc.to_string exn))
        (List.filter (fun (name, _) -> name <> "fold, combine") (raising fail));
      (* [combine] gets results of parts, which depend on the tree: so let it always fail. *)
      match List.assoc "fold, combine" (raising (fun i -> raise (Planned i))) l with
      | () -> Alcotest.fail "fold: no exception of combine"
      | exception Planned _ -> ())
    sizes

let bad_arguments () =
  raises_invalid "init" "Weft.List.init: negative length -1" (fun () -> W.init (-1) Fun.id);
  raises_invalid "map2" "Weft.List.map2: lists of lengths 1 and 2" (fun () -> W.map2 ( + ) [ 1 ] [ 1; 2 ]);
  match W.find even [ 1; 3 ] with _ -> Alcotest.fail "find: found" | exception Not_found -> ()

let sums_have_the_same_bits () =
  let l = List.init 4_000 (fun i -> 1. /. float (i + 1)) in
  let sums () =
    (Int64.bits_of_float (W.reduce ( +. ) 0.1 l), Int64.bits_of_float (W.fold ~combine:( +. ) ( +. ) 0. l))
  in
  let expected = sums () in
  for _ = 1 to if tiny then 1 else 5 do
    in_each_size (fun () -> if sums () <> expected then Alcotest.fail "a sum differs")
  done

let long_lists () =
  let n = if tiny then 10_000 else 1_000_000 in
  Weft.run ~domains:2 @@ fun () ->
  let l = W.init n Fun.id in
  let sum = W.reduce ( + ) 0 in
  check_int "init" (n * (n - 1) / 2) (sum l);
  check_int "map" (n * (n + 1) / 2) (sum (W.map succ l));
  check_int "filter" (n / 2) (List.length (W.filter even l));
  let yes, no = W.partition even l in
  check_int "partition" n (List.length yes + List.length no);
  check_int "concat_map" (2 * n) (List.length (W.concat_map (fun x -> [ x; x ]) l));
  check_int "one long part" n (List.length (W.concat_map (fun x -> if x = 7 then l else []) l));
  check_int "map2" (n * (n - 1)) (sum (W.map2 ( + ) l l))

let tests =
  [
    case "every function is like that of OCaml's List" like_the_standard_library;
    case "effects happen once per element" effects_happen_once;
    case "exceptions of the smallest failing element that ran" exceptions_come_out;
    case "bad arguments are refused" bad_arguments;
    case "sums have the same bits on every number of domains" sums_have_the_same_bits;
    case "long lists need no stack" long_lists;
  ]
