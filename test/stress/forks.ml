open Kit

let rec tree_seq h =
  if h land 7 = 0 || h < 8 then h land 1023 else tree_seq ((h / 2) - 1) + (3 * tree_seq (h / 3))

let rec tree_par st h =
  if h land 7 = 0 || h < 8 then h land 1023
  else
    match ri st 5 with
    | 0 ->
        let p =
          Weft.async
            (let st = split_l st in
             fun () -> tree_par st (h / 3))
        in
        let a = tree_par st ((h / 2) - 1) in
        a + (3 * Weft.await p)
    | 1 ->
        let st2 = split_l st in
        Weft.Scope.run (fun s ->
            let p = Weft.Scope.async s (fun () -> tree_par st2 (h / 3)) in
            let a = tree_par st ((h / 2) - 1) in
            a + (3 * Weft.await p))
    | 2 ->
        let st2 = split_l st in
        let a, b =
          Weft.par
            (fun () ->
              Weft.yield ();
              tree_par st ((h / 2) - 1))
            (fun () -> tree_par st2 (h / 3))
        in
        a + (3 * b)
    | _ ->
        let st2 = split_l st in
        let a, b = Weft.par (fun () -> tree_par st ((h / 2) - 1)) (fun () -> tree_par st2 (h / 3)) in
        a + (3 * b)

and split_l st = Random.State.make [| Random.State.bits st |]

let tree st =
  let h = 1000 + ri st 3_000_000 in
  let r = tree_par st h in
  did 1;
  check "tree" (r = tree_seq h)

let exn_tree st =
  (* par raises the leftmost exception only if the sides do not depend on cancellation: this checks only
     that Boom is raised and that everything that started has ended *)
  let running = Atomic.make 0 in
  let rec go st d =
    did 1;
    Atomic.incr running;
    Fun.protect
      ~finally:(fun () -> Atomic.decr running)
      (fun () ->
        if d = 0 then if ri st 30 = 0 then raise (Boom 3) else 1
        else
          let st2 = split_l st in
          match ri st 3 with
          | 0 ->
              let a, b = Weft.par (fun () -> go st (d - 1)) (fun () -> go st2 (d - 1)) in
              a + b
          | 1 ->
              Weft.Scope.run (fun s ->
                  let p = Weft.Scope.async s (fun () -> go st2 (d - 1)) in
                  let a = go st (d - 1) in
                  a + Weft.await p)
          | _ ->
              List.fold_left ( + ) 0
                (Weft.all
                   [
                     (fun () -> go st (d - 1));
                     (fun () ->
                       Weft.yield ();
                       go st2 (d - 1));
                   ]))
  in
  (match go st (3 + ri st 6) with _ -> () | exception Boom 3 -> ());
  check (Printf.sprintf "exn_tree: %d outlive" (Atomic.get running)) (Atomic.get running = 0)

let loops st =
  let n = ri st 20000 in
  let a = Array.init n (fun i -> i * 7919 land 0xffff) in
  let s =
    Weft.parallel_for_reduce ~start:0 ~finish:(n - 1)
      ~body:(fun i -> if ri st 1 = 0 then a.(i) else 0)
      ( + ) 0
  in
  check "reduce" (s = Array.fold_left ( + ) 0 a);
  let sc = Weft.parallel_scan ( + ) a in
  let acc = ref 0 in
  let good = ref true in
  Array.iteri
    (fun i x ->
      acc := !acc + x;
      if sc.(i) <> !acc then good := false)
    a;
  check "scan" !good;
  let hits = Array.make (n + 1) 0 in
  (try
     Weft.parallel_for ~start:0 ~finish:(n - 1)
       ~body:(fun i ->
         hits.(i) <- hits.(i) + 1;
         if i land 0xfff = 0xfff && i land 0x3fff <> 0 && n land 1 = 0 then raise (Boom 5))
       ()
   with Boom 5 -> ());
  if n land 1 = 1 then check "for" (Array.for_all (fun x -> x = 1) (Array.sub hits 0 n));
  let b = Array.copy a in
  Weft.Array.sort compare b;
  let c = Array.copy a in
  Array.stable_sort compare c;
  check "sort" (b = c);
  did n

let pipeline st =
  let n = ri st 200 in
  let i = ref 0 in
  let r =
    try
      Weft.pipeline_to_list
        (fun () ->
          if !i >= n then None
          else (
            incr i;
            Some !i))
        Weft.Stage.(
          parallel (fun x ->
              if ri st 1 = 1 then raise (Boom 8);
              x * 2)
          >>> in_order (fun x -> x + 1))
    with Boom 8 -> []
  in
  check "pipeline" (r = List.init n (fun i -> ((i + 1) * 2) + 1));
  did n

(* Those of [test/weft], here several at a time. *)
let program st =
  let p = QCheck.Gen.generate1 ~rand:st Programs.program in
  check ("the program " ^ Programs.print p) (Programs.agrees Programs.execute p);
  did 1

let all =
  [ ("tree", tree); ("exn_tree", exn_tree); ("loops", loops); ("pipeline", pipeline); ("program", program) ]
