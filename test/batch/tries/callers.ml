(* Many tasks at once call the batched modules. *)

module Alcotest = Testing.Checks.Alcotest
open Support

let each_domains f = List.iter (fun domains -> Weft.run ~domains (fun () -> f domains)) [ 1; 2; 8 ]

(* Each task has keys of its own, spread over all shards: the map behaves for each task as if it were
   alone. *)
let own_keys (name, (module B : BATCHED)) =
  case (name ^ ": tasks with keys of their own see their own map") @@ fun () ->
  each_domains @@ fun domains ->
  List.iter
    (fun cutoff ->
      let bits = 22 in
      let t = B.create ~cutoff ~bits () in
      let tasks = 40 in
      let finals =
        Weft.all
          (List.init tasks (fun task () ->
               let state = Random.State.make [| task; domains |] in
               let o = oracle () in
               let key () = (Random.State.int state 1000 * 4 * tasks) + task in
               let change_of c before = change c before in
               for _ = 1 to 300 do
                 let check op got = compare_answers (Printf.sprintf "task %d" task) op (expected o op) got in
                 let k = key () in
                 match Random.State.int state 6 with
                 | 0 | 1 ->
                     B.add t k task;
                     check (Add (k, task)) Unit
                 | 2 -> check (Remove k) (Bool (B.remove t k))
                 | 3 -> check (Find k) (Value (B.find_opt t k))
                 | 4 -> check (Update (k, Count)) (Value (B.update t k (change_of Count)))
                 | _ -> (
                     check (Mem k) (Bool (B.mem t k));
                     match B.update t k (fun _ -> raise Planned) with
                     | _ -> Alcotest.fail "nothing raised"
                     | exception Planned -> ())
               done;
               o.map))
      in
      let all = List.concat_map Oracle.bindings finals |> List.sort compare in
      B.quiesce t;
      B.exclusive t B.Sequential.check;
      if List.of_seq (B.to_seq t) <> all then Alcotest.fail "other bindings";
      if List.rev (B.fold (fun k v l -> (k, v) :: l) t []) <> all then Alcotest.fail "other bindings, folded";
      Alcotest.(check int) "length" (List.length all) (B.length t))
    [ `Adaptive; `Fixed 1; `Fixed 1000 ]

(* All tasks count at the same few keys: no increment is lost; neighbours are always existing keys. *)
let shared_keys (name, (module B : BATCHED)) =
  case (name ^ ": counters shared by all tasks, neighbours that exist") @@ fun () ->
  each_domains @@ fun _ ->
  let t = B.create ~bits:24 () in
  let keys = Array.init 10 (fun i -> i * 1_500_000) in
  let tasks = 50 and each = 200 in
  ignore
    (Weft.all
       (List.init tasks (fun task () ->
            for i = 1 to each do
              ignore (B.update t keys.((task + i) mod 10) (change Count));
              let is_key = function None -> true | Some (k, n) -> k mod 1_500_000 = 0 && n > 0 in
              if
                not
                  (is_key (B.succ t (i * 50_000))
                  && is_key (B.pred t (i * 50_000))
                  && is_key (B.min_binding_opt t))
              then Alcotest.fail "a neighbour that never was"
            done)));
  Alcotest.(check int) "counted" (tasks * each) (B.fold (fun _ n sum -> n + sum) t 0);
  Alcotest.(check int) "length" 10 (B.length t)

let many (name, (module B : BATCHED)) =
  case (name ^ ": add_all and exec_many are one batch, in order") @@ fun () ->
  each_domains @@ fun _ ->
  let t = B.create ~bits:22 () in
  B.add_all t [||];
  B.add_all t (Array.init 30_000 (fun i -> (i mod 10_000 * 400, i)));
  Alcotest.(check int) "length" 10_000 (B.length t);
  Alcotest.(check (option int)) "the last one counts" (Some 20_001) (B.find_opt t 400);
  let got = B.exec_many t (Array.init 500 (fun i -> B.Op.Remove (i / 2 * 400))) in
  Array.iteri (fun i removed -> if removed <> (i land 1 = 0) then Alcotest.fail "removed twice, or never") got;
  B.exclusive t B.Sequential.check;
  Alcotest.(check int) "length" 9750 (B.length t)

let refused (name, (module B : BATCHED)) =
  case (name ^ ": keys outside the universe are refused in the caller, by name") @@ fun () ->
  let prefix = "Weft_batch." ^ String.capitalize_ascii name in
  List.iter
    (fun bits ->
      let t = B.create ~bits () in
      B.add t 0 0;
      List.iter
        (fun k ->
          let refused f what =
            Sequences.raises (Printf.sprintf "%s.%s: key %d is not in 0..%d" prefix what k (greatest bits)) f
          in
          refused (fun () -> B.add t k 1) "add";
          refused (fun () -> B.add_all t [| (0, 5); (k, 1) |]) "add_all";
          refused (fun () -> ignore (B.mem t k)) "mem";
          refused (fun () -> ignore (B.find_opt t k)) "find_opt";
          refused (fun () -> ignore (B.remove t k)) "remove";
          refused (fun () -> ignore (B.update t k (fun _ -> assert false))) "update";
          refused (fun () -> ignore (B.succ t k)) "succ";
          refused (fun () -> ignore (B.pred t k)) "pred";
          refused (fun () -> ignore (B.exec t (Find k))) "exec";
          refused (fun () -> ignore (B.exec_many t [| Find 0; Find k |])) "exec_many")
        (if bits = 62 then [ -1; min_int ] else [ -1; greatest bits + 1; max_int; min_int ]);
      Alcotest.(check (list (pair int int))) "nothing has happened" [ (0, 0) ] (List.of_seq (B.to_seq t)))
    [ 1; 2; 8; 22; 24; 62 ];
  List.iter
    (fun bits ->
      Sequences.raises (Printf.sprintf "%s.create: bits %d is not in 1..62" prefix bits) (fun () ->
          ignore (B.create ~bits () : int B.t)))
    [ 0; 63; -1 ]

let tests = List.concat_map (fun b -> [ own_keys b; shared_keys b; many b; refused b ]) batched
