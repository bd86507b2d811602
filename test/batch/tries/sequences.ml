(* The sequential maps, against the standard library's. *)

open Support

let agree (module M : MAP) ~bits ?(check_every = 1) ops =
  let module R = Run (M) in
  let t = M.create ~bits () and o = oracle () in
  Seq.iteri
    (fun i op ->
      compare_answers (Printf.sprintf "%d bits, operation %d" bits i) op (expected o op) (R.answer t op);
      if i mod check_every = 0 then M.check t)
    ops;
  R.same_contents t o

let random_ops ?raising ~bits ~seed n =
  let state = Random.State.make [| seed; bits |] in
  Seq.init n (fun _ -> random_op ?raising state (fun () -> random_key state bits)) |> Seq.memoize

let programs (name, (module M : MAP)) =
  property
    (name ^ ": random programs give what Map gives, in every universe")
    (QCheck.make
       ~print:(fun (seed, bits, n) -> Printf.sprintf "seed %d, %d bits, %d operations" seed bits n)
       QCheck.Gen.(triple (int_bound 1_000_000) (oneofl universes) (int_range 0 300)))
    (fun (seed, bits, n) ->
      agree (module M) ~bits (random_ops ~raising:true ~bits ~seed n);
      true)

(* A million operations on about a hundred thousand keys; a quick run does a tenth of both. *)
let many (name, (module M : MAP)) =
  case (name ^ ": many random operations") @@ fun () ->
  let bits = if name = "veb" then 22 else 24 in
  let state = Random.State.make [| 5 |] in
  let n = Testing.Effort.few 1_000_000 in
  let dense = ref true in
  let key () =
    if !dense then 1_000_000 + Random.State.int state (n / 10) else Random.State.int state (greatest bits + 1)
  in
  let ops =
    Seq.init n (fun i ->
        dense := i / (n / 20) mod 2 = 0;
        random_op state key)
  in
  agree (module M) ~bits ~check_every:(n / 5) ops

let orders =
  [
    ("ascending", fun ~bits ~n i -> greatest bits * i / n);
    ("descending", fun ~bits ~n i -> greatest bits * (n - 1 - i) / n);
    ("close together, ascending", fun ~bits ~n:_ i -> i land greatest bits);
    ("close together, descending", fun ~bits ~n:_ i -> greatest bits - (i land greatest bits));
    ("all equal", fun ~bits ~n:_ _ -> greatest bits / 2);
    ("few distinct", fun ~bits ~n:_ i -> i * 7919 mod 5 * 12345 land greatest bits);
    ( "from both ends",
      fun ~bits ~n:_ i -> if i land 1 = 0 then i land greatest bits else greatest bits - (i land greatest bits)
    );
  ]

(* The map is filled in one order and emptied in another, with queries in between. *)
let hostile (name, (module M : MAP)) =
  case (name ^ ": filled and emptied in hostile orders") @@ fun () ->
  List.iter
    (fun bits ->
      let n = Testing.Effort.count ~quick:60 ~usual:250 ~long:250 in
      List.iter
        (fun (_, fill) ->
          List.iter
            (fun (_, empty) ->
              let adds = Seq.init n (fun i -> Add (fill ~bits ~n i, i)) in
              let asks = Seq.concat_map (fun k -> List.to_seq [ Succ k; Pred k; Min; Max ]) in
              let removes =
                Seq.concat_map
                  (fun i ->
                    let k = empty ~bits ~n i in
                    Seq.append (asks (Seq.return k)) (Seq.return (Remove k)))
                  (Seq.init n Fun.id)
              in
              agree
                (module M)
                ~bits ~check_every:97
                (Seq.append adds (Seq.append removes (Seq.append adds removes))))
            orders)
        orders)
    [ 8; 22; 62 ]

let emptied (name, (module M : MAP)) =
  case (name ^ ": an empty map, also one that was full, answers nothing") @@ fun () ->
  List.iter
    (fun bits ->
      let t = M.create ~bits () in
      let look () =
        M.check t;
        if
          M.length t <> 0
          || M.mem t 0
          || M.remove t (greatest bits)
          || M.find_opt t 0 <> None
          || M.succ t 0 <> None
          || M.pred t (greatest bits) <> None
          || M.min_binding_opt t <> None
          || M.max_binding_opt t <> None
          || M.to_seq t () <> Seq.Nil
        then Alcotest.fail "something is there"
      in
      look ();
      let n = Int.min (greatest bits) 4999 + 1 in
      for i = 0 to n - 1 do
        M.add t (i * (greatest bits / n)) i;
        M.add t (greatest bits - i) i
      done;
      M.check t;
      List.iter
        (fun (k, _) -> if not (M.remove t k) then Alcotest.fail "not removed")
        (List.of_seq (M.to_seq t));
      look ())
    [ 1; 2; 8; 22; 24; 62 ]

let raises message f =
  match f () with
  | _ -> Alcotest.failf "nothing raised: %s" message
  | exception Invalid_argument m -> Alcotest.(check string) "message" message m

let outside (name, (module M : MAP)) =
  case (name ^ ": keys outside the universe are refused, by name") @@ fun () ->
  let prefix = "Weft_containers." ^ String.capitalize_ascii name in
  List.iter
    (fun bits ->
      let t = M.create ~bits () in
      M.add t 0 "zero";
      let keys = if bits = 62 then [ -1; min_int ] else [ -1; min_int; max_int; greatest bits + 1 ] in
      List.iter
        (fun k ->
          let refused f what =
            raises (Printf.sprintf "%s.%s: key %d is not in 0..%d" prefix what k (greatest bits)) f
          in
          refused (fun () -> M.add t k "bad") "add";
          refused (fun () -> ignore (M.mem t k)) "mem";
          refused (fun () -> ignore (M.find_opt t k)) "find_opt";
          refused (fun () -> ignore (M.remove t k)) "remove";
          refused (fun () -> ignore (M.update t k (fun _ -> assert false))) "update";
          refused (fun () -> ignore (M.succ t k)) "succ";
          refused (fun () -> ignore (M.pred t k)) "pred")
        keys;
      M.check t;
      Alcotest.(check int) "length" 1 (M.length t))
    [ 1; 2; 8; 22; 24; 62 ];
  List.iter
    (fun bits ->
      raises (Printf.sprintf "%s.create: bits %d is not in 1..62" prefix bits) (fun () ->
          ignore (M.create ~bits () : int M.t)))
    [ 0; -1; 63; min_int; max_int ]

(* Floats are kept in unboxed arrays. *)
let floats (name, (module M : MAP)) =
  case (name ^ ": values may be floats") @@ fun () ->
  let t = M.create ~bits:22 () in
  for i = 0 to 9999 do
    M.add t (i * 31 land greatest 22) (float i)
  done;
  for i = 0 to 9999 do
    if i land 1 = 0 && not (M.remove t (i * 31)) then Alcotest.fail "not there"
  done;
  M.check t;
  for i = 0 to 9999 do
    if M.find_opt t (i * 31) <> if i land 1 = 0 then None else Some (float i) then
      Alcotest.fail "another float"
  done

(* Removed and replaced values are garbage, wherever copies of values fill arrays. *)
let garbage (name, (module M : MAP)) =
  case (name ^ ": values that were removed or replaced are not kept alive") @@ fun () ->
  let t = M.create ~bits:22 () in
  let n = 2000 in
  let seen = Weak.create (2 * n) in
  let value i =
    let v = ref i in
    Weak.set seen i (Some v);
    v
  in
  let state = Random.State.make [| 3 |] in
  let key = Array.init n (fun i -> (i * 3) + if i land 64 = 0 then 0 else 1_000_000) in
  Array.iteri (fun i k -> M.add t k (value i)) key;
  let present = Array.make n true in
  for _ = 1 to 3 * n do
    let i = Random.State.int state n in
    if i mod 10 <> 0 then begin
      ignore (M.remove t key.(i));
      present.(i) <- false
    end
  done;
  for i = 0 to n - 1 do
    if i mod 20 = 0 then M.add t key.(i) (value (n + i))
  done;
  M.check t;
  Gc.full_major ();
  Array.iteri
    (fun i there ->
      if Weak.check seen i && ((not there) || i mod 20 = 0) then Alcotest.failf "value %d is alive" i;
      if there && i mod 20 <> 0 && not (Weak.check seen i) then Alcotest.failf "value %d is gone" i)
    present;
  ignore (Sys.opaque_identity t)

(* An update that raises changes nothing, whatever the state of the map. *)
let updates (name, (module M : MAP)) =
  case (name ^ ": an update that raises changes nothing") @@ fun () ->
  let module R = Run (M) in
  List.iter
    (fun bits ->
      let t = M.create ~bits () and o = oracle () in
      let state = Random.State.make [| bits |] in
      for _ = 1 to 500 do
        let k = random_key state bits in
        (match M.update t k (fun _ -> raise Planned) with
        | _ -> Alcotest.fail "nothing raised"
        | exception Planned -> R.same_contents t o);
        let op = random_op state (fun () -> random_key state bits) in
        compare_answers "update" op (expected o op) (R.answer t op)
      done)
    [ 1; 2; 8; 22; 24; 62 ]

let tests =
  List.concat_map
    (fun m -> [ programs m; many m; hostile m; emptied m; outside m; floats m; garbage m; updates m ])
    sequential
