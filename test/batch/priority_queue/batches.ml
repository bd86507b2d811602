(* Batches, against the order that they promise: pushes, looks, pops. *)

module Cell = Weft_batch.Cell
module T = Weft_batch.Priority_queue.Make (Int)
module S = T.Sequential

type question = Question : (int, 'a) T.op -> question

let random rand kind pushes many i =
  if Random.State.int rand 10 < pushes then Question (Push (Model.priority rand kind i 0, i))
  else
    match Random.State.int rand 100 with
    | 0 -> Question Min
    | 1 -> Question Length
    | 2 when many -> Question (Pop_many (Random.State.int rand 20))
    | 3 when many -> Question (Pop_many (-1))
    | _ -> Question Pop

let phase (type a) : (int, a) T.op -> int = function
  | Push _ -> 0
  | Min -> 1
  | Length -> 1
  | Pop -> 2
  | Pop_many _ -> 2

let expected (type a) model : (int, a) T.op -> a = function
  | Push (p, v) -> Model.push model p v
  | Pop -> Model.pop_min model
  | Pop_many n when n < 0 -> invalid_arg "negative"
  | Pop_many n -> Array.of_list (List.filter_map (fun _ -> Model.pop_min model) (List.init n Fun.id))
  | Min -> Model.min_opt model
  | Length -> Model.length model

let compare_with model ops =
  for p = 0 to 2 do
    Array.iter
      (fun (T.Op (op, cell)) ->
        if phase op = p then
          let expected = match expected model op with v -> Some v | exception Invalid_argument _ -> None in
          match (Cell.result cell, expected) with
          | Some (Ok v), Some e when v = e -> ()
          | Some (Error (Invalid_argument _, _)), None -> ()
          | _ -> Alcotest.failf "another result in phase %d" p)
      ops
  done

let run_both q model questions =
  let ops = Array.map (fun (Question op) -> T.Op (op, Cell.make ())) questions in
  T.run_batch q ops;
  S.check q;
  compare_with model ops;
  if S.length q <> Model.length model then Alcotest.failf "length %d" (S.length q)

let program ~preset ~sizes rand =
  let q = S.create () and model = Model.create () in
  let first = Model.kind rand in
  for i = 1 to Random.State.int rand preset do
    let p = Model.priority rand first i 0 in
    S.push q p i;
    Model.push model p i
  done;
  for _ = 0 to 5 do
    let kind = Model.kind rand and pushes = Random.State.int rand 11 and many = Random.State.bool rand in
    run_both q model (Array.init (sizes rand) (random rand kind pushes many))
  done;
  if List.of_seq (S.to_seq q) <> Model.to_list model then Alcotest.fail "other contents";
  true

let large domains () =
  Weft.run ~domains (fun () ->
      for seed = 1 to Testing.Effort.count ~quick:2 ~usual:8 ~long:8 do
        let rand = Random.State.make [| seed |] in
        ignore (program ~preset:60_000 ~sizes:(fun rand -> Random.State.int rand 12_000) rand)
      done)

let many_at_once domains () =
  Weft.run ~domains (fun () ->
      let rand = Random.State.make [| 9 |] in
      Array.iter
        (fun kind ->
          let q = T.create ~cutoff:(`Fixed 2) () in
          let items = Array.init 20_000 (fun i -> (Model.priority rand kind i 0, i)) in
          T.push_all q items;
          T.push_all q [||];
          let expected = List.stable_sort (fun (p, _) (q, _) -> Int.compare p q) (Array.to_list items) in
          if List.of_seq (T.to_seq q) <> expected then Alcotest.fail "to_seq";
          let a = T.pop_many q 0 in
          let b = T.pop_many q 5_000 in
          let c = T.pop_many q 14_000 in
          let d = T.pop_many q max_int in
          if Array.to_list (Array.concat [ a; b; c; d ]) <> expected then Alcotest.fail "pop_many";
          if Array.length b <> 5_000 || Array.length d <> 1_000 then Alcotest.fail "how many pop_many takes";
          if T.length q <> 0 then Alcotest.fail "length")
        Model.kinds;
      match T.pop_many (T.create ()) (-1) with
      | _ -> Alcotest.fail "a negative number was accepted"
      | exception Invalid_argument _ -> ())

let tests =
  let sizes rand =
    match Random.State.int rand 4 with 0 -> Random.State.int rand 3 | 1 -> 30 | 2 -> 500 | _ -> 2000
  in
  Model.check_seed ~count:60 "random batches" (program ~preset:4000 ~sizes)
  :: List.concat_map
       (fun domains ->
         let case name f = Testing.Watchdog.case (Printf.sprintf "%s, %d domains" name domains) (f domains) in
         [ case "large batches" large; case "push_all, pop_many" many_at_once ])
       (Testing.Effort.some ~quick:[ 2 ] [ 1; 2; 8 ])
