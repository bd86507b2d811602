(* Operations in a form without type parameters, and their meaning on Stdlib.Map. *)

module Model = Map.Make (Int)

exception Planned

type op =
  | Mem of int
  | Find of int
  | Add of int * int
  | Remove of int
  | Update of int * int
    (* adds to the bound value, if any; unbinds if the sum is divisible by 3, raises if it is
                   by 5 *)
  | Succ of int
  | Pred of int
  | Min
  | Max
  | Length

type result =
  | Unit
  | Bool of bool
  | Value of int option
  | Binding of (int * int) option
  | Int of int
  | Raised of exn

let updated d before =
  let sum = Option.value before ~default:0 + d in
  if sum mod 5 = 0 then raise Planned else if sum mod 3 = 0 then None else Some sum

let step m op =
  match op with
  | Mem k -> (Bool (Model.mem k m), m)
  | Find k -> (Value (Model.find_opt k m), m)
  | Add (k, v) -> (Unit, Model.add k v m)
  | Remove k -> (Bool (Model.mem k m), Model.remove k m)
  | Update (k, d) -> (
      let before = Model.find_opt k m in
      match updated d before with
      | exception Planned -> (Raised Planned, m)
      | after -> (Value before, Model.update k (fun _ -> after) m))
  | Succ k -> (Binding (Model.find_first_opt (fun x -> x > k) m), m)
  | Pred k -> (Binding (Model.find_last_opt (fun x -> x < k) m), m)
  | Min -> (Binding (Model.min_binding_opt m), m)
  | Max -> (Binding (Model.max_binding_opt m), m)
  | Length -> (Int (Model.cardinal m), m)

let on_one_key = function
  | Mem _ | Find _ | Add _ | Remove _ | Update _ -> true
  | Succ _ | Pred _ | Min | Max | Length -> false

let show = function
  | Mem k -> Printf.sprintf "Mem %d" k
  | Find k -> Printf.sprintf "Find %d" k
  | Add (k, v) -> Printf.sprintf "Add (%d, %d)" k v
  | Remove k -> Printf.sprintf "Remove %d" k
  | Update (k, d) -> Printf.sprintf "Update (%d, %d)" k d
  | Succ k -> Printf.sprintf "Succ %d" k
  | Pred k -> Printf.sprintf "Pred %d" k
  | Min -> "Min"
  | Max -> "Max"
  | Length -> "Length"

let show_all ops = String.concat "; " (List.map show ops)

let op rand key =
  let k = key () in
  match Random.State.int rand 24 with
  | 0 | 1 -> Mem k
  | 2 | 3 | 4 | 5 -> Find k
  | 6 | 7 | 8 | 9 | 10 | 11 -> Add (k, Random.State.int rand 1000)
  | 12 | 13 | 14 | 15 -> Remove k
  | 16 | 17 | 18 -> Update (k, Random.State.int rand 1000)
  | 19 -> Succ k
  | 20 -> Pred k
  | 21 -> Min
  | 22 -> Max
  | _ -> Length

(* Few keys or many, spread or close together. *)
let keys rand =
  match Random.State.int rand 6 with
  | 0 -> fun () -> Random.State.int rand 3
  | 1 -> fun () -> Random.State.int rand 30
  | 2 -> fun () -> Random.State.int rand 1000
  | 3 -> fun () -> Random.State.bits rand
  | 4 ->
      let next = ref (-200) in
      fun () ->
        next := !next + Random.State.int rand 3;
        !next
  | _ -> fun () -> [| min_int; min_int + 1; -1; 0; 1; max_int - 1; max_int |].(Random.State.int rand 7)

let ops rand n =
  let key = keys rand in
  List.init n (fun _ -> op rand key)

let lengths = QCheck.Gen.(frequency [ (2, int_bound 8); (4, int_bound 100); (2, int_bound 1500) ])

let programs =
  let generate =
    QCheck.Gen.(map2 (fun n seed -> ops (Random.State.make [| seed |]) n) lengths (int_bound 1_000_000))
  in
  QCheck.make ~print:show_all ~shrink:QCheck.Shrink.list generate

let pairs = QCheck.pair programs programs

let check ~count name arbitrary property =
  QCheck.Test.check_exn ~rand:(Random.State.make [| 7 |])
    (QCheck.Test.make ~count:(Testing.Effort.few count) ~name arbitrary property)

let same what expected got = expected = got || QCheck.Test.fail_reportf "%s: the results differ" what
