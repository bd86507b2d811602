(* Whole batches, against single operations one after the other. *)

open Support

module Run_batch (B : BATCHED) = struct
  module R = Run (B.Sequential)

  (* An operation of a batch, and a function that reads its cell. *)
  let pack op =
    let made : type a. (int, a) B.op -> (a -> answer) -> int B.packed * (unit -> answer option) =
     fun op answer ->
      let cell = Weft_batch.Cell.make () in
      ( B.Op (op, cell),
        fun () ->
          match Weft_batch.Cell.result cell with
          | None -> None
          | Some (Ok v) -> Some (answer v)
          | Some (Error (Planned, _)) -> Some Raised
          | Some (Error (e, _)) -> raise e )
    in
    match op with
    | Mem k -> made (Mem k) (fun b -> Bool b)
    | Find k -> made (Find k) (fun v -> Value v)
    | Add (k, v) -> made (Add (k, v)) (fun () -> Unit)
    | Remove k -> made (Remove k) (fun b -> Bool b)
    | Update (k, c) -> made (Update (k, change c)) (fun v -> Value v)
    | Succ k -> made (Succ k) (fun b -> Binding b)
    | Pred k -> made (Pred k) (fun b -> Binding b)
    | Min -> made Min (fun b -> Binding b)
    | Max -> made Max (fun b -> Binding b)
    | Length -> made Length (fun n -> Int n)

  (* Single-key operations come first, in the order of arrival, then all others. *)
  let run what t o ops =
    let packed = Array.map pack ops in
    B.run_batch t (Array.map fst packed);
    let compare_if kind =
      Array.iteri
        (fun i op ->
          if is_single op = kind then
            match (snd packed.(i)) () with
            | None -> Alcotest.failf "%s: %s: no answer" what (show op)
            | Some got -> compare_answers what op (expected o op) got)
        ops
    in
    compare_if true;
    compare_if false;
    B.Sequential.check t
end

let sizes = [ 0; 1; 2; 7; 31; 32; 33; 48; 49; 200 ] @ Testing.Effort.some ~quick:[] [ 5000 ]

let programs (name, (module B : BATCHED)) =
  property ~count:150
    (name ^ ": random batches give what one by one does")
    (QCheck.make
       ~print:(fun (seed, bits, sizes) ->
         Printf.sprintf "seed %d, %d bits, batches of %s" seed bits
           (String.concat ", " (List.map string_of_int sizes)))
       QCheck.Gen.(
         triple (int_bound 1_000_000) (oneofl universes)
           (list_size (int_range 1 6) (oneof [ int_range 0 40; int_range 0 400 ]))))
    (fun (seed, bits, sizes) ->
      let module X = Run_batch (B) in
      let t = B.Sequential.create ~bits () and o = oracle () in
      let state = Random.State.make [| seed; bits |] in
      List.iter
        (fun n ->
          X.run "batch" t o
            (Array.init n (fun _ -> random_op ~raising:true state (fun () -> random_key state bits))))
        sizes;
      X.R.same_contents t o;
      true)

let each_domains f =
  List.iter
    (fun domains -> Weft.run ~domains (fun () -> f domains))
    (Testing.Effort.some ~quick:[ 3 ] [ 1; 2; 8 ])

(* Large batches run in parallel, over a map that is full already; the largest is grouped in several
   blocks. *)
let large (name, (module B : BATCHED)) =
  case (name ^ ": large batches, on any number of domains") @@ fun () ->
  let module X = Run_batch (B) in
  each_domains @@ fun domains ->
  List.iter
    (fun bits ->
      let t = B.Sequential.create ~bits () and o = oracle () in
      let state = Random.State.make [| domains; bits |] in
      let any () = Random.State.full_int state (greatest 30) * 7 land greatest bits in
      List.iter
        (fun n ->
          X.run
            (Printf.sprintf "%d domains, %d bits" domains bits)
            t o
            (Array.init n (fun _ -> random_op ~raising:true state any)))
        [ 5000; 30_000 ];
      X.R.same_contents t o)
    (if name = "veb" then [ 8; 22 ] else [ 8; 24 ])

let hostile (name, (module B : BATCHED)) =
  case (name ^ ": batches of every size in hostile orders") @@ fun () ->
  let module X = Run_batch (B) in
  Weft.run ~domains:2 @@ fun () ->
  List.iter
    (fun bits ->
      List.iter
        (fun (order, key) ->
          List.iter
            (fun n ->
              let t = B.Sequential.create ~bits () and o = oracle () in
              let run what make =
                X.run (Printf.sprintf "%s, %s, %d of %d bits" what order n bits) t o (Array.init n make)
              in
              let k = key ~bits ~n in
              run "adding" (fun i -> Add (k i, i));
              run "asking" (fun i -> if i land 1 = 0 then Succ (k i) else Pred (k i));
              run "changing" (fun i ->
                  match i mod 4 with
                  | 0 -> Remove (k i)
                  | 1 -> Find (k i)
                  | 2 -> Add (k i, -i)
                  | _ -> Update (k i, Count));
              run "counting" (fun _ -> Update (greatest bits / 2, Count));
              run "removing" (fun i -> Remove (k (n - 1 - i)));
              run "removing all" (fun i -> if i land 1 = 0 then Remove (greatest bits / 2) else Remove (k i));
              X.R.same_contents t o)
            sizes)
        Sequences.orders)
    [ 1; 2; 8; 24; 62 ]

(* Each shard in turn is emptied and filled again, so that summaries and joints change most. *)
let emptying (name, (module B : BATCHED)) =
  case (name ^ ": shards that become empty, full, first and last") @@ fun () ->
  let module X = Run_batch (B) in
  Weft.run ~domains:2 @@ fun () ->
  List.iter
    (fun bits ->
      let t = B.Sequential.create ~bits () and o = oracle () in
      let state = Random.State.make [| bits |] in
      let key s = (s * (greatest bits / 8)) + Random.State.int state 3 in
      for _ = 1 to Testing.Effort.few 300 do
        let filled = Random.State.int state 8 and emptied = Random.State.int state 8 in
        let base = emptied * (greatest bits / 8) in
        X.run "turn" t o
          (Array.append
             (Array.init 3 (fun _ -> Add (key filled, 1)))
             (Array.append
                (Array.init 3 (fun i -> Remove (base + i)))
                [| Min; Max; Length; Succ base; Pred base |]))
      done;
      X.R.same_contents t o)
    [ 8; 22; 24; 36; 62 ]

(* Each operation's function may raise, at every place of the batch: only that operation fails. *)
let raising (name, (module B : BATCHED)) =
  case (name ^ ": an update that raises at any place fails alone") @@ fun () ->
  let module X = Run_batch (B) in
  Weft.run ~domains:2 @@ fun () ->
  let n = 120 in
  for culprit = 0 to n - 1 do
    let t = B.Sequential.create ~bits:22 () and o = oracle () in
    let state = Random.State.make [| 9 |] in
    let key () = Random.State.int state 60 * 50_000 in
    X.run "filling" t o (Array.init n (fun i -> Add (key (), i)));
    X.run "raising" t o
      (Array.init n (fun i ->
           Update
             ( key (),
               if i >= culprit && i <= culprit + 2 then Raise else if i land 3 = 0 then Delete else Count )));
    X.R.same_contents t o
  done

let tests = List.concat_map (fun b -> [ programs b; large b; hostile b; emptying b; raising b ]) batched
