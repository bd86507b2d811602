open Programs

module Make (K : Kinds.KIND) = struct
  module R = Runs.Make (K)
  module B = K.Batched
  module Map = K.Map
  module Tree = K.Map.Tree

  let tree = R.tree_of (List.init 40 (fun i -> Add (10 * i, i)))

  (* Operations that depend on those before them, but not on the others of the batch. *)
  let batch n =
    let rand = Random.State.make [| 11 |] in
    let key () = Random.State.int rand 400 in
    List.init n (fun _ ->
        match Random.State.int rand 4 with
        | 0 -> Find (key ())
        | 1 -> Remove (key ())
        | 2 -> Update (key (), Random.State.int rand 100)
        | _ -> Add (key (), Random.State.int rand 100))

  (* The nth comparison of a batch raises, for all n: the batch starts anew, and no operation fails. *)
  let comparison () =
    let ops = batch 60 in
    let expected, bindings = R.expected (R.model_of tree) ops in
    let rec at n =
      let t = Atomic.make tree in
      let blown = Atomic.make false in
      let got =
        Keys.blow_after n (fun () ->
            let got = R.run_batch t ops in
            Atomic.set blown (Keys.has_blown ());
            got)
      in
      K.check (Atomic.get t);
      if got <> expected then Alcotest.failf "comparison %d raises: other results" n;
      if R.bindings (Atomic.get t) <> bindings then Alcotest.failf "comparison %d raises: other bindings" n;
      if Atomic.get blown then at (n + 1) else if n < 100 then Alcotest.fail "few comparisons"
    in
    at 1

  (* If a key cannot be compared, exactly its operations fail. *)
  let culprit () =
    let ops = batch 60 in
    let poisoned =
      List.concat_map (fun op -> [ op; Add (Keys.poison, 1); Remove Keys.poison; Succ Keys.poison ]) ops
    in
    let expected, bindings = R.expected (R.model_of tree) ops in
    let t = Atomic.make tree in
    let got = R.run_batch t poisoned in
    K.check (Atomic.get t);
    if List.filteri (fun i _ -> i mod 4 = 0) got <> expected then Alcotest.fail "others have other results";
    if List.exists (fun r -> r <> Some (Raised Keys.Blown)) (List.filteri (fun i _ -> i mod 4 > 0) got) then
      Alcotest.fail "a key that cannot be compared does not fail";
    if R.bindings (Atomic.get t) <> bindings then Alcotest.fail "other bindings"

  (* The updates add or count down, and the kth call of all raises. *)
  let updates () =
    let n = 100 in
    let run k =
      let calls = Atomic.make 0 in
      let t = Atomic.make tree in
      let cells = Array.init n (fun _ -> Weft_batch.Cell.make ()) in
      let f before =
        if Atomic.fetch_and_add calls 1 = k then raise Planned;
        match before with None -> Some 1 | Some 3 -> None | Some v -> Some (v + 1)
      in
      B.run_batch t (Array.init n (fun i -> B.Op (B.Op.Update (i * 37 mod 90, f), cells.(i))));
      K.check (Atomic.get t);
      let failed = Array.map (fun c -> Weft_batch.Cell.result c) cells in
      let model = ref (R.model_of tree) in
      let count = ref 0 in
      Array.iteri
        (fun i result ->
          let key = i * 37 mod 90 in
          match result with
          | Some (Error (Planned, _)) -> incr count
          | Some (Ok before) ->
              if before <> Model.find_opt key !model then
                Alcotest.failf "call %d raises: another result of %d" k i;
              model :=
                Model.update key (function None -> Some 1 | Some 3 -> None | Some v -> Some (v + 1)) !model
          | _ -> Alcotest.fail "no result")
        failed;
      if !count <> if k < n then 1 else 0 then Alcotest.failf "call %d raises: %d updates failed" k !count;
      if Atomic.get calls <> n then Alcotest.failf "%d calls" (Atomic.get calls);
      if R.bindings (Atomic.get t) <> Model.bindings !model then
        Alcotest.failf "call %d raises: other bindings" k
    in
    for k = 0 to n do
      run k
    done

  (* The map is used outside of batches. *)
  let alone () =
    let t = B.of_tree tree in
    let raises f =
      match f () with _ -> Alcotest.fail "no exception" | exception (Planned | Keys.Blown) -> ()
    in
    raises (fun () -> ignore (B.update t 10 (fun _ -> raise Planned)));
    raises (fun () -> B.add t Keys.poison 1);
    raises (fun () -> ignore (B.find_opt t Keys.poison));
    raises (fun () -> B.add_all t [| (1, 1); (Keys.poison, 2); (2, 2) |]);
    if B.length t <> Tree.length tree + 2 then Alcotest.fail "add_all loses what can be compared";
    B.add t 3 3;
    if B.find_opt t 3 <> Some 3 then Alcotest.fail "the map does not go on";
    K.check (B.snapshot t)

  let everywhere test () =
    test ();
    List.iter (fun domains -> Weft.run ~domains test) (Testing.Effort.some ~quick:[ 2 ] [ 1; 2; 8 ])

  let tests =
    let case name test = Testing.Watchdog.case (K.name ^ ": " ^ name) test in
    [
      case "a comparison that raises once" (if K.is_slow then comparison else everywhere comparison);
      case "a key that cannot be compared" (everywhere culprit);
      case "an update that raises fails alone" (everywhere updates);
      case "the map goes on" (everywhere alone);
    ]
end
