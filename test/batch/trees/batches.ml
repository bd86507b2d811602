open Programs

module Make (K : Kinds.KIND) = struct
  module R = Runs.Make (K)
  module Map = K.Map
  module Tree = K.Map.Tree

  (* Runs a batch on the tree that [before] makes; everything must be as specified. *)
  let agrees tree ops =
    let expected, bindings = R.expected (R.model_of tree) ops in
    let before = R.bindings tree in
    let t = Atomic.make tree in
    let got = R.run_batch t ops in
    K.check (Atomic.get t);
    same "results" expected got
    && same "bindings" bindings (R.bindings (Atomic.get t))
    && same "length" (List.length bindings) (Map.length t - K.feigned)
    && same "the tree before" before (R.bindings tree)

  let property (before, ops) = agrees (R.tree_of before) ops
  let random () = check ~count:200 "batches" pairs property

  let parallel () =
    List.iter
      (fun domains -> Weft.run ~domains (fun () -> check ~count:60 "batches" pairs property))
      (Testing.Effort.some ~quick:[ 2 ] [ 1; 2; 8 ])

  let arrange keys =
    let rand = Random.State.make [| 9 |] in
    List.map (fun k -> op rand (fun () -> k)) keys

  let hostile () =
    let n = if K.is_slow then 200 else 3000 in
    let orders =
      [
        ("ascending", List.init n Fun.id);
        ("ascending in pairs", List.init n (fun i -> i / 2));
        ("descending", List.init n (fun i -> n - i));
        ("equal", List.init n (fun _ -> 5));
        ("few", List.init n (fun i -> i mod 3));
        ("two runs", List.init n (fun i -> 2 * i mod n));
        ( "greatest and smallest",
          List.init n (fun i -> if i land 1 = 0 then min_int + (i mod 7 * 100) else max_int - i) );
        ("close together", List.init n (fun i -> 500_000 + (i * 7 mod n)));
      ]
    in
    let trees =
      [
        ("nothing", Tree.empty);
        ("one key", R.tree_of [ Add (5, 5) ]);
        ("many keys", R.tree_of (List.init n (fun i -> Add (i * 1000, i))));
        ("the same keys", R.tree_of (List.init n (fun i -> Add (i, i))));
      ]
    in
    List.iter
      (fun (order, keys) ->
        List.iter
          (fun (name, tree) ->
            match agrees tree (arrange keys) && agrees tree (List.map (fun k -> Add (k, -k)) keys) with
            | true -> ()
            | false -> Alcotest.failf "%s on %s" order name
            | exception e -> Alcotest.failf "%s on %s: %s" order name (Printexc.to_string e))
          trees)
      orders

  let small () =
    let rand = Random.State.make [| 4 |] in
    let trees = [ Tree.empty; R.tree_of [ Add (1, 1) ]; R.tree_of (ops rand 200) ] in
    List.iter
      (fun tree ->
        ignore (agrees tree [] : bool);
        for _ = 1 to 100 do
          ignore (agrees tree (ops rand 1) : bool)
        done)
      trees

  let same_tree () =
    let tree = R.tree_of (List.init 2000 (fun i -> Add (3 * i, i))) in
    let try_ops what ops =
      let t = Atomic.make tree in
      ignore (R.run_batch t ops);
      if Atomic.get t != tree then Alcotest.failf "%s make another tree" what
    in
    let random f = List.init 1000 (fun i -> f (i * 7919 mod 6000)) in
    try_ops "look-ups" (random (fun k -> Find k));
    try_ops "look-ups of all sorts" (random (fun k -> if k land 1 = 0 then Mem k else Succ k));
    try_ops "removals of what is not there" (random (fun k -> Remove ((3 * k) + 1)));
    try_ops "additions of what is there" (random (fun k -> Add (k / 3 * 3, k / 3)));
    try_ops "all of these" (random (fun k -> if k land 1 = 0 then Find k else Add (k / 3 * 3, k / 3)))

  let tests =
    let case name test = Testing.Watchdog.case (K.name ^ ": " ^ name) test in
    [
      case "a batch is its operations in order" random;
      case "the same in parallel" parallel;
      case "hostile batches" hostile;
      case "none and one" small;
      case "the same tree where nothing changes" same_tree;
    ]
end
