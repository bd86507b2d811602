module Q = Weft_containers.Priority_queue.Make (Int)

let show = function None -> "none" | Some (p, v) -> Printf.sprintf "%d with priority %d" v p

let same what expected got =
  if expected <> got then Alcotest.failf "%s: %s, expected %s" what (show got) (show expected)

let same_contents q model =
  Q.check q;
  if Q.length q <> Model.length model then Alcotest.failf "length %d" (Q.length q);
  if List.of_seq (Q.to_seq q) <> Model.to_list model then Alcotest.fail "to_seq"

(* [pushes] out of 10 operations push. *)
let step rand kind pushes q model i =
  let least = match Model.min_opt model with Some (p, _) -> p | None -> 0 in
  if Random.State.int rand 10 < pushes then begin
    let p = Model.priority rand kind i least in
    Q.push q p i;
    Model.push model p i
  end
  else if Random.State.int rand 10 = 0 then same "min" (Model.min_opt model) (Q.min_opt q)
  else same "pop" (Model.pop_min model) (Q.pop_min q)

let program ~most rand =
  let q = Q.create () and model = Model.create () in
  let i = ref 0 in
  for _ = 0 to Random.State.int rand 6 do
    let kind = Model.kind rand and pushes = 1 + Random.State.int rand 9 in
    for _ = 1 to Random.State.int rand most do
      incr i;
      step rand kind pushes q model !i
    done;
    Q.check q
  done;
  same_contents q model;
  true

let many kind () =
  let rand = Random.State.make [| 4 |] in
  let q = Q.create () and model = Model.create () in
  let run n pushes =
    for i = 1 to n do
      step rand kind pushes q model i
    done;
    Q.check q
  in
  run (Testing.Effort.few 400_000) 8;
  run (Testing.Effort.few 300_000) 5;
  run (Testing.Effort.few 300_000) 2;
  same_contents q model

(* All elements are pushed, then all popped. *)
let drain kind () =
  let rand = Random.State.make [| 6 |] in
  let n = 30_000 in
  let items = List.init n (fun i -> (Model.priority rand kind i 0, i)) in
  let q = Q.of_seq (List.to_seq items) in
  Q.check q;
  List.iter
    (fun expected -> same "pop" (Some expected) (Q.pop_min q))
    (List.stable_sort (fun (p, _) (q, _) -> Int.compare p q) items);
  same "pop of an empty queue" None (Q.pop_min q);
  same "least of an empty queue" None (Q.min_opt q)

(* The queue must not keep popped values alive: a value is garbage once it has been popped. *)
let forgets () =
  let q = Q.create () in
  let n = 3000 in
  let alive = Atomic.make 0 in
  for i = 1 to n do
    let v = ref i in
    Gc.finalise (fun _ -> Atomic.decr alive) v;
    Atomic.incr alive;
    Q.push q (i * 7919 mod n) v
  done;
  for _ = 1 to n - 100 do
    ignore (Q.pop_min q)
  done;
  Gc.full_major ();
  Gc.full_major ();
  if Atomic.get alive > 100 then Alcotest.failf "%d alive, 100 of them in the queue" (Atomic.get alive);
  if Q.length q <> 100 then Alcotest.fail "length"

(* Comparisons per element: n log n, for any input. *)
let comparisons () =
  let calls = ref 0 in
  let module Q = Weft_containers.Priority_queue.Make (struct
    type t = int

    let compare a b =
      incr calls;
      Int.compare a b
  end) in
  let n = Testing.Effort.few 100_000 in
  let rand = Random.State.make [| 8 |] in
  Array.iter
    (fun kind ->
      calls := 0;
      let q = Q.create () in
      for i = 1 to n do
        Q.push q (Model.priority rand kind i 0) i
      done;
      while Q.pop_min q <> None do
        ()
      done;
      if !calls > 60 * n then Alcotest.failf "%d comparisons for %d elements" !calls n)
    Model.kinds

let tests =
  [
    Model.check_seed ~count:200 "random programs, short" (program ~most:60);
    Model.check_seed ~count:60 "random programs, long" (program ~most:3000);
    Testing.Watchdog.case "many operations, uniform" (many Uniform);
    Testing.Watchdog.case "many operations, near the least" (many (Near 1000));
    Testing.Watchdog.case "forgets what has left" forgets;
    Testing.Watchdog.case "n log n comparisons" comparisons;
  ]
  @ List.map
      (fun (name, kind) -> Testing.Watchdog.case ("in and out: " ^ name) (drain kind))
      [
        ("uniform", Model.Uniform);
        ("few", Few);
        ("equal", Equal);
        ("ascending", Ascending);
        ("descending", Descending);
        ("extremes", Extremes);
      ]
