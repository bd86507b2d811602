open Weft_support

let make n x =
  let b = Fresh.raw n in
  Fresh.fill b 0 (n - 1) (Fresh.immediate x);
  (Fresh.seal b : _ array)

let n = 2 * Fresh.worthwhile

let sealed_arrays_are_arrays () =
  Alcotest.(check (array int)) "ints" (Array.make n 7) (make n 7);
  Alcotest.(check (array bool)) "bools" (Array.make n true) (make n true);
  Alcotest.(check int) "tag" 0 (Obj.tag (Obj.repr (make n 0)))

(* Another domain keeps the collector marking while tags change, and while pointers are stored into arrays that are just
   sealed. *)
let the_collector_may_run_at_any_time () =
  let stop = Atomic.make false in
  let collect () =
    while not (Atomic.get stop) do
      Gc.full_major ();
      ignore (Sys.opaque_identity (List.init 1000 string_of_int))
    done
  in
  let other = Domain.spawn collect in
  let kept = Array.make 8 [||] in
  for round = 1 to 200 do
    let b = Fresh.raw n in
    (* What is in it now are the words of arrays that were here before. *)
    if round land 1 = 0 then Gc.minor ();
    Fresh.fill b 0 (n - 1) (Fresh.immediate None);
    let a : string option array = Fresh.seal b in
    for i = 0 to 999 do
      a.(i * 7) <- Some (string_of_int (round + i))
    done;
    kept.(round land 7) <- a
  done;
  Atomic.set stop true;
  Domain.join other;
  Gc.full_major ();
  Array.iteri
    (fun slot a ->
      let round = if slot = 0 then 200 else 192 + slot in
      for i = 0 to 999 do
        Alcotest.(check (option string)) "stored" (Some (string_of_int (round + i))) a.(i * 7)
      done;
      Alcotest.(check (option string)) "filled" None a.(n - 1))
    kept

let floats_are_flat () =
  (match Fresh.floats_like 1.5 10 with
  | None -> Alcotest.fail "a float is not seen as one"
  | Some a ->
      Array.fill a 0 10 2.5;
      Alcotest.(check (array (float 0.))) "floats" (Array.make 10 2.5) a);
  Alcotest.(check bool) "an int is no float" true (Fresh.floats_like 1 10 = None);
  Alcotest.(check bool) "a string is no float" true (Fresh.floats_like "1.5" 10 = None)

let immediates_are_told_from_pointers () =
  Alcotest.(check (list bool))
    "immediate" [ true; true; false; false; false ]
    [
      Fresh.is_immediate 3;
      Fresh.is_immediate None;
      Fresh.is_immediate (Some 3);
      Fresh.is_immediate "a";
      Fresh.is_immediate 1.5;
    ]

let () =
  Alcotest.run "fresh"
    [
      ( "fresh",
        [
          Alcotest.test_case "sealed arrays are arrays" `Quick sealed_arrays_are_arrays;
          Alcotest.test_case "the collector may run at any time" `Quick the_collector_may_run_at_any_time;
          Alcotest.test_case "floats are flat" `Quick floats_are_flat;
          Alcotest.test_case "immediates are told from pointers" `Quick immediates_are_told_from_pointers;
        ] );
    ]
