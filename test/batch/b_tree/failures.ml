open Operations

(* Each case that a failing comparison can break is tried with each comparison failing in turn, until none
   does. *)
let each_comparison what f =
  let rec from k =
    Atomic.set Key.left (-1);
    if f k then from (k + 1) else k
  in
  let tried = from 0 in
  if tried < 5 then Alcotest.failf "%s: only %d comparisons" what tried

let keys = List.init 700 (fun i -> 10 * i)
let m = Map.of_seq (List.to_seq (List.map (fun k -> (k, k)) keys))

(* The counter tells whether comparison [k] failed: it is below zero. *)
let run_failing k f =
  Key.failing_at k (fun () ->
      let answer = f () in
      (answer, Atomic.get Key.left < 0))

(* One by one: the operation fails and has changed nothing, or it has its usual answer. *)
let alone () =
  let ops =
    [
      Mem 350;
      Find 355;
      Add (350, 1);
      Add (355, 1);
      Remove 350;
      Update (350, 4);
      Update (355, 4);
      Succ 6990;
      Pred 0;
    ]
  in
  let each op =
    each_comparison "alone" (fun k ->
        let tree = tree_of m in
        let answer, failed = run_failing k (fun () -> sequentially tree op) in
        let expected, m' = if failed then (Failed, m) else apply op m in
        agree "alone" k expected answer;
        same_contents "alone" m' tree;
        failed)
  in
  List.iter each (List.filter (fun op -> single op) ops);
  (* Splits and merges call no comparison: every leaf is about to be full or weak. *)
  let tree = tree_of m in
  let all = ref m in
  for i = 0 to 3000 do
    let op = if i < 1500 then Add (i * 7 mod 7000, i) else Remove (i * 11 mod 7000) in
    let answer, failed = run_failing (i mod 14) (fun () -> sequentially tree op) in
    let expected, m' = if failed then (Failed, !all) else apply op !all in
    agree "splits" i expected answer;
    all := m';
    if i mod 50 = 0 then same_contents "splits" !all tree
  done

(* Whether the answers, except for those that failed, are those of the operations in this order. *)
let follows order ops answers tree =
  let m' = ref m in
  List.for_all
    (fun i ->
      answers.(i) = Failed
      ||
      let expected, next = apply ops.(i) !m' in
      m' := next;
      answers.(i) = expected)
    order
  &&
  (same_contents "batch" !m' tree;
   true)

(* In a batch at most the one operation whose comparison failed fails: the others are applied, one by one
   if the batch had not begun to change the tree. *)
let in_batches () =
  let state = Random.State.make [| 3 |] in
  let key () = Random.State.int state 7000 in
  let random _ = match random state even key with Update (k, c) when c mod 6 = 0 -> Find k | op -> op in
  let ops = Array.init 40 (fun i -> if i < 8 then Add (3333 + (i land 3), i) else random i) in
  let arrival = List.init 40 Fun.id in
  let singles, others = List.partition (fun i -> single ops.(i)) arrival in
  each_comparison "in a batch" (fun k ->
      let tree = tree_of m in
      let answers, failed = run_failing k (fun () -> run_batch tree ops) in
      let failures = List.length (List.filter (( = ) Failed) (Array.to_list answers)) in
      if failures > if failed then 1 else 0 then Alcotest.failf "comparison %d: %d failures" k failures;
      if not (follows (singles @ others) ops answers tree || follows arrival ops answers tree) then
        Alcotest.failf "comparison %d: wrong answers" k;
      failed)

(* Keys that cannot be compared: their operations fail, and the others do not. *)
let poison () =
  let module Poisoned = struct
    type t = int

    let compare a b = if a = 13 || b = 13 then raise Planned else Int.compare a b
  end in
  let module Batched = Weft_batch.B_tree.Make (Poisoned) in
  List.iter
    (fun domains ->
      Weft.run ~domains @@ fun () ->
      let tree = Batched.Sequential.create () in
      for i = 100 to 999 do
        Batched.Sequential.add tree i i
      done;
      let cells = Array.init 5000 (fun _ -> Cell.make ()) in
      Batched.run_batch tree (Array.mapi (fun i c -> Batched.Op (Batched.Op.Add (i, -i), c)) cells);
      Batched.Sequential.check tree;
      Array.iteri
        (fun i c ->
          match Cell.result c with
          | Some (Ok ()) when i <> 13 ->
              Alcotest.(check (option int)) "bound" (Some (-i)) (Batched.Sequential.find_opt tree i)
          | Some (Error (Planned, _)) when i = 13 -> ()
          | _ -> Alcotest.failf "key %d" i)
        cells;
      Alcotest.(check int) "length" 4999 (Batched.Sequential.length tree))
    [ 1; 2 ]

(* Update functions fail, at every place of a batch. *)
let updates () =
  let size = 300 in
  for failing = 0 to 59 do
    let tree = tree_of m in
    let ops =
      Array.init size (fun i -> Update (i * 5 mod 200 * 10, if i mod 60 = failing then 0 else 4 + (i mod 2)))
    in
    let expected, m' = apply_all ops m in
    Array.iteri (fun i (e, g) -> agree "updates" i e g) (Array.combine expected (run_batch tree ops));
    same_contents "updates" m' tree
  done

(* A contradictory order gives wrong answers, and does no other harm. *)
let contradictions () =
  let module Wild = struct
    type t = int

    let compare a b = (Hashtbl.hash (a, b) mod 3) - 1
  end in
  let module Batched = Weft_batch.B_tree.Make (Wild) in
  let tree = Batched.Sequential.create () in
  for round = 1 to 20 do
    let ops =
      Array.init 2000 (fun i ->
          if (i + round) mod 3 = 0 then
            let cell = Cell.make () in
            Batched.Op (Batched.Op.Remove i, cell)
          else Batched.Op (Batched.Op.Add (i * round, i), Cell.make ()))
    in
    Batched.run_batch tree ops;
    let count = Batched.Sequential.fold (fun _ _ n -> n + 1) tree 0 in
    Alcotest.(check int) "length" count (Batched.Sequential.length tree)
  done

let case name f = Testing.Watchdog.case name f

let tests =
  [
    case "a comparison fails, alone" alone;
    case "a comparison fails, in a batch" in_batches;
    case "a key that cannot be compared" poison;
    case "update functions fail" updates;
    case "an order that contradicts itself" contradictions;
  ]
