open Support
module A = Weft.Array
module F = Weft.Floatarray
module B = Weft.Bigarray.Array1

let lengths = [ 0; 1; 2; 3; 4; 5; 63; 64; 65; 100; 129; 1000; 5000; 40_000 ]
let bits = Int64.bits_of_float
let show xs = String.concat " " (List.map (Printf.sprintf "%h") xs)

(* --- prefix sums --- *)

let of_integers () =
  in_each_size @@ fun () ->
  List.iter
    (fun n ->
      let a = Array.init n (fun i -> if i mod 7 = 0 then max_int - i else (i * i) - 40) in
      let was = Array.copy a in
      let expected = Array.make n 0 and sum = ref 0 in
      for i = 0 to n - 1 do
        sum := !sum + a.(i);
        expected.(i) <- !sum
      done;
      if A.prefix_sums a <> expected then Alcotest.failf "prefix sums of %d integers" n;
      check "the argument is as it was" (a = was))
    lengths

(* Their sums are exact in any order. *)
let of_whole_floats () =
  in_each_size @@ fun () ->
  List.iter
    (fun n ->
      let a = F.init n (fun i -> float ((i * 37 mod 101) - 50)) in
      if F.prefix_sums a <> F.scan ( +. ) a then Alcotest.failf "prefix sums of %d floats" n)
    lengths

let of_any_floats () =
  let inputs =
    List.map (fun n -> F.init n (fun i -> 1. /. float (i + 1))) lengths
    @ [
        F.of_array [| -0. |];
        F.of_array [| -0.; -0.; 1. |];
        F.of_array [| nan; 1. |];
        F.of_array [| 1.; infinity; neg_infinity; 2. |];
        F.init 9000 (fun i -> if i = 4321 then nan else 1.);
        F.init 9000 (fun i -> if i = 4321 then infinity else if i = 7000 then neg_infinity else 0.1);
      ]
  in
  let sums a = List.map bits (Array.to_list (F.to_array (F.prefix_sums a))) in
  let expected = Weft.run ~domains:1 (fun () -> List.map sums inputs) in
  in_each_size (fun () ->
      List.iter2 (fun a expected -> check "the same bits" (sums a = expected)) inputs expected);
  (* Near to what a loop computes, and the same kind of number. *)
  List.iter
    (fun a ->
      let sum = ref 0. in
      let got = F.prefix_sums a in
      for i = 0 to F.length a - 1 do
        sum := if i = 0 then F.get a 0 else !sum +. F.get a i;
        let got = F.get got i in
        if Float.is_finite !sum then check "near" (Float.abs (got -. !sum) <= 1e-9 *. (1. +. Float.abs !sum))
        else check "not finite" (Float.compare got !sum = 0)
      done)
    inputs

(* A zero has the sign that it has in [scan]: that of [-0.] where all elements before are [-0.]. *)
let zeros () =
  in_each_size @@ fun () ->
  let same what a b = check what (List.for_all2 (fun x y -> bits x = bits y) (F.to_list a) (F.to_list b)) in
  List.iter
    (fun n ->
      let negative = F.make n (-0.) in
      same "negative zeros" (F.prefix_sums negative) (F.scan ( +. ) negative);
      let ends what f = same what (F.prefix_sums (F.init n f)) (F.scan ( +. ) (F.init n f)) in
      ends "a positive one" (fun i -> if i = n / 2 then 0. else -0.);
      ends "numbers that cancel out" (fun i -> if i = n / 2 then 1. else if i = (n / 2) + 1 then -1. else -0.);
      let expected = if n = 0 then 0. else -0. in
      check "the sum" (bits (F.sum negative) = bits expected);
      check "the sum of products" (bits (F.dot negative (F.make n 1.)) = bits expected);
      check "the sum of a part" (bits (F.sum ~pos:0 ~len:(n / 2) negative) = bits (if n < 2 then 0. else -0.)))
    lengths

(* Partial sums may overflow where those of a loop do not, as the documentation says: then what comes is not
   finite, with the same bits on every number of domains. *)
