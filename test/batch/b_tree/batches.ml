open Operations

(* Batches on a tree, each compared with the same operations one by one. *)
let batch what tree m ops =
  let expected, m' = apply_all ops m in
  Array.iteri (fun i (e, g) -> agree what i e g) (Array.combine expected (run_batch tree ops));
  same_contents what m' tree;
  m'

let preset state size range =
  let m = ref Map.empty in
  for _ = 1 to size do
    m := Map.add (Random.State.int state range) 0 !m
  done;
  !m

let mixes = [| even; growing; shrinking; { even with adds = 0; removes = 0; updates = 0 } |]

let random_batches ~domains count =
  QCheck2.(
    Test.make ~count ~name:"random batches"
      Gen.(quad int (int_range 1 20_000) (int_range 0 6000) (int_range 0 3000))
      (fun (seed, range, size, length) ->
        Weft.run ~domains @@ fun () ->
        let state = Random.State.make [| seed |] in
        let m = ref (preset state size range) in
        let tree = tree_of !m in
        for _ = 1 to 6 do
          let mix = mixes.(Random.State.int state (Array.length mixes)) in
          (* The whole range, or a part of it. *)
          let part = 1 + Random.State.int state range in
          let from = Random.State.int state (range - part + 1) in
          let key () = from + Random.State.int state part in
          let length = if Random.State.bool state then length else Random.State.int state 20 in
          m := batch "batch" tree !m (Array.init length (fun _ -> random state mix key))
        done;
        true))

(* Large batches take the tree back and forth between few and many levels. *)
let tides ~domains () =
  Weft.run ~domains @@ fun () ->
  let state = Random.State.make [| 5 |] in
  let tree = Tree.create () and m = ref Map.empty in
  let range = 100_000 in
  for round = 1 to 3 do
    let adds = Array.init 25_000 (fun i -> Add (Random.State.int state range, i)) in
    m := batch "flood" tree !m adds;
    m :=
      batch "mixed" tree !m
        (Array.init 10_000 (fun _ -> random state even (fun () -> Random.State.int state range)));
    let keys = Array.of_seq (Seq.map fst (Map.to_seq !m)) in
    (* All keys but a few, or half of the range, or all. *)
    let keep i = match round with 1 -> i mod 997 = 0 | 2 -> i < Array.length keys / 2 | _ -> false in
    let removes = List.filteri (fun i _ -> not (keep i)) (Array.to_list keys) in
    m := batch "ebb" tree !m (Array.of_list (List.map (fun k -> Remove k) removes))
  done

let hostile () =
  let n = 4000 in
  let keys =
    [
      ("ascending", Fun.id);
      ("descending", fun i -> n - i);
      ("all equal", fun _ -> 7);
      ("few", fun i -> i * i mod 5);
      ("extremes", fun i -> if i land 1 = 0 then min_int + (i / 4) else max_int - (i / 4));
      ("blocks", fun i -> i / 64 * 1000);
    ]
  in
  List.iter
    (fun (name, key) ->
      let tree = Tree.create () and m = ref Map.empty in
      let run f = m := batch name tree !m (Array.init n (fun i -> f i (key i))) in
      run (fun i k -> Add (k, i));
      run (fun i k -> if i land 1 = 0 then Find k else Succ k);
      run (fun i k -> match i mod 4 with 0 -> Add (k, i) | 1 -> Update (k, i) | 2 -> Remove k | _ -> Pred k);
      run (fun i k -> if i land 1 = 0 then Remove k else Add (k + 1, i));
      run (fun _ k -> Remove k))
    keys

let smallest () =
  let each m =
    let tree = tree_of m in
    let m = batch "of none" tree m [||] in
    let m = batch "of one" tree m [| Add (3, 4) |] in
    let m = batch "of one" tree m [| Length |] in
    ignore (batch "of one" tree m [| Remove 3 |])
  in
  each Map.empty;
  each (Map.singleton 3 3);
  each (preset (Random.State.make [| 2 |]) 1000 5000)

(* A key that is bound anew is the new one, as with single operations; a key that stays bound is the old
   one. *)
let which_key () =
  let module Key = struct
    type t = int * string

    let compare (a, _) (b, _) = Int.compare a b
  end in
  let module Batched = Weft_batch.B_tree.Make (Key) in
  let key ops =
    let tree = Batched.Sequential.create () in
    Batched.Sequential.add tree (1, "old") 0;
    Batched.run_batch tree ops;
    fst (Option.get (Batched.Sequential.min_binding_opt tree))
  in
  let op op = Batched.Op (op, Cell.make ()) in
  let expect what expected ops = Alcotest.(check (pair int string)) what (1, expected) (key ops) in
  let remove = Cell.make () in
  expect "bound" "old" [| op (Add ((1, "new"), 1)) |];
  expect "bound anew" "new"
    [| Op (Remove (1, "x"), remove); op (Add ((1, "new"), 1)); op (Add ((1, "newer"), 2)) |]

let in_bulk () =
  let tree = Tree.create () in
  let m = batch "bulk" tree Map.empty (Array.init 20_000 (fun i -> Add (3 * i, i))) in
  ignore (batch "bulk between" tree m (Array.init 20_000 (fun i -> Add ((3 * i) + 1, i))))

let case name f = Testing.Watchdog.case name f

let tests =
  let random ~domains count () =
    QCheck2.Test.check_exn (random_batches ~domains (Testing.Effort.few count))
  in
  [
    case "random batches, 1 domain" (random ~domains:1 50);
    case "random batches, 2 domains" (random ~domains:2 30);
    case "random batches, 8 domains" (random ~domains:8 10);
    case "from nothing to 25,000 bindings and back" (tides ~domains:2);
    case "hostile keys" hostile;
    case "no operation, and one" smallest;
    case "which of equal keys is kept" which_key;
    case "in bulk" in_bulk;
  ]
