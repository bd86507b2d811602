module Make (K : Kinds.KIND) = struct
  module B = K.Batched
  module Tree = K.Map.Tree

  let domains = Testing.Effort.some ~quick:[ 2 ] [ 1; 2; 8 ]
  let tasks n body = Weft.parallel_for ~chunk_size:1 ~start:0 ~finish:(n - 1) ~body ()
  let fail_if bad format = Printf.ksprintf (fun s -> if bad then failwith s) format

  (* Every task sees the effects of its own operations at once, and gets their results. *)
  let own_keys () =
    let n = if K.is_slow then 60 else 400 in
    let body t i =
      let key j = (j * n) + i in
      for j = 0 to 9 do
        B.add t (key j) j;
        fail_if (B.find_opt t (key j) <> Some j) "what was added is not there";
        fail_if (B.exec t (Find (key j)) <> Some j) "what was added is not found"
      done;
      for j = 0 to 9 do
        if j land 1 = 0 then fail_if (not (B.remove t (key j))) "what was there was not removed";
        fail_if (B.mem t (key j) <> (j land 1 = 1)) "what was removed is there"
      done;
      fail_if (B.update t (key 1) (Option.map succ) <> Some 1) "an update finds something else"
    in
    let run domains =
      let t = B.create () in
      Weft.run ~domains (fun () -> tasks n (body t));
      K.check (B.snapshot t);
      let keys =
        List.concat_map
          (fun j -> List.init n (fun i -> ((j * n) + i, if j = 1 then 2 else j)))
          [ 1; 3; 5; 7; 9 ]
      in
      fail_if (List.of_seq (B.to_seq t) <> keys) "other bindings in the end";
      fail_if (B.length t <> 5 * n) "another length in the end"
    in
    List.iter run domains

  (* Updates of one key have some order: each sees the result of another. *)
  let one_key () =
    let n = 2000 in
    let run domains =
      let t = B.create () in
      let seen = Array.init n (fun _ -> Atomic.make 0) in
      let body _ =
        let before = Option.value (B.update t 7 (fun v -> Some (Option.value v ~default:0 + 1))) ~default:0 in
        Atomic.incr seen.(before)
      in
      Weft.run ~domains (fun () -> tasks n body);
      fail_if (B.find_opt t 7 <> Some n) "updates are lost";
      fail_if (Array.exists (fun a -> Atomic.get a <> 1) seen) "two updates have the same result"
    in
    List.iter run domains

  (* Readers never see half of a batch. *)
  let whole_batches () =
    let rounds = if K.is_slow then 20 else 200 in
    let keys = Array.init 64 (fun i -> i * 1000) in
    let run domains =
      let t = B.create () in
      B.add_all t (Array.map (fun k -> (k, 0)) keys);
      let done_ = Atomic.make false in
      let rec read last =
        let tree = B.snapshot t in
        let sees =
          Tree.fold
            (fun k v seen ->
              if k mod 1000 <> 0 then seen
              else if seen <> -1 && seen <> v then failwith "half of a batch"
              else v)
            tree (-1)
        in
        fail_if (sees < last) "a reader goes back in time";
        fail_if (Tree.length tree <> Seq.length (Tree.to_seq tree)) "another length";
        Weft.yield ();
        if not (Atomic.get done_) then read sees
      in
      let write () =
        for round = 1 to rounds do
          B.add_all t (Array.map (fun k -> (k, round)) keys);
          tasks 4 (fun i -> B.add t ((round * 1000) + 1 + i) i)
        done;
        Atomic.set done_ true
      in
      Weft.run ~domains (fun () ->
          ignore (Weft.all [ write; (fun () -> read 0); (fun () -> read 0) ] : unit list));
      K.check (B.snapshot t)
    in
    List.iter run domains

  (* Readers need no pool. *)
  let from_threads () =
    let t = B.create () in
    let stop = Atomic.make false in
    let reader =
      Domain.spawn (fun () ->
          let last = ref 0 in
          while not (Atomic.get stop) do
            let n = B.length t in
            if n < !last then failwith "the length falls";
            last := n;
            match B.max_binding_opt t with
            | Some (k, _) when k + 1 < n -> failwith "another greatest key"
            | _ -> ()
          done)
    in
    for k = 0 to if K.is_slow then 200 else 5000 do
      B.add t k k
    done;
    Atomic.set stop true;
    Domain.join reader

  let whole () =
    let t = B.create ~limit:50 ~cutoff:(`Fixed 3) () in
    B.add_all t (Array.init 100 (fun i -> (i, i)));
    let results = B.exec_many t (Array.init 100 (fun i -> B.Op.Find (2 * i))) in
    fail_if
      (Array.to_list results <> List.init 100 (fun i -> if i < 50 then Some (2 * i) else None))
      "exec_many";
    fail_if (B.exclusive t (fun place -> Tree.length (Atomic.get place)) <> 100) "exclusive";
    B.quiesce t;
    fail_if (B.succ t 10 <> Some (11, 11) || B.pred t 10 <> Some (9, 9)) "neighbours";
    fail_if (B.min_binding_opt t <> Some (0, 0) || B.exec t Length <> 100) "the ends";
    let visited = ref 0 in
    B.iter (fun k v -> if k = v then incr visited) t;
    fail_if (!visited <> 100 || B.fold (fun _ _ n -> n + 1) t 0 <> 100) "visits"

  let tests =
    let case name test = Testing.Watchdog.case (K.name ^ ": " ^ name) test in
    [
      case "each task's own keys" own_keys;
      case "one key for all" one_key;
      case "readers see whole batches" whole_batches;
      case "readers on domains of their own" from_threads;
      case "the whole interface" whole;
    ]
end
