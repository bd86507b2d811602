open Programs

module Make (K : Kinds.KIND) = struct
  module R = Runs.Make (K)
  module Map = K.Map
  module Tree = K.Map.Tree

  let agrees ops =
    let t = Map.create () and model = ref Model.empty in
    let agrees op =
      let result, after = step !model op in
      model := after;
      same "one operation" result (R.apply t op)
    in
    List.for_all agrees ops
    &&
    (K.check (Atomic.get t);
     let bindings = Model.bindings !model in
     let visited = ref [] in
     Map.iter (fun k v -> visited := (k, v) :: !visited) t;
     same "to_seq" bindings (List.of_seq (Map.to_seq t))
     && same "iter" bindings (List.rev !visited)
     && same "fold" bindings (List.rev (Map.fold (fun k v l -> (k, v) :: l) t [])))

  let programs () = check ~count:150 "programs" programs agrees

  let many () =
    let n = Testing.Effort.few (if K.is_slow then 10_000 else 1_000_000) in
    let rand = Random.State.make [| 3 |] in
    let t = Map.create () and model = Hashtbl.create 20_000 in
    for i = 1 to n do
      let k = Random.State.int rand 20_000 in
      begin
        match Random.State.int rand 10 with
        | 0 | 1 | 2 | 3 ->
            Map.add t k i;
            Hashtbl.replace model k i
        | 4 | 5 | 6 ->
            let bound = Hashtbl.mem model k in
            Hashtbl.remove model k;
            if Map.remove t k <> bound then Alcotest.failf "remove %d" k
        | _ -> if Map.find_opt t k <> Hashtbl.find_opt model k then Alcotest.failf "find_opt %d" k
      end;
      if Map.length t <> Hashtbl.length model then Alcotest.failf "length after %d" i;
      if i mod (n / 10) = 0 then K.check (Map.snapshot t)
    done;
    let sorted = List.sort compare (Hashtbl.fold (fun k v l -> (k, v) :: l) model []) in
    if R.bindings (Map.snapshot t) <> sorted then Alcotest.fail "bindings"

  let rec depth t =
    match Tree.expose t with Empty -> 0 | Root { left; right; _ } -> 1 + max (depth left) (depth right)

  let orders n =
    [
      ("ascending", Fun.id);
      ("descending", fun i -> n - i);
      ("zigzag", fun i -> if i land 1 = 0 then i else -i);
      ("equal", fun _ -> 5);
      ("few", fun i -> i mod 3);
      ("outside in", fun i -> if i land 1 = 0 then min_int + i else max_int - i);
    ]

  let hostile () =
    let n = Testing.Effort.few (if K.is_slow then 300 else 20_000) in
    let limit = 60 in
    let try_order (name, key) =
      let t = Map.create () in
      for i = 0 to n - 1 do
        Map.add t (key i) i;
        if i mod (n / 10) = 0 && depth (Map.snapshot t) > limit then Alcotest.failf "%s: deep after %d" name i
      done;
      K.check (Map.snapshot t);
      if depth (Map.snapshot t) > limit then Alcotest.failf "%s: %d deep" name (depth (Map.snapshot t));
      for i = 0 to n - 1 do
        if i land 3 > 0 then ignore (Map.remove t (key i) : bool);
        if i mod (n / 10) = 0 then K.check (Map.snapshot t)
      done;
      K.check (Map.snapshot t);
      if depth (Map.snapshot t) > limit then
        Alcotest.failf "%s: %d deep after removals" name (depth (Map.snapshot t))
    in
    List.iter try_order (orders n)

  (* Trees of any two sizes and a key between them. *)
  let wholes () =
    let tree rand n first =
      let t = Map.create () in
      for _ = 1 to n do
        let k = first + Random.State.int rand 10_000 in
        Map.add t k (-k)
      done;
      Map.snapshot t
    in
    let sound what tree bindings =
      K.check tree;
      same what bindings (R.bindings tree) && same "length" (List.length bindings) (Tree.length tree)
    in
    let property (n, m, seed) =
      let rand = Random.State.make [| seed |] in
      let l = tree rand n 0 and r = tree rand m 20_000 in
      let lb = R.bindings l and rb = R.bindings r in
      let t = Tree.join l 15_000 7 r in
      let k = Random.State.int rand 30_000 in
      let below, found, above = Tree.split t k in
      let all = lb @ ((15_000, 7) :: rb) in
      sound "join" t all
      && sound "join2" (Tree.join2 l r) (lb @ rb)
      && sound "rejoin" (Tree.rejoin t l 15_000 8 r) (lb @ ((15_000, 8) :: rb))
      && sound "split, below" below (List.filter (fun (x, _) -> x < k) all)
      && sound "split, above" above (List.filter (fun (x, _) -> x > k) all)
      && same "split" (List.assoc_opt k all) found
      && same "left as they were" (lb, rb) (R.bindings l, R.bindings r)
    in
    let sizes = QCheck.Gen.(oneof [ int_bound 3; int_bound 40; int_bound 1000 ]) in
    check ~count:150 "wholes" (QCheck.make QCheck.Gen.(triple sizes sizes (int_bound 1_000_000))) property

  let unchanged () =
    let ops = List.init 100 (fun i -> Add (2 * i, i)) in
    let tree = R.tree_of ops in
    let is_same what t = if t != tree then Alcotest.failf "%s makes another tree" what in
    for i = 0 to 99 do
      is_same "adding what is there" (Tree.insert tree (2 * i) i);
      is_same "removing what is not there" (Tree.remove tree ((2 * i) + 1))
    done

  (* One operation, whose nth comparison raises, for all n. *)
  let exceptions () =
    let tree = R.tree_of (ops (Random.State.make [| 5 |]) 300) in
    let bindings = R.bindings tree in
    let rec at op n =
      let t = Atomic.make tree in
      match Keys.blow_after n (fun () -> R.apply t op) with
      | Raised Keys.Blown ->
          if Atomic.get t != tree then Alcotest.fail "an operation that raises changes the map";
          at op (n + 1)
      | _ -> if n = 1 then Alcotest.fail "nothing was compared"
    in
    List.iteri
      (fun i (k, _) ->
        if i mod 7 = 0 then
          List.iter
            (fun op -> at op 1)
            [
              Mem k;
              Find k;
              Add (k, 0);
              Remove k;
              Update (k, 1);
              Succ k;
              Pred k;
              Add (k + 1, 0);
              Remove (k + 1);
            ])
      bindings;
    if R.bindings tree <> bindings then Alcotest.fail "the tree has changed"

  let tests =
    let case name test = Testing.Watchdog.case (K.name ^ ": " ^ name) test in
    [
      case "like Stdlib.Map" programs;
      case "many operations" many;
      case "hostile orders" hostile;
      case "whole trees" wholes;
      case "the same tree where nothing changes" unchanged;
      case "comparisons that raise" exceptions;
    ]
end
