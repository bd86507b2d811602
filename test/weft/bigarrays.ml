open Support
open Bigarray
module W = Weft.Bigarray

(* Each minor collection stops all domains: with a tiny minor heap the test does less. *)
let tiny = deep < 1_000_000

(* All kinds, with values that each represents exactly. *)
type any_kind =
  | Kind : { name : string; kind : ('a, 'b) kind; of_int : int -> 'a; twist : 'a -> 'a } -> any_kind

let kinds =
  let ints name kind = Kind { name; kind; of_int = (fun i -> i land 63); twist = (fun x -> x + 1) } in
  let floats name kind =
    Kind { name; kind; of_int = (fun i -> float (i land 255)); twist = (fun x -> x +. 0.5) }
  in
  let complex name kind =
    Kind
      {
        name;
        kind;
        of_int = (fun i -> { Complex.re = float (i land 63); im = float (i land 7) });
        twist = Complex.conj;
      }
  in
  [
    floats "float16" Float16;
    floats "float32" Float32;
    floats "float64" Float64;
    complex "complex32" Complex32;
    complex "complex64" Complex64;
    ints "int8_signed" Int8_signed;
    ints "int8_unsigned" Int8_unsigned;
    ints "int16_signed" Int16_signed;
    ints "int16_unsigned" Int16_unsigned;
    ints "int" Int;
    Kind { name = "int32"; kind = Int32; of_int = Int32.of_int; twist = Int32.succ };
    Kind { name = "int64"; kind = Int64; of_int = Int64.of_int; twist = Int64.succ };
    Kind { name = "nativeint"; kind = Nativeint; of_int = Nativeint.of_int; twist = Nativeint.succ };
    Kind
      {
        name = "char";
        kind = Char;
        of_int = (fun i -> Char.chr (i land 127));
        twist = (fun c -> Char.chr (Char.code c + 1));
      };
  ]

type any_layout = Layout : string * 'c layout * int -> any_layout

let layouts = [ Layout ("c", C_layout, 0); Layout ("fortran", Fortran_layout, 1) ]

(* One signature for the three modules, so that one test covers all: an index is a list. *)
type ('array, 'a) ops = {
  what : string;
  indices : int list list; (* in the order of memory *)
  init : (int list -> 'a) -> 'array;
  get : 'array -> int list -> 'a;
  fill : 'array -> 'a -> unit;
  blit : 'array -> 'array -> unit;
  map : ('a -> 'a) -> 'array -> 'array;
  map_inplace : ('a -> 'a) -> 'array -> unit;
  iter : ('a -> unit) -> 'array -> unit;
  iteri : (int list -> 'a -> unit) -> 'array -> unit;
  reduce : ('a -> 'a -> 'a) -> 'a -> 'array -> 'a;
  count : ('a -> bool) -> 'array -> int; (* by fold *)
}

let counting p n x = if p x then n + 1 else n
let range base n = List.init n (fun i -> base + i)

let product (type c) (layout : c layout) ranges =
  let rec go = function
    | [] -> [ [] ]
    | r :: rest ->
        let below = go rest in
        List.concat_map (fun i -> List.map (List.cons i) below) r
  in
  match layout with C_layout -> go ranges | Fortran_layout -> List.map List.rev (go (List.rev ranges))

let ops1 what kind layout base n =
  {
    what;
    indices = product layout [ range base n ];
    init = (fun f -> W.Array1.init kind layout n (fun i -> f [ i ]));
    get = (fun a -> function [ i ] -> a.{i} | _ -> assert false);
    fill = W.Array1.fill;
    blit = W.Array1.blit;
    map = W.Array1.map;
    map_inplace = W.Array1.map_inplace;
    iter = W.Array1.iter;
    iteri = (fun f -> W.Array1.iteri (fun i -> f [ i ]));
    reduce = W.Array1.reduce;
    count = (fun p -> W.Array1.fold ~combine:( + ) (counting p) 0);
  }

let ops2 what kind layout base m n =
  {
    what;
    indices = product layout [ range base m; range base n ];
    init = (fun f -> W.Array2.init kind layout m n (fun i j -> f [ i; j ]));
    get = (fun a -> function [ i; j ] -> a.{i, j} | _ -> assert false);
    fill = W.Array2.fill;
    blit = W.Array2.blit;
    map = W.Array2.map;
    map_inplace = W.Array2.map_inplace;
    iter = W.Array2.iter;
    iteri = (fun f -> W.Array2.iteri (fun i j -> f [ i; j ]));
    reduce = W.Array2.reduce;
    count = (fun p -> W.Array2.fold ~combine:( + ) (counting p) 0);
  }

let ops3 what kind layout base l m n =
  {
    what;
    indices = product layout [ range base l; range base m; range base n ];
    init = (fun f -> W.Array3.init kind layout l m n (fun i j k -> f [ i; j; k ]));
    get = (fun a -> function [ i; j; k ] -> a.{i, j, k} | _ -> assert false);
    fill = W.Array3.fill;
    blit = W.Array3.blit;
    map = W.Array3.map;
    map_inplace = W.Array3.map_inplace;
    iter = W.Array3.iter;
    iteri = (fun f -> W.Array3.iteri (fun i j k -> f [ i; j; k ]));
    reduce = W.Array3.reduce;
    count = (fun p -> W.Array3.fold ~combine:( + ) (counting p) 0);
  }

let check_ops of_int twist o =
  let hash index = List.fold_left (fun h i -> (h * 31) + i) 17 index in
  let value index = of_int (hash index) in
  let check step expect a =
    List.iter
      (fun i -> if o.get a i <> expect i then Alcotest.failf "%s: %s: wrong element" o.what step)
      o.indices
  in
  let size = List.length o.indices in
  let a = o.init value in
  check "init" value a;
  let b = o.map twist a in
  check "map" (fun i -> twist (value i)) b;
  check "map leaves its argument" value a;
  o.map_inplace twist a;
  check "map_inplace" (fun i -> twist (value i)) a;
  o.fill b (of_int 5);
  check "fill" (fun _ -> of_int 5) b;
  o.blit a b;
  check "blit" (fun i -> twist (value i)) b;
  o.blit a a;
  check "blit to itself" (fun i -> twist (value i)) a;
  let seen = Atomic.make 0 and wrong = Atomic.make 0 in
  let see right = Atomic.incr (if right then seen else wrong) in
  o.iteri (fun i x -> see (x = twist (value i))) a;
  check_int (o.what ^ ": iteri, right elements") size (Atomic.get seen);
  o.iter (fun x -> see (x = twist (value (List.hd o.indices)))) a;
  check_int (o.what ^ ": iter, calls") (2 * size) (Atomic.get seen + Atomic.get wrong);
  (* The last element, and the first element that differs from the given one. *)
  let expected_last = match List.rev o.indices with [] -> of_int 9 | i :: _ -> o.get a i in
  if o.reduce (fun _ x -> x) (of_int 9) a <> expected_last then Alcotest.failf "%s: reduce, last" o.what;
  if o.reduce (fun x _ -> x) (of_int 9) a <> of_int 9 then Alcotest.failf "%s: reduce, initial" o.what;
  let first = match o.indices with [] -> of_int 0 | i :: _ -> o.get a i in
  check_int (o.what ^ ": fold")
    (List.length (List.filter (fun i -> o.get a i = first) o.indices))
    (o.count (fun x -> x = first) a)

let for_all_kinds_and_layouts check =
  List.iter
    (fun (Kind { name; kind; of_int; twist }) ->
      List.iter
        (fun (Layout (layout_name, layout, base)) ->
          let what sizes =
            Printf.sprintf "%s %s %s" name layout_name (String.concat "x" (List.map string_of_int sizes))
          in
          check (fun sizes ->
              match sizes with
              | [ n ] -> check_ops of_int twist (ops1 (what sizes) kind layout base n)
              | [ m; n ] -> check_ops of_int twist (ops2 (what sizes) kind layout base m n)
              | [ l; m; n ] -> check_ops of_int twist (ops3 (what sizes) kind layout base l m n)
              | _ -> assert false))
        layouts)
    kinds

let sizes =
  [
    [ 0 ];
    [ 1 ];
    [ 5 ];
    [ 300 ];
    [ 0; 3 ];
    [ 3; 0 ];
    [ 1; 1 ];
    [ 7; 5 ];
    [ 1; 200 ];
    [ 200; 1 ];
    [ 0; 2; 2 ];
    [ 2; 2; 0 ];
    [ 2; 3; 4 ];
    [ 9; 1; 20 ];
    [ 1; 17; 11 ];
  ]

let every_kind_and_layout () =
  let sizes = if tiny then [ [ 90 ]; [ 7; 5 ]; [ 2; 3; 4 ] ] else sizes in
  in_each_size (fun () -> for_all_kinds_and_layouts (fun check -> List.iter check sizes));
  for_all_kinds_and_layouts (fun check -> check [ 30; 20 ])

let random_sizes () =
  let open QCheck in
  let size = Gen.(frequency [ (1, return 0); (4, int_range 1 12); (1, int_range 1 40) ]) in
  let sizes = make ~print:Print.(list int) Gen.(int_range 1 3 >>= fun n -> list_size (return n) size) in
  let property sizes =
    List.iter
      (fun (Layout (name, layout, base)) ->
        let check o = check_ops float_of_int (fun x -> x /. 2.) o in
        match sizes with
        | [ n ] -> check (ops1 name Float64 layout base n)
        | [ m; n ] -> check (ops2 name Float64 layout base m n)
        | [ l; m; n ] -> check (ops3 name Float64 layout base l m n)
        | _ -> assert false)
      layouts;
    true
  in
  in_each_size (fun () ->
      Test.check_exn ~rand:(Random.State.make [| 8 |])
        (Test.make ~count:(if tiny then 10 else 40) ~name:"bigarrays" sizes property))

let elements_are_visited_in_the_order_of_memory () =
  Weft.run ~domains:1 @@ fun () ->
  List.iter
    (fun (Layout (name, layout, base)) ->
      let check o =
        let a = o.init (fun _ -> 0) and trace = ref [] in
        o.iteri (fun i _ -> trace := i :: !trace) a;
        if List.rev !trace <> o.indices then Alcotest.failf "%s: not in the order of memory" name
      in
      check (ops1 name Int layout base 500);
      check (ops2 name Int layout base 13 40);
      check (ops3 name Int layout base 7 8 9))
    layouts

let sums_have_the_same_bits () =
  let a = Array2.init Float64 C_layout 123 79 (fun i j -> 1. /. float (1 + (79 * i) + j)) in
  let sums () =
    ( Int64.bits_of_float (W.Array2.reduce ( +. ) 0.1 a),
      Int64.bits_of_float (W.Array2.fold ~combine:( +. ) ( +. ) 0. a) )
  in
  let expected = sums () in
  for _ = 1 to if tiny then 1 else 5 do
    in_each_size (fun () -> if sums () <> expected then Alcotest.fail "a sum differs")
  done

let exceptions_come_out () =
  List.iter
    (fun domains ->
      Weft.run ~domains @@ fun () ->
      let m = 60 and n = 50 in
      (* The value of each element is its place in memory. *)
      let bad x = x mod 1_000 = 777 in
      let fail x = if bad x then raise (Planned x) else x in
      List.iter
        (fun (Layout (layout_name, layout, base)) ->
          let place i j =
            let i = i - base and j = j - base in
            if base = 0 then (n * i) + j else (m * j) + i
          in
          let a = W.Array2.init Int layout m n place in
          let check (name, f) =
            match f () with
            | () -> Alcotest.failf "%s: no exception" name
            | exception Planned x ->
                if (domains = 1 && x <> 777) || not (bad x) then
                  Alcotest.failf "%s %s on %d domains raises the exception of element %d" name layout_name
                    domains x
          in
          List.iter check
            [
              ("init", fun () -> ignore (W.Array2.init Int layout m n (fun i j -> fail (place i j))));
              ("map", fun () -> ignore (W.Array2.map fail a));
              ("map_inplace", fun () -> W.Array2.map_inplace fail (W.Array2.map Fun.id a));
              ("iter", fun () -> W.Array2.iter (fun x -> ignore (fail x)) a);
              ("iteri", fun () -> W.Array2.iteri (fun i j x -> if place i j = x then ignore (fail x)) a);
              ("reduce", fun () -> ignore (W.Array2.reduce (fun _ x -> fail x) 0 a));
              ("fold", fun () -> ignore (W.Array2.fold ~combine:(fun x _ -> x) (fun _ x -> fail x) 0 a));
            ];
          match W.Array2.fold ~combine:(fun _ x -> raise (Planned x)) (fun _ x -> x) 0 a with
          | _ -> Alcotest.fail "fold: no exception of combine"
          | exception Planned _ -> ())
        layouts)
    Support.sizes

let bad_arguments () =
  raises_invalid "init" "Weft.Bigarray.Array1.init: negative dimension -1" (fun () ->
      W.Array1.init Int C_layout (-1) Fun.id);
  raises_invalid "init" "Weft.Bigarray.Array2.init: negative dimension -2" (fun () ->
      W.Array2.init Int C_layout 3 (-2) ( + ));
  raises_invalid "init" "Weft.Bigarray.Array3.init: negative dimension -3" (fun () ->
      W.Array3.init Int C_layout (-3) 1 1 (fun i _ _ -> i));
  let vector n = Array1.init Int C_layout n Fun.id in
  raises_invalid "blit" "Weft.Bigarray.Array1.blit: dimensions 3 and 4" (fun () ->
      W.Array1.blit (vector 3) (vector 4));
  let matrix m n = Array2.init Int C_layout m n ( + ) in
  raises_invalid "blit" "Weft.Bigarray.Array2.blit: dimensions 2x3 and 3x2" (fun () ->
      W.Array2.blit (matrix 2 3) (matrix 3 2));
  let cube l m n = Array3.init Int C_layout l m n (fun i j k -> i + j + k) in
  raises_invalid "blit" "Weft.Bigarray.Array3.blit: dimensions 1x2x3 and 1x3x2" (fun () ->
      W.Array3.blit (cube 1 2 3) (cube 1 3 2))

let parts_of_bigarrays () =
  (* A part shares its memory with the whole, and the operation touches nothing outside the part. *)
  in_each_size @@ fun () ->
  let whole = Array2.init Float32 C_layout 40 30 (fun i j -> float (i + j)) in
  let part = Array2.sub_left whole 10 20 in
  W.Array2.fill part 7.;
  W.Array1.fill (Array2.slice_left whole 35) 8.;
  for i = 0 to 39 do
    for j = 0 to 29 do
      let expected = if i >= 10 && i < 30 then 7. else if i = 35 then 8. else float (i + j) in
      if whole.{i, j} <> expected then Alcotest.failf "element %d, %d" i j
    done
  done

let tests =
  [
    case "every function, kind, layout and number of dimensions" every_kind_and_layout;
    case "random sizes" random_sizes;
    case "elements are visited in the order of memory" elements_are_visited_in_the_order_of_memory;
    case "sums have the same bits on every number of domains" sums_have_the_same_bits;
    case "exceptions of the smallest failing element that ran" exceptions_come_out;
    case "bad arguments are refused" bad_arguments;
    case "parts of bigarrays" parts_of_bigarrays;
  ]
