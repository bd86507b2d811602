module Alcotest = Testing.Checks.Alcotest
open Operations

(* Tasks with keys of their own share one map: each sees its own keys as if it were alone. *)
let own_keys ~domains ~cutoff () =
  Weft.run ~domains @@ fun () ->
  let tasks = 64 and steps = 200 in
  let t = Batched.create ~cutoff () in
  let maps = Array.make tasks Map.empty in
  Weft.all
    (List.init tasks (fun task () ->
         let state = Random.State.make [| task |] in
         let key () = (Random.State.int state 50 * tasks) + task in
         for i = 1 to steps do
           let op = random state even key in
           if single op then begin
             let expected, m = apply op maps.(task) in
             agree "own keys" i expected (exec t op);
             maps.(task) <- m
           end
           else
             match (op, exec t op) with
             | Succ k, Binding (Some (k', _)) when k' <= k -> Alcotest.fail "succ"
             | Pred k, Binding (Some (k', _)) when k' >= k -> Alcotest.fail "pred"
             | Length, Int n when n < 0 || n > 50 * tasks -> Alcotest.fail "length"
             | _, (Binding _ | Int _) -> ()
             | _ -> Alcotest.fail "no answer"
         done))
  |> ignore;
  Batched.quiesce t;
  let all =
    Array.fold_left (fun all m -> Map.union (fun _ _ _ -> Alcotest.fail "shared") all m) Map.empty maps
  in
  Batched.exclusive t (same_contents "own keys" all)

(* Tasks share the same keys: every addition to a count is there. *)
let shared_keys ~domains () =
  Weft.run ~domains @@ fun () ->
  let t = Batched.create () in
  let n = 20_000 and keys = 10 in
  Weft.parallel_for ~chunk_size:16 ~start:0 ~finish:(n - 1)
    ~body:(fun i -> ignore (Batched.update t (i mod keys) (fun v -> Some (1 + Option.value v ~default:0))))
    ();
  for k = 0 to keys - 1 do
    Alcotest.(check (option int)) "count" (Some (n / keys)) (Batched.find_opt t k)
  done

let interface () =
  let t = Batched.create ~limit:100 () in
  Batched.add_all t (Array.init 1000 (fun i -> (i mod 500, i)));
  Alcotest.(check int) "length" 500 (Batched.length t);
  Alcotest.(check (option int)) "the last one counts" (Some 503) (Batched.find_opt t 3);
  Alcotest.(check bool) "mem" true (Batched.mem t 499);
  Alcotest.(check bool) "remove" true (Batched.remove t 499);
  Alcotest.(check bool) "removed" false (Batched.remove t 499);
  Batched.add t 1000 1;
  Alcotest.(check (option (pair int int))) "max" (Some (1000, 1)) (Batched.max_binding_opt t);
  Alcotest.(check (option (pair int int))) "min" (Some (0, 500)) (Batched.min_binding_opt t);
  Alcotest.(check (option (pair int int))) "succ" (Some (1000, 1)) (Batched.succ t 498);
  Alcotest.(check (option (pair int int))) "pred" (Some (498, 998)) (Batched.pred t 1000);
  Alcotest.(check int) "to_seq" 500 (Seq.length (Batched.to_seq t));
  Alcotest.(check int) "fold" 500 (Batched.fold (fun _ _ n -> n + 1) t 0);
  let count = ref 0 in
  Batched.iter (fun _ _ -> incr count) t;
  Alcotest.(check int) "iter" 500 !count

let case name f = Testing.Watchdog.case name f

let tests =
  List.concat_map
    (fun domains ->
      let name what = Printf.sprintf "%s, %d domains" what domains in
      [
        case (name "own keys") (own_keys ~domains ~cutoff:`Adaptive);
        case (name "own keys, all in batches") (own_keys ~domains ~cutoff:(`Fixed 1));
        case (name "shared keys") (shared_keys ~domains);
      ])
    (Testing.Effort.some ~quick:[ 2 ] [ 1; 2; 8 ])
  @ [ case "the interface" interface ]
