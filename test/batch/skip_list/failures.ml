open Programs

let map = Map.of_seq (Seq.init 150 (fun i -> (3 * i, i)))

let ops =
  let state = Random.State.make [| 17 |] in
  Array.init 130 (fun i ->
      let k = Random.State.int state 460 in
      match Random.State.int state 9 with
      | 0 -> Mem k
      | 1 -> Succ k
      | 2 -> Pred k
      | 3 | 4 -> Remove k
      | 5 -> Update (k, i)
      | 6 -> Length
      | _ -> Add (k, i))

(* Whether the answers are those of this order, except for operations that failed. *)
let explained (map, expected) got t =
  Sequential.check t;
  List.of_seq (Sequential.to_seq t) = Map.bindings map
  && Array.for_all2 (fun e g -> g = Raised || g = e) expected got

(* One comparison raises: in the sort or the search, and then the operations are applied one by one; or in
   a query, which fails. *)
let one_comparison () =
  let rec from domains k =
    let t = of_map ~seed:k map in
    let got = Keys.raising_at k (fun () -> in_batch t ops) in
    let failed = ref 0 in
    Array.iteri
      (fun i answer ->
        if answer = Raised then begin
          incr failed;
          if is_keyed ops.(i) then Alcotest.failf "comparison %d: operation %d has failed" k i
        end)
      got;
    if !failed > 1 then Alcotest.failf "comparison %d: %d operations have failed" k !failed;
    if not (explained (keyed_first map ops) got t || explained (in_order map ops) got t) then
      Alcotest.failf "comparison %d: wrong" k;
    let calls = Keys.counted (fun () -> ignore (in_batch (of_map ~seed:k map) ops)) in
    if k < calls then from domains (k + 1)
  in
  List.iter
    (fun domains -> Weft.run ~domains (fun () -> from domains 0))
    (Testing.Effort.some ~quick:[ 2 ] [ 1; 2 ])

(* All comparisons from one on raise: exactly those operations that do not fail have taken effect. *)
let all_comparisons () =
  let rec from k =
    let t = of_map ~seed:k map in
    let got = Keys.raising_at ~ever:true k (fun () -> in_batch t ops) in
    let done_ = List.filteri (fun i _ -> got.(i) <> Raised) (Array.to_list ops) in
    let done_ = Array.of_list done_ in
    let answers = Array.of_list (List.filter (fun a -> a <> Raised) (Array.to_list got)) in
    if not (explained (keyed_first map done_) answers t || explained (in_order map done_) answers t) then
      Alcotest.failf "from comparison %d on: wrong" k;
    if Array.exists (fun a -> a = Raised) got then from (k + 1) else k
  in
  if Weft.run ~domains:1 (fun () -> from 0) < 500 then Alcotest.fail "too few comparisons"

(* A key that cannot be compared fails only its own operations. *)
let one_key () =
  Weft.run ~domains:2 @@ fun () ->
  let poison = 301 in
  let ops = Array.mapi (fun i op -> if i mod 10 = 4 then Add (poison, i) else op) ops in
  let is_poisoned = function
    | Mem k | Find k | Add (k, _) | Remove k | Update (k, _) | Fail k | Succ k | Pred k -> k = poison
    | Min | Max | Length -> false
  in
  let t = of_map map in
  let got = Keys.raising_on poison (fun () -> in_batch t ops) in
  let expected_map = ref map in
  Array.iteri
    (fun i op ->
      let expected =
        if is_poisoned op then Raised
        else begin
          let map, answer = on_map !expected_map op in
          expected_map := map;
          answer
        end
      in
      if got.(i) <> expected then Alcotest.failf "operation %d is wrong" i)
    ops;
  check_contents "one key" t !expected_map

let updates () =
  Weft.run ~domains:2 @@ fun () ->
  for every = 1 to 5 do
    let ops =
      Array.mapi (fun i op -> match op with Add (k, _) when i mod every = 0 -> Fail k | op -> op) ops
    in
    ignore (check_batch "updates that raise" (of_map map) map ops : int Map.t)
  done

let after_failures () =
  Weft.run ~domains:2 @@ fun () ->
  let t = of_map map in
  let m = ref map in
  for k = 0 to 50 do
    let _ = Keys.raising_at (k * 37) (fun () -> in_batch t ops) in
    Sequential.check t;
    m := Map.of_seq (Sequential.to_seq t);
    m :=
      check_batch "after a failure" t !m
        (Array.init 100 (fun i -> if i land 1 = 0 then Add (i * k, i) else Remove (3 * i)))
  done

(* A comparison that answers at random: wrong answers, and where there is none, a failure that says why. *)
let no_order () =
  let module Wild = struct
    type t = int

    let compare _ _ = Random.int 3 - 1
  end in
  let module Batched = Weft_batch.Skip_list.Make (Wild) in
  Weft.run ~domains:2 @@ fun () ->
  for _ = 1 to Testing.Effort.count ~quick:3 ~usual:20 ~long:200 do
    let t = Batched.create () in
    let answer f =
      match f () with
      | () -> ()
      | exception Failure why ->
          let ours = String.starts_with ~prefix:"Weft_batch: " why in
          if not (ours && String.ends_with ~suffix:"its comparison is no order" why) then failwith why
    in
    Weft.parallel_for ~start:0 ~finish:2_000
      ~body:(fun i ->
        answer (fun () ->
            match i mod 3 with
            | 0 -> ignore (Batched.mem t i : bool)
            | 1 -> ignore (Batched.remove t i : bool)
            | _ -> Batched.add t i i))
      ()
  done

let tests =
  let case name f = Testing.Watchdog.case name f in
  [
    case "one comparison raises, wherever" one_comparison;
    case "all comparisons raise from one on" all_comparisons;
    case "a key that cannot be compared" one_key;
    case "updates that raise" updates;
    case "batches after failures" after_failures;
    case "a comparison that is no order" no_order;
  ]
