(* The views of arrays show the elements, and hide nothing from the collector. *)

module Array_repr = Weft_platform.Array_repr

let case name promise = Testing.Watchdog.case name promise

let flat () =
  (match Array_repr.view compare [| 1.5; 2.5 |] with
  | Floats (f, cmp) ->
      Float.Array.set f 0 7.;
      Alcotest.(check bool) "order" true (cmp 1. 2. < 0);
      Alcotest.(check (array (float 0.))) "the array itself" [| 7.; 2.5 |] (Array_repr.of_floats f)
  | Boxed _ -> Alcotest.fail "floats are flat");
  match Array_repr.view compare [||] with Boxed _ -> () | Floats _ -> Alcotest.fail "no tag"

let boxed () =
  let a = [| "one"; "two" |] in
  match Array_repr.view compare a with
  | Floats _ -> Alcotest.fail "strings are not flat"
  | Boxed (b, cmp) ->
      Alcotest.(check bool) "order" true (cmp b.(0) b.(1) < 0);
      let x = b.(0) in
      b.(0) <- b.(1);
      b.(1) <- x;
      Alcotest.(check (array string)) "the array itself" [| "two"; "one" |] a;
      Alcotest.(check (array string)) "back" a (Array_repr.of_boxed b)

let view_boxed cmp a =
  match Array_repr.view cmp a with Boxed (b, cmp) -> (b, cmp) | Floats _ -> Alcotest.fail "flat"

let immediates () =
  let a = [| 'c'; 'a'; 'b' |] in
  let b, cmp = view_boxed compare a in
  let ints = Array_repr.make_immediates 3 in
  Alcotest.(check bool) "all" true (Array_repr.gather b ints 0 2);
  Alcotest.(check bool) "order" true (Array_repr.order_of_immediates cmp ints.(0) ints.(1) > 0);
  Gc.full_major ();
  let x = ints.(0) in
  ints.(0) <- ints.(1);
  ints.(1) <- x;
  Array_repr.scatter ints b 0 2;
  Alcotest.(check (array char)) "back" [| 'a'; 'c'; 'b' |] a

let not_immediate () =
  let b, _ = view_boxed compare [| None; None; Some 1; None |] in
  let ints = Array_repr.make_immediates 4 in
  Alcotest.(check bool) "with the block" false (Array_repr.gather b ints 0 3);
  Alcotest.(check bool) "before the block" true (Array_repr.gather b ints 0 1);
  Alcotest.(check (list bool))
    "each" [ true; true; false; true ]
    (List.map Array_repr.is_immediate (Array.to_list b))

let integers () =
  let check what expected x n = Alcotest.(check bool) what expected (Array_repr.is_integer x n) in
  check "itself" true 5 5;
  check "another" false 5 6;
  check "a character" true 'a' 97;
  check "a string" false (String.make 3 'x') 3;
  check "a float" false 5. 5;
  check "min_int" true min_int min_int

(* First stores, of integers, blocks and floats, with collections in between. *)
let first_stores () =
  let fill what make x =
    List.iter
      (fun n ->
        let a = make n in
        for i = 0 to n - 1 do
          if i land 255 = 100 then Gc.minor ();
          if i = n / 2 then Gc.full_major ();
          Array_repr.set_first a i (x i)
        done;
        Gc.full_major ();
        if a <> Array.init n x then Alcotest.failf "%s, %d" what n)
      [ 1; 10; 256; 257; 3000 ]
  in
  fill "integers" Array_repr.blank Fun.id;
  fill "strings" Array_repr.blank string_of_int;
  fill "both" Array_repr.blank (fun i -> if i mod 3 = 0 then None else Some (string_of_int i));
  fill "floats" (fun n -> Option.get (Array_repr.uninitialised_like 1. n)) float

(* An element that only the view has stored survives collections. *)
let barrier () =
  let a = Array.make 1000 "" in
  Gc.full_major ();
  let b, _ = view_boxed compare a in
  for i = 0 to 999 do
    let fresh, _ = view_boxed compare [| string_of_int i |] in
    b.(i) <- fresh.(0)
  done;
  Gc.full_major ();
  ignore (Sys.opaque_identity (List.init 100_000 string_of_int));
  Array.iteri (fun i s -> Alcotest.(check string) "kept" (string_of_int i) s) a

let uninitialised () =
  (match Array_repr.uninitialised_like 1.5 10 with
  | None -> Alcotest.fail "a float is not seen as one"
  | Some a ->
      Array.fill a 0 10 2.5;
      Alcotest.(check (array (float 0.))) "floats" (Array.make 10 2.5) a);
  Alcotest.(check bool) "an int is no float" true (Array_repr.uninitialised_like 1 10 = None);
  Alcotest.(check bool) "a string is no float" true (Array_repr.uninitialised_like "1.5" 10 = None)

let same_kind () =
  let tag a = Obj.tag (Obj.repr (Array_repr.same_kind a 3)) in
  let any = Array.make 2 (Obj.repr 0) in
  any.(0) <- Obj.repr 1.5;
  Alcotest.(check int) "flat" Obj.double_array_tag (tag [| 1.5 |]);
  Alcotest.(check int) "not flat" 0 (tag [| "1.5" |]);
  Alcotest.(check int) "not flat, with a float in front" 0 (tag any);
  Alcotest.(check int) "length" 3 (Array.length (Array_repr.same_kind [| 1.5 |] 3));
  Alcotest.(check int) "no elements" 0 (Array.length (Array_repr.same_kind [| 1.5 |] 0))

let blank () =
  let a : string array = Array_repr.blank 1000 in
  let before = (Gc.quick_stat ()).minor_collections in
  for i = 0 to 999 do
    a.(i) <- string_of_int i
  done;
  Alcotest.(check int) "no collection" before (Gc.quick_stat ()).minor_collections;
  Gc.full_major ();
  Array.iteri (fun i s -> Alcotest.(check string) "kept" (string_of_int i) s) a;
  Alcotest.(check int) "none" 0 (Array.length (Array_repr.blank 0 : string array))

let () =
  Alcotest.run "array repr"
    [
      ( "views",
        [
          case "flat arrays are seen as floats" flat;
          case "others as boxed" boxed;
          case "immediates go to a raw array and back" immediates;
          case "a block among them is noticed" not_immediate;
          case "integers are told from all else" integers;
          case "first stores" first_stores;
          case "arrays of floats before they are filled" uninitialised;
          case "arrays of blocks before they are filled" blank;
          case "an array of the kind of another one" same_kind;
          case "stores through a view are seen by the collector" barrier;
        ] );
    ]
