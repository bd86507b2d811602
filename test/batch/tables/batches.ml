(* Batches against single operations: the same results, the same contents. *)

module Cell = Weft_batch.Cell

module Against_one_by_one (Key : Keys.KEY) = struct
  module T = Weft_batch.Hash_table.Make (Key)
  module S = T.Sequential

  type question = Question : (int, 'a) T.op -> question

  let random rand range i =
    let k = Keys.key_of rand ~range in
    let h = S.hash k in
    match Random.State.int rand 12 with
    | 0 -> Question (Mem (h, k))
    | 1 | 2 -> Question (Find (h, k))
    | 3 | 4 | 5 | 6 -> Question (Add (h, k, i))
    | 7 | 8 -> Question (Remove (h, k))
    | 9 -> Question (Update (h, k, fun _ -> raise Keys.Planned))
    | 10 ->
        Question
          (Update (h, k, function None -> Some i | Some v -> if v land 1 = 0 then None else Some (v + 1)))
    | _ -> Question Length

  let contents t = List.sort compare (List.of_seq (S.to_seq t))

  let same (type a) batch one (op : (int, a) T.op) (cell : a Cell.t) =
    let expected = match T.apply one op with v -> Ok v | exception Keys.Planned -> Error () in
    match (op, Cell.result cell) with
    | _, None -> Alcotest.fail "an operation without a result"
    | Length, Some (Ok n) -> if n <> S.length batch then Alcotest.failf "length %d, not that of the end" n
    | _, Some (Ok v) -> if expected <> Ok v then Alcotest.fail "another result than one by one"
    | _, Some (Error (e, _)) -> if expected <> Error () || e <> Keys.Planned then raise e

  let agree rand ~preset ~range ~size =
    let batch = S.create () and one = S.create () in
    for i = 1 to preset do
      let k = Keys.key_of rand ~range in
      S.add batch k i;
      S.add one k i
    done;
    let ops =
      Array.init size (fun i ->
          let (Question op) = random rand range i in
          T.Op (op, Cell.make ()))
    in
    T.run_batch batch ops;
    S.check batch;
    Array.iter (fun (T.Op (op, cell)) -> same batch one op cell) ops;
    if contents batch <> contents one then Alcotest.fail "other contents than one by one";
    true

  let program rand =
    let size =
      match Random.State.int rand 4 with 0 -> Random.State.int rand 4 | 1 -> 20 | 2 -> 300 | _ -> 1500
    in
    agree rand ~preset:(Random.State.int rand 400) ~range:(1 + Random.State.int rand 500) ~size
end

module Ints = Against_one_by_one (Keys.Identity)

let large domains () =
  let rand = Random.State.make [| 3 |] in
  Weft.run ~domains (fun () ->
      List.iter
        (fun (preset, range, size) -> ignore (Ints.agree rand ~preset ~range ~size))
        [
          (0, 1_000_000, 30_000);
          (100_000, 200_000, 70_000);
          (50_000, 100, 9_000);
          (5_000, 1, 5_000);
          (2000, 4000, 0);
        ])

let removes_all () =
  let module T = Ints.T in
  let t = T.Sequential.create () in
  let ops f = Array.init 10_000 (fun k -> T.Op (f k, Cell.make ())) in
  T.run_batch t (ops (fun k -> T.Add (T.Sequential.hash k, k, k)));
  T.Sequential.check t;
  if T.Sequential.segments t = 1 then Alcotest.fail "a large table in one segment";
  let removals = Array.init 10_000 (fun k -> T.Op (T.Remove (T.Sequential.hash k, k), Cell.make ())) in
  T.run_batch t removals;
  T.Sequential.check t;
  if T.Sequential.length t > 0 || T.Sequential.segments t > 1 then Alcotest.fail "not as new when empty"

let tests =
  let of_key (name, (module Key : Keys.KEY)) =
    let module A = Against_one_by_one (Key) in
    Keys.check_seed ("random batches, hash: " ^ name) A.program
  in
  List.map of_key Keys.all
  @ List.map
      (fun domains ->
        Testing.Watchdog.case (Printf.sprintf "large batches, %d domains" domains) (large domains))
      (Testing.Effort.some ~quick:[ 2 ] [ 1; 2; 8 ])
  @ [ Testing.Watchdog.case "a batch that removes everything" removes_all ]
