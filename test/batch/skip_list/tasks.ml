open Programs

let in_each_size f =
  List.iter (fun domains -> Weft.run ~domains f) (Testing.Effort.some ~quick:[ 2 ] [ 1; 2; 8 ])

(* Each task has keys of its own, so it knows all answers. *)
let own_keys () =
  in_each_size @@ fun () ->
  let t = Batched.create ~cutoff:(`Fixed 1) () in
  let tasks = 40 and rounds = 400 in
  Weft.parallel_for ~chunk_size:1 ~start:0 ~finish:(tasks - 1)
    ~body:(fun task ->
      let state = Random.State.make [| task |] in
      let map = ref Map.empty in
      for i = 1 to rounds do
        let k = (Random.State.int state 50 * tasks) + task in
        let op =
          match Random.State.int state 4 with
          | 0 -> Find k
          | 1 -> Remove k
          | 2 -> Update (k, i)
          | _ -> Add (k, i)
        in
        let map', expected = on_map !map op in
        map := map';
        let got =
          match op with
          | Find k -> Value (Batched.find_opt t k)
          | Remove k -> Bool (Batched.remove t k)
          | Add (k, v) ->
              Batched.add t k v;
              Unit
          | _ ->
              Value
                (Batched.update t k (fun v ->
                     Map.find_opt k
                       (fst (on_map (match v with None -> Map.empty | Some v -> Map.singleton k v) op))))
        in
        if got <> expected then Alcotest.failf "task %d: operation %d is wrong" task i
      done;
      Map.iter (fun k v -> if Batched.find_opt t k <> Some v then Alcotest.failf "key %d" k) !map)
    ();
  Batched.quiesce t;
  Batched.exclusive t Sequential.check

let shared_keys () =
  in_each_size @@ fun () ->
  let t = Batched.create ~cutoff:(`Fixed 1) () in
  let increments = 20_000 and keys = 10 in
  let plus_one = function None -> Some 1 | Some n -> Some (n + 1) in
  Weft.parallel_for ~start:0 ~finish:(increments - 1)
    ~body:(fun i -> ignore (Batched.update t (i mod keys) plus_one : int option))
    ();
  if Batched.length t <> keys then Alcotest.fail "length";
  Batched.iter (fun k n -> if n <> increments / keys then Alcotest.failf "key %d: %d" k n) t

let bulk () =
  in_each_size @@ fun () ->
  let t = Batched.create ~cutoff:(`Fixed 1) () in
  let tasks = 8 and n = 2000 in
  Weft.parallel_for ~chunk_size:1 ~start:0 ~finish:(tasks - 1)
    ~body:(fun task -> Batched.add_all t (Array.init n (fun i -> ((i * tasks) + task, i))))
    ();
  if Batched.length t <> tasks * n then Alcotest.fail "length";
  let found = Batched.exec_many t (Array.init (tasks * n) (fun k -> Batched.Op.Find k)) in
  Array.iteri (fun k v -> if v <> Some (k / tasks) then Alcotest.failf "key %d" k) found;
  if Batched.min_binding_opt t <> Some (0, 0) then Alcotest.fail "min";
  if Batched.max_binding_opt t <> Some ((tasks * n) - 1, n - 1) then Alcotest.fail "max";
  if Batched.succ t 15 <> Some (16, 2) || Batched.pred t 15 <> Some (14, 1) then Alcotest.fail "succ, pred";
  if Batched.fold (fun _ _ n -> n + 1) t 0 <> tasks * n then Alcotest.fail "fold";
  if Seq.length (Batched.to_seq t) <> tasks * n then Alcotest.fail "to_seq";
  Batched.exclusive t Sequential.check

let tests =
  let case name f = Testing.Watchdog.case name f in
  [
    case "each task its own keys" own_keys;
    case "all tasks the same keys" shared_keys;
    case "many at once, from many tasks" bulk;
  ]
