(* The numbers of functions' codes. *)

module Closure = Weft_platform.Closure

let adder n = fun m -> n + m

let rec even n = n = 0 || odd (n - 1)
and odd n = n > 0 && even (n - 1)

let with_variables k =
  let rec up n = if n > k then n else down (n + 3) and down n = if n = 0 then k else up (n - 1) in
  (up, down)

let several k = ((fun a b -> a + b + k), fun a b -> (a * b) - k)
let check = Alcotest.(check bool)

let same () =
  check "closures of one place" true (Closure.code (adder 1) = Closure.code (adder (Sys.opaque_identity 2)));
  let f, g = several 1 and f', g' = several (Sys.opaque_identity 2) in
  check "with two arguments" true (Closure.code f = Closure.code f' && Closure.code g = Closure.code g');
  let up, down = with_variables 1 and up', down' = with_variables (Sys.opaque_identity 2) in
  check "defined together" true (Closure.code up = Closure.code up' && Closure.code down = Closure.code down')

let different () =
  let f, g = several 1 and up, down = with_variables 1 in
  let codes =
    [
      Closure.code (adder 1);
      Closure.code even;
      Closure.code odd;
      Closure.code f;
      Closure.code g;
      Closure.code up;
      Closure.code down;
      Closure.code (fun () -> ());
      Closure.code (fun (a, b) -> a + b);
    ]
  in
  Alcotest.(check int) "all differ" (List.length codes) (List.length (List.sort_uniq compare codes))

(* Of functions that were applied to all arguments but one, nothing is to be known. *)
let shared () =
  let add a b = a + b and sum a b c = a + b + c in
  let is_shared f = Closure.is_shared (Closure.code f) in
  check "two arguments" true (is_shared ((Sys.opaque_identity add) 1));
  check "three" true (is_shared ((Sys.opaque_identity sum) 1 2));
  check "a closure" false (is_shared (adder 1))

(* They are integers to the collector. *)
let kept () =
  let codes = Array.init 1000 (fun k -> if k land 1 = 0 then Closure.code even else Closure.code (adder k)) in
  Gc.compact ();
  check "the same" true (codes.(0) = Closure.code even && codes.(999) = Closure.code (adder 5))

let () =
  let case name f = Testing.Watchdog.case name f in
  Alcotest.run "closure"
    [
      ( "codes",
        [
          case "the same" same;
          case "different" different;
          case "shared" shared;
          case "after a collection" kept;
        ] );
    ]
