(* Many tasks share one table. *)

module T = Weft_batch.Hash_table.Make (Keys.Identity)

let own_keys domains () =
  Weft.run ~domains (fun () ->
      let t = T.create () in
      let tasks = 400 and each = 25 in
      let failures = Atomic.make 0 in
      let expect b = if not b then Atomic.incr failures in
      Weft.parallel_for ~start:0 ~finish:(tasks - 1) ~chunk_size:1
        ~body:(fun i ->
          for j = 0 to each - 1 do
            let k = (j * tasks) + i in
            expect (not (T.mem t k));
            T.add t k i;
            expect (T.find_opt t k = Some i);
            expect (T.update t k (Option.map succ) = Some i);
            if j land 1 = 0 then expect (T.remove t k);
            let n = T.length t in
            expect (n >= 0 && n <= tasks * each)
          done)
        ();
      if Atomic.get failures > 0 then Alcotest.failf "%d wrong answers" (Atomic.get failures);
      T.quiesce t;
      T.exclusive t T.Sequential.check;
      if T.length t <> tasks * (each / 2) then Alcotest.failf "%d bindings" (T.length t);
      T.iter (fun k v -> if v <> (k mod tasks) + 1 then Alcotest.failf "%d is bound to %d" k v) t)

let shared_key domains () =
  Weft.run ~domains (fun () ->
      let t = T.create () in
      let n = 5000 in
      Weft.parallel_for ~start:1 ~finish:n ~chunk_size:1
        ~body:(fun _ -> ignore (T.update t 0 (function None -> Some 1 | Some v -> Some (v + 1))))
        ();
      if T.find_opt t 0 <> Some n then Alcotest.fail "an update was lost")

let add_all () =
  let t = T.create ~cutoff:(`Fixed 8) () in
  T.add_all t (Array.init 50_000 (fun i -> (i mod 40_000, i)));
  T.add_all t [||];
  if T.length t <> 40_000 || T.find_opt t 5 <> Some 40_005 then Alcotest.fail "the last one does not count";
  if T.fold (fun _ v n -> n + v) t 0 <> Seq.fold_left (fun n (_, v) -> n + v) 0 (T.to_seq t) then
    Alcotest.fail "fold"

let tests =
  List.concat_map
    (fun domains ->
      let case name f = Testing.Watchdog.case (Printf.sprintf "%s, %d domains" name domains) (f domains) in
      [ case "own keys" own_keys; case "one key for all" shared_key ])
    (Testing.Effort.some ~quick:[ 2 ] [ 1; 2; 8 ])
  @ [ Testing.Watchdog.case "add_all" add_all ]
