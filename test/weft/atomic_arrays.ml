open Support
module A = Weft.Atomic_array

(* --- alone: as a plain array --- *)

let extreme = [| 0; 1; -1; 7; max_int; min_int; max_int - 1; min_int + 1 |]

(* One random operation on both; what they return must be the same. *)
let step rand a (b : int array) =
  let number () =
    if Random.State.bool rand then extreme.(Random.State.int rand (Array.length extreme))
    else Random.State.int rand 10 - 5
  in
  let i = Random.State.int rand (Array.length b) in
  let was = b.(i) and x = number () in
  let change y = b.(i) <- y in
  let if_ holds =
    if holds then change x;
    holds
  in
  match Random.State.int rand 10 with
  | 0 -> A.get a i = was
  | 1 ->
      A.set a i x;
      change x;
      true
  | 2 ->
      change x;
      A.exchange a i x = was
  | 3 ->
      let expected = if Random.State.bool rand then was else number () in
      A.compare_and_set a i expected x = if_ (expected = was)
  | 4 ->
      change (was + x);
      A.fetch_and_add a i x = was
  | 5 ->
      A.incr a i;
      change (was + 1);
      true
  | 6 ->
      A.decr a i;
      change (was - 1);
      true
  | 7 -> A.write_min a i x = if_ (x < was)
  | 8 -> A.write_max a i x = if_ (x > was)
  | _ ->
      let better x y = x land 7 > y land 7 in
      A.priority_update ~better a i x = if_ (better x was)

let like_a_plain_array () =
  in_each_size @@ fun () ->
  let rand = Random.State.make [| 11 |] in
  for n = 1 to 40 do
    let b = Array.init n (fun i -> extreme.(i mod 8)) in
    let a = A.of_array b in
    for k = 1 to tries 200 do
      if not (step rand a b) then Alcotest.failf "another result, %d elements, step %d" n k;
      if A.to_array a <> b then Alcotest.failf "other elements, %d elements, step %d" n k
    done
  done

let made () =
  let lengths = [ 0; 1; 2; 5; 1000; 100_000 ] in
  let check () =
    let same what expected a =
      if A.to_array a <> expected || A.length a <> Array.length expected then
        Alcotest.failf "%s of %d elements" what (Array.length expected)
    in
    List.iter
      (fun n ->
        same "make" (Array.make n min_int) (A.make n min_int);
        same "init" (Array.init n (fun i -> i * i)) (A.init n (fun i -> i * i));
        same "of_array" (Array.init n Int.neg) (A.of_array (Array.init n Int.neg)))
      lengths
  in
  check ();
  in_each_size check;
  match A.init 1000 (fun i -> if i = 500 then raise (Planned i) else i) with
  | _ -> Alcotest.fail "no exception"
  | exception Planned 500 -> ()

(* Collections move the array, and look at no element. *)
let collected () =
  let a = A.init 100 (fun i -> i) in
  for round = 1 to 50 do
    let small = A.make 3 round in
    if round land 7 = 0 then Gc.full_major () else Gc.minor ();
    A.incr small 1;
    for i = 0 to 99 do
      check_int "old" (i + round - 1) (A.fetch_and_add a i 1)
    done;
    check_int "young" (round + 1) (A.get small 1)
  done;
  let odd = A.init 1000 (fun i -> i * 0x123456789) in
  Gc.full_major ();
  Alcotest.(check (array int)) "kept" (Array.init 1000 (fun i -> i * 0x123456789)) (A.to_array odd)

let outside () =
  let a = A.make 3 1 in
  let refuse name f =
    List.iter
      (fun i ->
        let message = Printf.sprintf "Weft.Atomic_array.%s: index %d in a length of 3" name i in
        raises_invalid name message (fun () -> f i))
      [ -1; 3; max_int; min_int; 1 lsl 60; (1 lsl 61) + 1 ]
  in
  refuse "get" (fun i -> A.get a i);
  refuse "set" (fun i -> A.set a i 0);
  refuse "exchange" (fun i -> A.exchange a i 0);
  refuse "compare_and_set" (fun i -> A.compare_and_set a i 1 0);
  refuse "fetch_and_add" (fun i -> A.fetch_and_add a i 1);
  refuse "incr" (A.incr a);
  refuse "decr" (A.decr a);
  refuse "write_min" (fun i -> A.write_min a i 0);
  refuse "write_max" (fun i -> A.write_max a i 5);
  refuse "priority_update" (fun i -> A.priority_update ~better:(fun _ _ -> true) a i 5);
  Alcotest.(check (array int)) "unchanged" [| 1; 1; 1 |] (A.to_array a);
  let raising _ _ = raise (Planned 1) in
  (match A.priority_update ~better:raising a 0 5 with
  | _ -> Alcotest.fail "no exception"
  | exception Planned 1 -> ());
  check_int "unchanged" 1 (A.get a 0)

(* --- several domains --- *)

