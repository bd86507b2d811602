(* Keys and updates that raise at every point. *)

module Cell = Weft_batch.Cell
module T = Weft_batch.Hash_table.Make (Keys.Raising)
module S = T.Sequential

let contents t = List.sort compare (List.of_seq (S.to_seq t))

let preset n =
  let t = S.create () in
  for i = 0 to n - 1 do
    S.add t (2 * i) i
  done;
  t

(* Calls [f] with the fuse at 1, 2, ... until [f] ends before it burns down. *)
let at_every_point f =
  let rec from calls =
    if calls > 100_000 then Alcotest.fail "no end"
    else if f calls then from (calls + 1)
    else if calls = 1 then Alcotest.fail "nothing raised"
  in
  from 1

let alone () =
  let raising f t = match f t with () -> false | exception Keys.Planned -> true in
  let update k =
   fun t ->
    ignore
      (S.update t k (fun v ->
           Keys.Fuse.burn ();
           if v = None then Some 1 else None))
  in
  List.iter
    (fun f ->
      at_every_point (fun calls ->
          let t = preset 20 in
          let before = contents t in
          let raised = Keys.Fuse.armed calls (fun () -> raising f t) in
          S.check t;
          if raised && contents t <> before then Alcotest.fail "failed, but changed something";
          raised))
    [
      (fun t -> ignore (S.mem t 30));
      (fun t -> ignore (S.find_opt t 31));
      (fun t -> S.add t 30 0);
      (fun t -> S.add t 31 0);
      (fun t -> ignore (S.remove t 30));
      update 30;
      update 31;
    ]

(* Operations that failed have changed nothing, and the others act as if they had been alone. *)
let in_batches size step () =
  let hash k = S.hash k in
  let op i : (int, unit) T.op =
    let k = i mod 50 in
    Add (hash k, k, i)
  in
  let removal i : (int, bool) T.op =
    let k = i * 7 mod 50 in
    Remove (hash k, k)
  in
  let ops () =
    Array.init size (fun i ->
        if i mod 3 < 2 then T.Op (op i, Cell.make ()) else T.Op (removal i, Cell.make ()))
  in
  at_every_point (fun n ->
      let calls = 1 + ((n - 1) * step) in
      let t = preset (if size > 1000 then 2000 else 20) in
      let model = preset (if size > 1000 then 2000 else 20) in
      let ops = ops () in
      Keys.Fuse.armed calls (fun () -> T.run_batch t ops);
      let failed = ref 0 in
      Array.iter
        (fun (T.Op (op, cell)) ->
          match Cell.result cell with
          | Some (Ok v) ->
              if T.apply model op <> v then Alcotest.fail "another result than without those that failed"
          | Some (Error (e, _)) ->
              if e <> Keys.Planned then raise e;
              incr failed
          | None -> Alcotest.fail "no result")
        ops;
      if !failed > 1 then Alcotest.failf "%d failed for one exception" !failed;
      S.check t;
      if contents t <> contents model then Alcotest.fail "what failed has changed something";
      !failed > 0)

let hash_in_the_caller () =
  let t = T.create () in
  T.add t 1 1;
  let attempt ?(calls = 1) f =
    match Keys.Fuse.armed calls f with () -> Alcotest.fail "did not raise" | exception Keys.Planned -> ()
  in
  attempt (fun () -> T.add t 2 2);
  attempt (fun () -> ignore (T.mem t 1));
  attempt ~calls:2 (fun () -> T.add_all t [| (3, 3); (4, 4) |]);
  if List.of_seq (T.to_seq t) <> [ (1, 1) ] then Alcotest.fail "something was added"

let tests =
  [
    Testing.Watchdog.case "an operation that raises has changed nothing" alone;
    Testing.Watchdog.case "an operation fails alone in small batches" (in_batches 40 1);
    Testing.Watchdog.case "an operation fails alone in grouped batches" (in_batches 1200 997);
    Testing.Watchdog.case "hash is called by the caller" hash_in_the_caller;
  ]