let overflowing () =
  let inputs =
    List.concat_map
      (fun n ->
        List.map
          (fun period -> F.init n (fun i -> if i / period land 1 = 0 then 1e308 else -1e308))
          [ 1; 2; 4; 32 ])
      lengths
  in
  let results a =
    let sums = F.to_list (F.prefix_sums a) in
    List.map bits (F.sum a :: F.dot a (F.map (fun _ -> 1.) a) :: sums)
  in
  let expected = Weft.run ~domains:1 (fun () -> List.map results inputs) in
  in_each_size (fun () ->
      List.iter2 (fun a expected -> check "the same bits" (results a = expected)) inputs expected);
  let a = F.init 100_000 (fun i -> if i land 1 = 0 then 1e308 else -1e308) in
  let near got = (not (Float.is_finite got)) || got = 0. || got = 1e308 in
  check "each is right or not finite" (List.for_all near (F.to_list (F.prefix_sums a)));
  check "the sum, too" (near (F.sum a))

(* --- bigarrays --- *)

type floats = Floats : { name : string; kind : (float, 'b) Bigarray.kind } -> floats
type any_layout = Layout : 'c Bigarray.layout * int -> any_layout

let kinds =
  Bigarray.
    [
      Floats { name = "float16"; kind = Float16 };
      Floats { name = "float32"; kind = Float32 };
      Floats { name = "float64"; kind = Float64 };
    ]

let layouts = Bigarray.[ Layout (C_layout, 0); Layout (Fortran_layout, 1) ]

let special i =
  match i mod 11 with 3 -> nan | 5 -> infinity | 7 -> neg_infinity | 8 -> -0. | 9 -> 0. | _ -> float i

(* The same as those of a [Floatarray] of the same elements. *)
let as_of_floatarrays () =
  in_each_size @@ fun () ->
  List.iter
    (fun (Floats { name; kind }) ->
      List.iter
        (fun (Layout (layout, base)) ->
          let compare_all what n x y =
            let bigarray f = B.init kind layout n (fun i -> f (i - base)) in
            let a = bigarray x and b = bigarray y in
            let floats a = F.init n (fun i -> a.{i + base}) in
            let fa = floats a and fb = floats b in
            let same operation got expected =
              if bits got <> bits expected && not (Float.is_nan got && Float.is_nan expected) then
                Alcotest.failf "%s of %d %s, %s: %s" operation n name what (show [ got; expected ])
            in
            same "sum" (B.sum a) (F.sum fa);
            same "dot" (B.dot a b) (F.dot fa fb);
            if n > 0 then begin
              same "min" (B.min a) (F.min fa);
              same "max" (B.max a) (F.max fa)
            end
          in
          List.iter
            (fun n ->
              compare_all "negative zeros" n (fun _ -> -0.) (fun _ -> 1.);
              if n < 2000 then compare_all "special" n special (fun i -> special (i + 4));
              compare_all "fractions" n (fun i -> 1. /. float (i + 3)) (fun i -> float (i mod 17) -. 8.5))
            lengths)
        layouts)
    kinds

let refused () =
  let make n = B.init Bigarray.Float64 Bigarray.C_layout n float in
  raises_invalid "dot" "Weft.Bigarray.Array1.dot: lengths 2 and 3 differ" (fun () -> B.dot (make 2) (make 3));
  raises_invalid "min" "Weft.Bigarray.Array1.min: no elements" (fun () -> B.min (make 0));
  raises_invalid "max" "Weft.Bigarray.Array1.max: no elements" (fun () -> B.max (make 0))

let tests =
  [
    case "prefix sums of integers" of_integers;
    case "prefix sums of whole floats are exact" of_whole_floats;
    case "prefix sums of floats have the same bits on every number of domains" of_any_floats;
    case "zeros have the sign that they have in a scan" zeros;
    case "sums that overflow have the same bits on every number of domains" overflowing;
    case "sums and extremes of bigarrays are those of Floatarray" as_of_floatarrays;
    case "lengths that differ, and no elements, are refused" refused;
  ]
