(* Comparisons that raise at every point. *)

module Cell = Weft_batch.Cell

exception Planned

let left = Atomic.make max_int

let armed calls f =
  Atomic.set left calls;
  Fun.protect f ~finally:(fun () -> Atomic.set left max_int)

(* A comparison with this priority always raises. *)
let poison = 777_777

module T = Weft_batch.Priority_queue.Make (struct
  type t = int

  let compare (a : int) b =
    if Atomic.fetch_and_add left (-1) = 1 || a = poison || b = poison then raise Planned;
    compare a b
end)

module S = T.Sequential

let contents q = List.of_seq (S.to_seq q)

(* Elements in the front's array, in its heap, and in buckets. *)
let preset n =
  let q = S.create () in
  for i = 1 to n do
    S.push q (i * 7919 mod n) i
  done;
  for _ = 1 to n / 10 do
    ignore (S.pop_min q)
  done;
  for i = 1 to n / 20 do
    S.push q (i mod (n / 5)) (-i)
  done;
  q

(* A quick run tries one point in three. *)
let step n = Testing.Effort.count ~quick:(3 * n) ~usual:n ~long:n

let at_every_point ?(some = true) ~step f =
  let rec from calls =
    if f calls then from (calls + step) else if some && calls = 1 then Alcotest.fail "nothing raised"
  in
  from 1

let alone n step () =
  let push p q = S.push q p 0 in
  let pops k q =
    for _ = 1 to k do
      ignore (S.pop_min q)
    done
  in
  List.iter
    (fun (f, atomic) ->
      (* A look at the first element may need no comparison. *)
      at_every_point ~some:false ~step (fun calls ->
          let q = preset n in
          let before = contents q in
          let raised = armed calls (fun () -> match f q with () -> false | exception Planned -> true) in
          S.check q;
          if raised && atomic && contents q <> before then Alcotest.fail "failed, but changed something";
          if raised then begin
            (* The remaining elements come out in order. *)
            let now = contents q in
            if List.filter_map (fun _ -> S.pop_min q) now <> now then Alcotest.fail "another order afterwards"
          end;
          raised))
    [
      (push 0, true);
      (push (n / 7), true);
      (push (2 * n), true);
      ((fun q -> ignore (S.pop_min q)), true);
      ((fun q -> ignore (S.min_opt q)), true);
      ((fun q -> ignore (S.pop_many Weft_containers.Grouping.in_order q (n / 2))), true);
      ((fun q -> ignore (S.pop_many Weft_containers.Grouping.in_order q n)), true);
      (pops (n / 2), false);
    ]

(* All elements of the queue are in buckets: the first pop divides and sorts. *)
let first_pop () =
  at_every_point ~step:(step 97) (fun calls ->
      let q = S.create () in
      S.push_each Weft_containers.Grouping.in_order q ~count:3000
        ~priority:(fun i -> i * 7919 mod 1000)
        ~value:Fun.id
        ~failed:(fun _ e _ -> raise e);
      let before = contents q in
      let raised = armed calls (fun () -> match S.pop_min q with _ -> false | exception Planned -> true) in
      S.check q;
      if raised && contents q <> before then Alcotest.fail "failed, but changed something";
      raised)

(* Operations that failed have changed nothing; the others act as if those had not been there. *)
let in_batches ~size ~preset:n ~step () =
  at_every_point ~step (fun calls ->
      let q = preset n in
      let model = Model.create () in
      List.iter (fun (p, v) -> Model.push model p v) (contents q);
      let ops =
        Array.init size (fun i ->
            if i mod 3 < 2 then T.Op (Push (i * 613 mod n, i), Cell.make ()) else T.Op (Pop, Cell.make ()))
      in
      let burnt =
        armed calls (fun () ->
            T.run_batch q ops;
            Atomic.get left <= 0)
      in
      let failed = ref 0 in
      let look (type a) ~pushes (op : (int, a) T.op) (cell : a Cell.t) =
        match (op, Cell.result cell) with
        | _, None -> Alcotest.fail "no result"
        | Push (p, v), Some (Ok ()) -> if pushes then Model.push model p v
        | Pop, Some (Ok first) ->
            if (not pushes) && first <> Model.pop_min model then Alcotest.fail "another one popped"
        | _, Some (Error (e, _)) -> if e <> Planned then raise e else if pushes then incr failed
        | _ -> ()
      in
      Array.iter (fun (T.Op (op, cell)) -> look ~pushes:true op cell) ops;
      Array.iter (fun (T.Op (op, cell)) -> look ~pushes:false op cell) ops;
      if !failed > 1 then Alcotest.failf "%d failed for one exception" !failed;
      S.check q;
      if contents q <> Model.to_list model then Alcotest.fail "something was lost, or what failed took effect";
      burnt)

(* In a large batch, only operations with a priority that cannot be compared fail. *)
let poisoned () =
  let q = preset 3000 in
  let length = S.length q in
  let bad i = i mod 400 = 7 in
  let ops = Array.init 2000 (fun i -> (i, Cell.make ())) in
  T.run_batch q (Array.map (fun (i, cell) -> T.Op (Push ((if bad i then poison else i), i), cell)) ops);
  Array.iter
    (fun (i, cell) ->
      match Cell.result cell with
      | Some (Ok ()) -> if bad i then Alcotest.failf "push %d did not fail" i
      | Some (Error _) -> if not (bad i) then Alcotest.failf "push %d failed" i
      | None -> Alcotest.fail "no result")
    ops;
  S.check q;
  if S.length q <> length + 1995 then Alcotest.failf "length %d" (S.length q)

let tests =
  [
    Testing.Watchdog.case "a small queue" (alone 60 (step 1));
    Testing.Watchdog.case "a large queue" (alone 3000 (step 401));
    Testing.Watchdog.case "a queue in buckets" first_pop;
    Testing.Watchdog.case "small batches" (in_batches ~size:60 ~preset:60 ~step:(step 1));
    Testing.Watchdog.case "large batches" (in_batches ~size:2000 ~preset:3000 ~step:(step 499));
    Testing.Watchdog.case "only those that cannot be compared fail" poisoned;
    Testing.Watchdog.case "large batches, small queue" (in_batches ~size:2400 ~preset:60 ~step:331);
  ]
