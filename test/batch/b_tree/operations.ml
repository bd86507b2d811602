(* Operations as data, their meaning on the standard library's maps, and how they become a batch. *)

module Map = Stdlib.Map.Make (Int)

exception Planned

(* Integers whose comparison fails at a chosen call, counted over all domains. *)
module Key = struct
  type t = int

  let left = Atomic.make (-1)

  let compare a b =
    if Atomic.get left >= 0 && Atomic.fetch_and_add left (-1) = 0 then raise Planned;
    Int.compare a b

  (* Calls [f ()] with comparison number [k] failing; tells whether one did. *)
  let failing_at k f =
    Atomic.set left k;
    Fun.protect f ~finally:(fun () -> Atomic.set left (-1))
end

module Batched = Weft_batch.B_tree.Make (Key)
module Tree = Batched.Sequential
module Cell = Weft_batch.Cell

type t =
  | Mem of int
  | Find of int
  | Add of int * int
  | Remove of int
  | Update of int * int
  | Succ of int
  | Pred of int
  | Min
  | Max
  | Length

type answer =
  | Nothing
  | Bool of bool
  | Value of int option
  | Binding of (int * int) option
  | Int of int
  | Failed

let show = function
  | Nothing -> "()"
  | Bool b -> string_of_bool b
  | Value None -> "no value"
  | Value (Some v) -> Printf.sprintf "value %d" v
  | Binding None -> "no binding"
  | Binding (Some (k, v)) -> Printf.sprintf "%d -> %d" k v
  | Int n -> string_of_int n
  | Failed -> "failed"

(* An update function for each integer: these bind, unbind, change, keep and fail. *)
let change c before =
  match (c mod 6, before) with
  | 0, _ -> raise Planned
  | 1, _ -> None
  | 2, _ -> before
  | 3, Some _ -> None
  | _, None -> Some c
  | _, Some v -> Some (v + c)

let single = function Mem _ | Find _ | Add _ | Remove _ | Update _ -> true | _ -> false

(* The meaning: the answer, and the map afterwards. *)
let apply op m =
  match op with
  | Mem k -> (Bool (Map.mem k m), m)
  | Find k -> (Value (Map.find_opt k m), m)
  | Add (k, v) -> (Nothing, Map.add k v m)
  | Remove k -> (Bool (Map.mem k m), Map.remove k m)
  | Update (k, c) -> (
      let before = Map.find_opt k m in
      match change c before with
      | after -> (Value before, Map.update k (fun _ -> after) m)
      | exception Planned -> (Failed, m))
  | Succ k -> (Binding (Map.find_first_opt (fun k' -> k' > k) m), m)
  | Pred k -> (Binding (Map.find_last_opt (fun k' -> k' < k) m), m)
  | Min -> (Binding (Map.min_binding_opt m), m)
  | Max -> (Binding (Map.max_binding_opt m), m)
  | Length -> (Int (Map.cardinal m), m)

(* The meaning of a batch: operations on single keys first, in the order of arrival. *)
let apply_all ops m =
  let answers = Array.make (Array.length ops) Nothing in
  let m = ref m in
  let pass which =
    Array.iteri
      (fun i op ->
        if single op = which then begin
          let answer, m' = apply op !m in
          answers.(i) <- answer;
          m := m'
        end)
      ops
  in
  pass true;
  pass false;
  (answers, !m)

type 'f call = { call : 'a. (int, 'a) Batched.Op.t -> ('a -> answer) -> 'f }

(* The operation for the tree, and a function for its result. *)
let call { call } = function
  | Mem k -> call (Batched.Op.Mem k) (fun b -> Bool b)
  | Find k -> call (Batched.Op.Find k) (fun v -> Value v)
  | Add (k, v) -> call (Batched.Op.Add (k, v)) (fun () -> Nothing)
  | Remove k -> call (Batched.Op.Remove k) (fun b -> Bool b)
  | Update (k, c) -> call (Batched.Op.Update (k, change c)) (fun v -> Value v)
  | Succ k -> call (Batched.Op.Succ k) (fun b -> Binding b)
  | Pred k -> call (Batched.Op.Pred k) (fun b -> Binding b)
  | Min -> call Batched.Op.Min (fun b -> Binding b)
  | Max -> call Batched.Op.Max (fun b -> Binding b)
  | Length -> call Batched.Op.Length (fun n -> Int n)

let sequentially tree op =
  call
    {
      call = (fun op answer -> match Batched.apply tree op with v -> answer v | exception Planned -> Failed);
    }
    op

let exec tree op =
  call
    {
      call = (fun op answer -> match Batched.exec tree op with v -> answer v | exception Planned -> Failed);
    }
    op

(* The operation packed, and how to read its answer. *)
let pack op =
  call
    {
      call =
        (fun op answer ->
          let cell = Cell.make () in
          ( Batched.Op (op, cell),
            fun () ->
              match Cell.result cell with
              | Some (Ok v) -> answer v
              | Some (Error (Planned, _)) -> Failed
              | Some (Error (e, _)) -> raise e
              | None -> Alcotest.fail "an operation was not answered" ));
    }
    op

let run_batch tree ops =
  let packed = Array.map pack ops in
  Batched.run_batch tree (Array.map fst packed);
  Array.map (fun (_, read) -> read ()) packed

(* Random operations *)

type mix = { adds : int; removes : int; updates : int; finds : int; others : int }

let even = { adds = 30; removes = 25; updates = 20; finds = 20; others = 5 }
let growing = { even with adds = 70; removes = 5 }
let shrinking = { even with adds = 5; removes = 90 }

let random state mix key =
  let k = key () in
  let sum = mix.adds + mix.removes + mix.updates + mix.finds + mix.others in
  let x = Random.State.int state sum in
  if x < mix.adds then Add (k, Random.State.bits state)
  else if x < mix.adds + mix.removes then Remove k
  else if x < mix.adds + mix.removes + mix.updates then Update (k, Random.State.int state 1000)
  else if x < sum - mix.others then if Random.State.bool state then Find k else Mem k
  else match Random.State.int state 5 with 0 -> Succ k | 1 -> Pred k | 2 -> Min | 3 -> Max | _ -> Length

(* Checks *)

let agree what i expected got =
  if expected <> got then
    Alcotest.failf "%s, operation %d: expected %s, got %s" what i (show expected) (show got)

let same_contents what m tree =
  Tree.check tree;
  let expected = Map.bindings m in
  if List.of_seq (Tree.to_seq tree) <> expected then Alcotest.failf "%s: other bindings" what;
  if List.rev (Tree.fold (fun k v l -> (k, v) :: l) tree []) <> expected then Alcotest.failf "%s: fold" what

let tree_of m =
  let tree = Tree.create () in
  Map.iter (Tree.add tree) m;
  tree
