module Batched = Weft_batch.Skip_list.Make (Keys)
module Sequential = Batched.Sequential
module Map = Map.Make (Int)
module Cell = Weft_batch.Cell

type op =
  | Mem of int
  | Find of int
  | Add of int * int
  | Remove of int
  | Update of int * int
  | Fail of int
  | Succ of int
  | Pred of int
  | Min
  | Max
  | Length

type answer =
  | Bool of bool
  | Value of int option
  | Unit
  | Binding of (int * int) option
  | Int of int
  | Raised

let is_keyed = function
  | Mem _ | Find _ | Add _ | Remove _ | Update _ | Fail _ -> true
  | Succ _ | Pred _ | Min | Max | Length -> false

(* Binds, unbinds, keeps and replaces, as both values decide. *)
let updating n = function
  | None -> if n land 1 = 0 then Some n else None
  | Some v -> if (n + v) land 3 = 0 then None else if n land 1 = 0 then Some v else Some (v + n)

let failing _ = raise Keys.Planned

(* --- by the standard library --- *)

let on_map map = function
  | Mem k -> (map, Bool (Map.mem k map))
  | Find k -> (map, Value (Map.find_opt k map))
  | Add (k, v) -> (Map.add k v map, Unit)
  | Remove k -> (Map.remove k map, Bool (Map.mem k map))
  | Update (k, n) -> (Map.update k (updating n) map, Value (Map.find_opt k map))
  | Fail _ -> (map, Raised)
  | Succ k -> (map, Binding (Map.find_first_opt (fun l -> l > k) map))
  | Pred k -> (map, Binding (Map.find_last_opt (fun l -> l < k) map))
  | Min -> (map, Binding (Map.min_binding_opt map))
  | Max -> (map, Binding (Map.max_binding_opt map))
  | Length -> (map, Int (Map.cardinal map))

(* --- by the list --- *)

let answer f = try f () with Keys.Planned -> Raised

let on_list t op =
  answer @@ fun () ->
  match op with
  | Mem k -> Bool (Sequential.mem t k)
  | Find k -> Value (Sequential.find_opt t k)
  | Add (k, v) ->
      Sequential.add t k v;
      Unit
  | Remove k -> Bool (Sequential.remove t k)
  | Update (k, n) -> Value (Sequential.update t k (updating n))
  | Fail k -> Value (Sequential.update t k failing)
  | Succ k -> Binding (Sequential.succ t k)
  | Pred k -> Binding (Sequential.pred t k)
  | Min -> Binding (Sequential.min_binding_opt t)
  | Max -> Binding (Sequential.max_binding_opt t)
  | Length -> Int (Sequential.length t)

let packed op =
  let pack (type a) (op : (int, a) Batched.op) (wrap : a -> answer) =
    let cell = Cell.make () in
    let read () =
      match Cell.result cell with
      | Some (Ok v) -> wrap v
      | Some (Error (Keys.Planned, _)) -> Raised
      | Some (Error (e, _)) -> raise e
      | None -> failwith "an operation without a result"
    in
    (Batched.Op (op, cell), read)
  in
  let bool b = Bool b and value v = Value v and unit () = Unit and binding b = Binding b and int n = Int n in
  match op with
  | Mem k -> pack (Mem k) bool
  | Find k -> pack (Find k) value
  | Add (k, v) -> pack (Add (k, v)) unit
  | Remove k -> pack (Remove k) bool
  | Update (k, n) -> pack (Update (k, updating n)) value
  | Fail k -> pack (Update (k, failing)) value
  | Succ k -> pack (Succ k) binding
  | Pred k -> pack (Pred k) binding
  | Min -> pack Min binding
  | Max -> pack Max binding
  | Length -> pack Length int

let in_batch t ops =
  let packed = Array.map packed ops in
  Batched.run_batch t (Array.map fst packed);
  Array.map (fun (_, read) -> read ()) packed

(* --- what is right --- *)

let in_order map ops = Array.fold_left_map on_map map ops

let keyed_first map ops =
  let step map op = if is_keyed op then on_map map op else (map, Unit) in
  let map, answers = Array.fold_left_map step map ops in
  (map, Array.map2 (fun op answer -> if is_keyed op then answer else snd (on_map map op)) ops answers)

let of_map ?seed map =
  let t = Sequential.create ?seed () in
  Map.iter (Sequential.add t) map;
  t

let contents t = List.of_seq (Sequential.to_seq t)

let check_contents what t map =
  Sequential.check t;
  if contents t <> Map.bindings map then Alcotest.failf "%s: wrong contents" what

let check_answers what ops expected got =
  Array.iteri
    (fun i answer ->
      if answer <> got.(i) then Alcotest.failf "%s: operation %d of %d is wrong" what i (Array.length ops))
    expected

let check_batch what t map ops =
  let map, expected = keyed_first map ops in
  check_answers what ops expected (in_batch t ops);
  check_contents what t map;
  map

(* --- random ones --- *)

let print_op =
  let p = Printf.sprintf in
  function
  | Mem k -> p "mem %d" k
  | Find k -> p "find %d" k
  | Add (k, v) -> p "add %d %d" k v
  | Remove k -> p "remove %d" k
  | Update (k, n) -> p "update %d %d" k n
  | Fail k -> p "fail %d" k
  | Succ k -> p "succ %d" k
  | Pred k -> p "pred %d" k
  | Min -> "min"
  | Max -> "max"
  | Length -> "length"

let op_on key =
  let open QCheck.Gen in
  let value = int_bound 1000 in
  frequency
    [
      (2, map (fun k -> Mem k) key);
      (2, map (fun k -> Find k) key);
      (6, map2 (fun k v -> Add (k, v)) key value);
      (5, map (fun k -> Remove k) key);
      (3, map2 (fun k v -> Update (k, v)) key value);
      (1, map (fun k -> Fail k) key);
      (1, map (fun k -> Succ k) key);
      (1, map (fun k -> Pred k) key);
      (1, oneofl [ Min; Max; Length ]);
    ]

let extremes = QCheck.Gen.oneofl [ min_int; min_int + 1; -1; 0; 1; max_int - 1; max_int ]

let program =
  let open QCheck.Gen in
  let ops n =
    oneofl [ 3; 20; 300; 3000 ] >>= fun range ->
    array_size n (op_on (frequency [ (20, int_bound range); (1, extremes) ]))
  in
  pair (ops (int_bound 300)) (ops (oneof [ int_bound 10; int_bound 100; int_bound 700 ]))

let arbitrary =
  let print (before, batch) =
    let print ops = String.concat "; " (Array.to_list (Array.map print_op ops)) in
    print before ^ " | " ^ print batch
  in
  QCheck.make ~print program

let check_random ~count name property =
  QCheck.Test.check_exn ~rand:(Random.State.make [| 11 |])
    (QCheck.Test.make ~count:(Testing.Effort.few count) ~name arbitrary property)
