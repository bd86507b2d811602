module Oracle = Map.Make (Int)

let case name test = Testing.Watchdog.case name test

let property ?(count = 200) name arbitrary holds =
  case name (fun () ->
      QCheck.Test.check_exn ~rand:(Random.State.make [| 11 |])
        (QCheck.Test.make ~count:(Testing.Effort.few count) ~name arbitrary holds))

let greatest bits = (1 lsl bits) - 1
let universes = [ 1; 2; 3; 5; 6; 8; 11; 22; 24; 40; 62 ]

(* --- operations, for all structures and for the oracle --- *)

exception Planned

(* What an update does with the value that it finds. *)
type change = Count | Delete | Keep | Raise

type op =
  | Mem of int
  | Find of int
  | Add of int * int
  | Remove of int
  | Update of int * change
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

let change c before =
  match (c, before) with
  | Count, None -> Some 1
  | Count, Some n -> Some (n + 1)
  | Delete, _ -> None
  | Keep, _ -> before
  | Raise, _ -> raise Planned

let show = function
  | Mem k -> Printf.sprintf "mem %d" k
  | Find k -> Printf.sprintf "find %d" k
  | Add (k, v) -> Printf.sprintf "add %d %d" k v
  | Remove k -> Printf.sprintf "remove %d" k
  | Update (k, c) ->
      Printf.sprintf "update %d (%s)" k
        (match c with Count -> "count" | Delete -> "delete" | Keep -> "keep" | Raise -> "raise")
  | Succ k -> Printf.sprintf "succ %d" k
  | Pred k -> Printf.sprintf "pred %d" k
  | Min -> "min"
  | Max -> "max"
  | Length -> "length"

let show_answer = function
  | Bool b -> string_of_bool b
  | Value None | Binding None -> "none"
  | Value (Some v) -> Printf.sprintf "some %d" v
  | Unit -> "()"
  | Binding (Some (k, v)) -> Printf.sprintf "%d -> %d" k v
  | Int n -> string_of_int n
  | Raised -> "raised"

let is_single = function
  | Mem _ | Find _ | Add _ | Remove _ | Update _ -> true
  | Succ _ | Pred _ | Min | Max | Length -> false

(* Stdlib's [cardinal] takes O(n): so the oracle counts. *)
type oracle = { mutable map : int Oracle.t; mutable size : int }

let oracle () = { map = Oracle.empty; size = 0 }

let bind o k v =
  if not (Oracle.mem k o.map) then o.size <- o.size + 1;
  o.map <- Oracle.add k v o.map

let unbind o k =
  let was = Oracle.mem k o.map in
  if was then begin
    o.map <- Oracle.remove k o.map;
    o.size <- o.size - 1
  end;
  was

let expected o = function
  | Mem k -> Bool (Oracle.mem k o.map)
  | Find k -> Value (Oracle.find_opt k o.map)
  | Add (k, v) ->
      bind o k v;
      Unit
  | Remove k -> Bool (unbind o k)
  | Update (k, c) -> (
      let before = Oracle.find_opt k o.map in
      match change c before with
      | exception Planned -> Raised
      | Some v ->
          bind o k v;
          Value before
      | None ->
          ignore (unbind o k);
          Value before)
  | Succ k -> Binding (Oracle.find_first_opt (fun k' -> k' > k) o.map)
  | Pred k -> Binding (Oracle.find_last_opt (fun k' -> k' < k) o.map)
  | Min -> Binding (Oracle.min_binding_opt o.map)
  | Max -> Binding (Oracle.max_binding_opt o.map)
  | Length -> Int o.size

(* --- random operations --- *)

(* Keys from the whole universe, from a few, from its ends, and from close together. *)
let random_key state bits =
  let top = greatest bits in
  let any () =
    Random.State.bits state lor (Random.State.bits state lsl 30) lor (Random.State.bits state lsl 60)
  in
  match Random.State.int state 8 with
  | 0 -> 0
  | 1 -> top
  | 2 | 3 -> any () land 15 land top
  | 4 -> top - (any () land 63 land top)
  | 5 -> any () land 7 * 0x1234567 land top
  | _ -> any () land top

let random_op ?(raising = false) state key =
  match Random.State.int state 20 with
  | 0 -> Mem (key ())
  | 1 | 2 -> Find (key ())
  | 3 | 4 | 5 | 6 | 7 | 8 -> Add (key (), Random.State.int state 1000)
  | 9 | 10 | 11 | 12 -> Remove (key ())
  | 13 -> Update (key (), Count)
  | 14 -> Update (key (), if raising then Raise else Keep)
  | 15 -> Update (key (), Delete)
  | 16 -> Succ (key ())
  | 17 -> Pred (key ())
  | 18 -> if Random.State.bool state then Min else Max
  | _ -> Length

(* --- the structures --- *)

module type MAP = Weft_containers.Int_map.S
module type BATCHED = Weft_batch.Int_maps.S

let sequential : (string * (module MAP)) list =
  [
    ("veb", (module Weft_containers.Veb));
    ("x_fast", (module Weft_containers.X_fast));
    ("y_fast", (module Weft_containers.Y_fast));
  ]

let batched : (string * (module BATCHED)) list =
  [
    ("veb", (module Weft_batch.Veb));
    ("x_fast", (module Weft_batch.X_fast));
    ("y_fast", (module Weft_batch.Y_fast));
  ]

module Run (M : MAP) = struct
  let answer t op =
    match op with
    | Mem k -> Bool (M.mem t k)
    | Find k -> Value (M.find_opt t k)
    | Add (k, v) ->
        M.add t k v;
        Unit
    | Remove k -> Bool (M.remove t k)
    | Update (k, c) -> ( match M.update t k (change c) with v -> Value v | exception Planned -> Raised)
    | Succ k -> Binding (M.succ t k)
    | Pred k -> Binding (M.pred t k)
    | Min -> Binding (M.min_binding_opt t)
    | Max -> Binding (M.max_binding_opt t)
    | Length -> Int (M.length t)

  let bindings t = List.rev (M.fold (fun k v l -> (k, v) :: l) t [])

  let same_contents t o =
    M.check t;
    if M.length t <> o.size then Alcotest.failf "length %d instead of %d" (M.length t) o.size;
    if bindings t <> Oracle.bindings o.map then Alcotest.fail "other bindings";
    if List.of_seq (M.to_seq t) <> Oracle.bindings o.map then Alcotest.fail "other bindings in the sequence"
end

let compare_answers what op expected got =
  if expected <> got then
    Alcotest.failf "%s: %s: expected %s, got %s" what (show op) (show_answer expected) (show_answer got)
