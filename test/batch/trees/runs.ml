open Programs

module Make (K : Kinds.KIND) = struct
  module B = K.Batched

  (* An operation with its cell, and a function that reads the result. *)
  type prepared = { packed : int B.packed; result : unit -> result option }

  let prepare (op : op) =
    let make : type a. (int, a) B.Op.t -> (a -> result) -> prepared =
     fun op wrap ->
      let cell = Weft_batch.Cell.make () in
      let result () =
        Option.map (function Ok v -> wrap v | Error (e, _) -> Raised e) (Weft_batch.Cell.result cell)
      in
      { packed = B.Op (op, cell); result }
    in
    match op with
    | Mem k -> make (B.Op.Mem k) (fun b -> Bool b)
    | Find k -> make (B.Op.Find k) (fun v -> Value v)
    | Add (k, v) -> make (B.Op.Add (k, v)) (fun () -> Unit)
    | Remove k -> make (B.Op.Remove k) (fun b -> Bool b)
    | Update (k, d) -> make (B.Op.Update (k, updated d)) (fun v -> Value v)
    | Succ k -> make (B.Op.Succ k) (fun b -> Binding b)
    | Pred k -> make (B.Op.Pred k) (fun b -> Binding b)
    | Min -> make B.Op.Min (fun b -> Binding b)
    | Max -> make B.Op.Max (fun b -> Binding b)
    | Length -> make B.Op.Length (fun n -> Int (n - K.feigned))

  let apply t op =
    let { packed = Op (op, cell); result } = prepare op in
    (match B.apply t op with
    | v -> Weft_batch.Cell.resolve cell v
    | exception e -> Weft_batch.Cell.fail cell e (Printexc.get_raw_backtrace ()));
    Option.get (result ())

  let run_batch t ops =
    let prepared = Array.map prepare (Array.of_list ops) in
    B.run_batch t (Array.map (fun p -> p.packed) prepared);
    Array.to_list (Array.map (fun p -> p.result ()) prepared)

  let bindings tree = List.of_seq (K.Map.Tree.to_seq tree)

  let tree_of ops =
    let t = Atomic.make K.Map.Tree.empty in
    List.iter (fun op -> ignore (apply t op : result)) ops;
    Atomic.get t

  let model_of tree = Model.of_seq (K.Map.Tree.to_seq tree)

  (* The results of a batch as specified, and the bindings afterwards. *)
  let expected model ops =
    let last = List.fold_left (fun m op -> if on_one_key op then snd (step m op) else m) model ops in
    let next m op =
      let result, m' = step (if on_one_key op then m else last) op in
      ((if on_one_key op then m' else m), Some result)
    in
    let _, results = List.fold_left_map next model ops in
    (results, Model.bindings last)
end