(* Domains of the test's own, not tasks: so they are there whatever the pool does. They begin together. *)
let at_once domains f =
  let ready = Atomic.make 0 in
  let run k =
    Atomic.incr ready;
    wait_until "all domains have begun" (fun () -> Atomic.get ready = domains);
    f k
  in
  let others = List.init (domains - 1) (fun k -> Domain.spawn (fun () -> run (k + 1))) in
  run 0;
  List.iter Domain.join others

let rounds = tries 20_000
let some_domains f () = List.iter f [ 1; 2; 8 ]

let additions domains =
  let a = A.make 5 0 and seen = A.make (domains * rounds) 0 in
  at_once domains (fun k ->
      for i = 1 to rounds do
        A.incr seen (A.fetch_and_add a 0 1);
        A.incr a 1;
        A.decr a 2;
        ignore (A.fetch_and_add a 3 i : int);
        if i land 63 = k then ignore (Sys.opaque_identity (ref i))
      done);
  let n = domains * rounds in
  Alcotest.(check (array int)) "sums" [| n; n; -n; domains * (rounds * (rounds + 1) / 2); 0 |] (A.to_array a);
  Array.iter (check_int "each ticket once" 1) (A.to_array seen)

(* Each value that is written comes out of one exchange, or stays. *)
let exchanges domains =
  let n = domains * rounds in
  let a = A.make 2 n and out = A.make (n + 1) 0 in
  at_once domains (fun k ->
      for i = 0 to rounds - 1 do
        A.incr out (A.exchange a 1 ((k * rounds) + i))
      done);
  A.incr out (A.get a 1);
  Array.iter (check_int "each value once" 1) (A.to_array out);
  check_int "its neighbour" n (A.get a 0)

let claims domains =
  let a = A.make rounds (-1) and won = Array.make domains 0 in
  at_once domains (fun k ->
      let mine = ref 0 in
      for i = 0 to rounds - 1 do
        if A.get a i < 0 && A.compare_and_set a i (-1) k then incr mine
      done;
      won.(k) <- !mine);
  check_int "one winner for each" rounds (Array.fold_left ( + ) 0 won);
  let counts = Array.make domains 0 in
  Array.iter (fun k -> counts.(k) <- counts.(k) + 1) (A.to_array a);
  Alcotest.(check (array int)) "the winners are written" counts won

let best domains =
  let offer k i = ((i * 7919) + (k * 104_729)) mod 1_000_003 in
  let a = A.of_array [| max_int; min_int; -1 |] in
  let better x y = y < 0 || x mod 1000 > y mod 1000 || (x mod 1000 = y mod 1000 && x < y) in
  let wins = Array.make domains 0 in
  at_once domains (fun k ->
      let own = ref 0 in
      for i = 0 to rounds - 1 do
        let x = offer k i in
        if A.write_min a 0 x then incr own;
        ignore (A.write_max a 1 x : bool);
        ignore (A.priority_update ~better a 2 x : bool)
      done;
      wins.(k) <- !own);
  let all = List.concat (List.init domains (fun k -> List.init rounds (offer k))) in
  let first = List.fold_left (fun y x -> if better x y then x else y) (-1) all in
  Alcotest.(check (array int))
    "the best of all"
    [| List.fold_left min max_int all; List.fold_left max min_int all; first |]
    (A.to_array a);
  if Array.fold_left ( + ) 0 wins = 0 then Alcotest.fail "nobody wrote"

(* A plain write before an atomic one is seen behind it. *)
let messages domains =
  let a = A.make domains 0 and text = Array.make (domains * rounds) "" in
  at_once domains (fun k ->
      for i = 1 to rounds do
        text.((k * rounds) + i - 1) <- string_of_int i;
        A.set a k i;
        let other = (k + 1) mod domains in
        let n = A.get a other in
        if n > 0 && text.((other * rounds) + n - 1) <> string_of_int n then
          Alcotest.failf "message %d is not there" n
      done)

(* Two write to an element each, and then read the other's: one must see the other's write (Dekker). In pairs
   of domains. *)
let stores_before_loads domains =
  let a = A.make (domains * rounds) 0 and saw = Array.make (domains * rounds) (-1) in
  at_once domains (fun k ->
      for i = 0 to rounds - 1 do
        let own = (i * domains) + k in
        A.set a own 1;
        saw.(own) <- A.get a (own lxor 1)
      done);
  if domains > 1 then
    for i = 0 to (Array.length saw / 2) - 1 do
      if saw.(2 * i) = 0 && saw.((2 * i) + 1) = 0 then
        Alcotest.failf "in round %d both read 0" (2 * i / domains)
    done

(* The reads of one element do not go back, behind reads of another one. *)
let reads_in_order domains =
  let a = A.make 2 0 in
  at_once domains (fun k ->
      for i = 1 to rounds do
        if k = 0 then begin
          A.set a 0 i;
          A.set a 1 i
        end
        else begin
          let second = A.get a 1 in
          let first = A.get a 0 in
          let again = A.get a 1 in
          if first < second || again < second then Alcotest.failf "%d, then %d, then %d" second first again
        end
      done)

let in_tasks () =
  in_each_size @@ fun () ->
  let n = tries 50_000 in
  let a = A.make 16 0 in
  Weft.parallel_for ~start:1 ~finish:n ~body:(fun i -> A.incr a (i land 15)) ();
  check_int "sum" n (Array.fold_left ( + ) 0 (A.to_array a))

let tests =
  [
    case "alone, it is a plain array" like_a_plain_array;
    case "arrays are made of what they are to be made of" made;
    case "collections move arrays and keep elements" collected;
    case "there is nothing outside" outside;
    case "additions are not lost, and tickets are unique" (some_domains additions);
    case "exchanges lose and double nothing" (some_domains exchanges);
    case "one claim succeeds" (some_domains claims);
    case "the best offer stays" (some_domains best);
    case "what was written before is seen" (some_domains messages);
    case "a store comes before the loads that follow it" (some_domains stores_before_loads);
    case "reads are in order" (some_domains reads_in_order);
    case "tasks count together" in_tasks;
  ]
