open Programs

let domains = Testing.Effort.some ~quick:[ 2 ] [ 1; 2; 8 ]
let in_each_size f = List.iter (fun domains -> Weft.run ~domains f) domains

let random () =
  in_each_size @@ fun () ->
  check_random ~count:300 "batches" (fun (before, batch) ->
      let map, _ = in_order Map.empty before in
      ignore (check_batch "batch" (of_map map) map batch : int Map.t);
      true)

(* Batches follow each other, so that errors of shape add up; with all sizes of runs. *)
let growing () =
  in_each_size @@ fun () ->
  let state = Random.State.make [| 3 |] in
  let t = Sequential.create () and map = ref Map.empty in
  List.iter
    (fun n ->
      let range = max 10 (n / 2) in
      let op i =
        let k = Random.State.int state range in
        match Random.State.int state 8 with
        | 0 | 1 | 2 -> Add (k, i)
        | 3 | 4 -> Remove k
        | 5 -> Update (k, i)
        | 6 -> Succ k
        | _ -> Find k
      in
      map := check_batch (Printf.sprintf "%d operations" n) t !map (Array.init n op))
    [ 0; 1; 2; 63; 64; 65; 129; 1000; 3000; 10_000; 40_000; 100; 20_000 ]

let filled n = Map.of_seq (Seq.init n (fun i -> (2 * i, i)))

(* Neighbouring keys are bound, unbound and kept, across the borders of runs. *)
let neighbours () =
  in_each_size @@ fun () ->
  let n = 3000 in
  let test name keys op =
    let map = filled n in
    let t = of_map map in
    let map = check_batch name t map (Array.init (Array.length keys) (fun i -> op i keys.(i))) in
    (* The map that the batch left must accept another one. *)
    ignore (check_batch name t map (Array.init n (fun i -> Add (i * 3, i))) : int Map.t)
  in
  let all = Array.init (2 * n) Fun.id in
  let even = Array.init n (fun i -> 2 * i) in
  test "all go" even (fun _ k -> Remove k);
  test "all but the ends go" (Array.sub even 1 (n - 2)) (fun _ k -> Remove k);
  test "all but one in a hundred go" even (fun i k -> if i mod 100 = 50 then Mem k else Remove k);
  test "all are exchanged" all (fun i k -> if k land 1 = 0 then Remove k else Add (k, i));
  test "many between two" (Array.init n Fun.id) (fun i k -> Add ((2 * n) + k, i));
  test "many in front" (Array.init n Fun.id) (fun i k -> Add (-k, i));
  test "stretches" all (fun i k ->
      if k / 300 mod 2 = 0 then Remove k else if k land 1 = 0 then Find k else Add (k, i));
  test "stretches, come and go" all (fun i k ->
      if k / 70 mod 3 = 0 then Remove k else if k / 70 mod 3 = 1 then Add (k, i) else Update (k, i))

(* A list so large that more searches go side by side. *)
let large () =
  Weft.run ~domains:2 @@ fun () ->
  let n = 40_000 in
  let state = Random.State.make [| 17 |] in
  let map = ref (filled n) in
  let t = of_map !map in
  let op i =
    let k = Random.State.int state (2 * n) in
    match Random.State.int state 5 with
    | 0 | 1 -> Add (k, i)
    | 2 -> Remove k
    | 3 -> Update (k, i)
    | _ -> Find k
  in
  List.iter
    (fun size ->
      map := check_batch (Printf.sprintf "%d operations" size) t !map (Array.init size op);
      map :=
        check_batch "neighbours" t !map
          (Array.init size (fun i -> if i land 1 = 0 then Remove i else Add (i, i))))
    [ 2; 15; 16; 17; 33; 64; 500; 5000 ]

let hostile () =
  in_each_size @@ fun () ->
  let n = 2000 in
  let test name key =
    let ops = Array.init n (fun i -> if i mod 7 = 3 then Remove (key (i / 2)) else Add (key i, i)) in
    let t = Sequential.create () in
    let map = check_batch name t Map.empty ops in
    ignore (check_batch name t map ops : int Map.t)
  in
  test "ascending" (fun i -> i);
  test "descending" (fun i -> -i);
  test "all equal" (fun _ -> 5);
  test "few distinct" (fun i -> i * 7 mod 5);
  test "extreme" (fun i -> if i land 1 = 0 then min_int + (i mod 9) else max_int - (i mod 9));
  test "up and down" (fun i -> if i land 1 = 0 then i else -i)

let trivial () =
  let t = Sequential.create () in
  let map = check_batch "empty" t Map.empty [||] in
  let map = check_batch "length of nothing" t map [| Length; Min; Max; Succ 3 |] in
  let map = check_batch "remove from nothing" t map [| Remove 3 |] in
  let map = check_batch "one" t map [| Add (1, 2) |] in
  let map = check_batch "come and go" t map [| Add (2, 2); Remove 2; Add (2, 4); Remove 2; Remove 2 |] in
  let map = check_batch "go and come" t map [| Remove 1; Add (1, 7) |] in
  ignore (check_batch "the last goes" t map [| Remove 1; Length |] : int Map.t)

module Batched_floats = Weft_batch.Skip_list.Make (Float)

let floats () =
  let t = Batched_floats.create ~cutoff:(`Fixed 1) () in
  Batched_floats.add_all t (Array.init 1000 (fun i -> (float_of_int (i * 7 mod 1000), float_of_int i)));
  if Batched_floats.find_opt t 7. <> Some 1. || Batched_floats.length t <> 1000 then Alcotest.fail "floats"

(* A batch gives as many nodes of each height as single operations do. *)
let balanced () =
  let n = Testing.Effort.few 100_000 in
  let test name key =
    let t = Sequential.create () in
    ignore (in_batch t (Array.init n (fun i -> Add (key i, i))) : answer array);
    let calls =
      Keys.counted (fun () ->
          for i = 0 to n - 1 do
            ignore (Sequential.mem t (key i))
          done)
    in
    if calls > 60 * n then Alcotest.failf "%s: %d comparisons per search" name (calls / n)
  in
  Weft.run ~domains:2 (fun () ->
      test "ascending" Fun.id;
      test "scattered" (fun i -> i * 7919 mod n))

(* A search passes only the keys since the one before, not those from the head on. *)
let shared () =
  Weft.run ~domains:1 @@ fun () ->
  let n = 100_000 in
  let t = of_map (Map.of_seq (Seq.init n (fun i -> (i, i)))) in
  let calls = Keys.counted (fun () -> ignore (in_batch t (Array.init 10_000 (fun i -> Find (50_000 + i))))) in
  if calls > 10_000 * 12 then Alcotest.failf "%d comparisons per operation" (calls / 10_000)

let tests =
  let case name f = Testing.Watchdog.case name f in
  [
    case "like the operations in the order of arrival" random;
    case "one batch after another" growing;
    case "neighbours come and go" neighbours;
    case "a large list" large;
    case "hostile keys" hostile;
    case "few operations" trivial;
    case "floats" floats;
    case "heights are spread as ever" balanced;
    case "neighbouring keys share the way" shared;
  ]
