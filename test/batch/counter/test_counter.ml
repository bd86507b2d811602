module Cell = Weft_batch.Cell
module C = Weft_batch.Counter
module S = Weft_containers.Counter

let expect what expected got =
  if expected <> got then Alcotest.failf "%s: expected %d, got %d" what expected got

let sequential () =
  let c = S.create () in
  expect "new" 0 (S.get c);
  S.add c 5;
  S.incr c;
  S.decr c;
  S.decr c;
  expect "fetch_add" 4 (S.fetch_add c (-10));
  expect "get" (-6) (S.get c);
  S.set c max_int;
  S.incr c;
  expect "wraps around" min_int (S.get c);
  expect "from a value" 9 (S.get (S.create ~value:9 ()))

type question = Question : (unit, 'a) C.op -> question

(* [sets]: one operation in so many sets the value. *)
let random rand sets =
  let n =
    match Random.State.int rand 20 with 0 -> max_int | 1 -> min_int | _ -> Random.State.int rand 100 - 50
  in
  if Random.State.int rand sets = 0 then Question (Set n)
  else
    match Random.State.int rand 3 with
    | 0 -> Question Get
    | 1 -> Question (Add n)
    | _ -> Question (Fetch_add n)

let agree rand size =
  let sets = 1 + Random.State.int rand (2 * (size + 1)) in
  let value = Random.State.int rand 1000 in
  let batch = S.create ~value () and one = S.create ~value () in
  let ops =
    Array.init size (fun _ ->
        let (Question op) = random rand sets in
        C.Op (op, Cell.make ()))
  in
  C.run_batch batch ops;
  Array.iteri
    (fun i (C.Op (op, cell)) ->
      if Cell.result cell <> Some (Ok (C.apply one op)) then
        Alcotest.failf "operation %d of %d: another result" i size)
    ops;
  expect "the value after a batch" (S.get one) (S.get batch);
  true

let batches domains () =
  let sizes =
    QCheck.Gen.(
      frequency [ (4, int_bound 100); (4, int_range 4090 4100); (3, int_bound 50_000); (1, return 100_000) ])
  in
  let test =
    QCheck.Test.make ~count:(Testing.Effort.few 60) ~name:"batches"
      QCheck.(make ~print:Print.(pair int int) Gen.(pair sizes (int_bound 1_000_000)))
      (fun (size, seed) -> agree (Random.State.make [| seed |]) size)
  in
  Weft.run ~domains (fun () -> QCheck.Test.check_exn ~rand:(Random.State.make [| 5 |]) test)

let many () =
  let rand = Random.State.make [| 1 |] in
  ignore (agree rand (Testing.Effort.few 1_000_000))

(* Each caller gets a number of its own, and no number is left out. *)
let tickets domains () =
  Weft.run ~domains (fun () ->
      let c = C.create () in
      let n = 20_000 in
      let seen = Array.init n (fun _ -> Atomic.make 0) in
      Weft.parallel_for ~start:1 ~finish:n ~chunk_size:1
        ~body:(fun _ -> Atomic.incr seen.(C.fetch_add c 1))
        ();
      Array.iteri (fun i s -> expect (Printf.sprintf "holders of ticket %d" i) 1 (Atomic.get s)) seen;
      expect "the value" n (C.get c))

let sums domains () =
  Weft.run ~domains (fun () ->
      let c = C.create ~value:100 () in
      Weft.parallel_for ~start:1 ~finish:10_000 ~chunk_size:1
        ~body:(fun i ->
          C.incr c;
          C.add c i;
          C.decr c;
          let v = C.get c in
          if v < 100 then Alcotest.failf "less than at first: %d" v)
        ();
      C.quiesce c;
      expect "the sum" (100 + (10_000 * 10_001 / 2)) (C.exclusive c S.get);
      C.set c 3;
      expect "set" 3 (C.get c))

let many_at_once () =
  let c = C.create ~cutoff:(`Fixed 2) () in
  let n = 50_000 in
  let old = C.exec_many c (Array.init n (fun i -> C.Fetch_add i)) in
  Array.iteri (fun i v -> expect "exec_many" (i * (i - 1) / 2) v) old;
  expect "no operations" 0 (Array.length (C.exec_many c ([||] : (unit, int) C.op array)))

let () =
  let on domains name f = Testing.Watchdog.case (Printf.sprintf "%s, %d domains" name domains) (f domains) in
  Alcotest.run "counter"
    [
      ("sequential", [ Testing.Watchdog.case "operations" sequential ]);
      ( "batches",
        Testing.Watchdog.case "many operations at once" many
        :: Testing.Watchdog.case "exec_many" many_at_once
        :: List.map (fun d -> on d "as one by one" batches) (Testing.Effort.some ~quick:[ 2 ] [ 1; 2; 8 ]) );
      ( "tasks",
        List.concat_map
          (fun d -> [ on d "tickets" tickets; on d "sums" sums ])
          (Testing.Effort.some ~quick:[ 2 ] [ 1; 2; 8 ]) );
    ]
