type mix = { name : string; doc : string; searches : int; adds : int }

let insert = { name = "insert"; doc = "adds"; searches = 0; adds = 100 }
let search = { name = "search"; doc = "searches"; searches = 100; adds = 0 }
let half = { name = "half"; doc = "50 % searches, 50 % adds"; searches = 50; adds = 50 }
let mostly_search = { name = "mostly_search"; doc = "90 % searches, 10 % adds"; searches = 90; adds = 10 }
let delete = { name = "delete"; doc = "40 % searches, 40 % adds, 20 % removals"; searches = 40; adds = 40 }
let mixes = [ insert; search; half; mostly_search; delete ]

type kind = Search | Add | Remove
type t = { before : int array; operations : int array }

(* The two lowest bits are the kind. *)
let kind_of operation = match operation land 3 with 0 -> Search | 1 -> Add | _ -> Remove
let key_of operation = operation lsr 2
let encode kind key = (key lsl 2) lor match kind with Search -> 0 | Add -> 1 | Remove -> 2
let value_before key = -1 - key

let make mix pattern ~range ~before n =
  let random = Random.State.make [| range; before; n |] in
  let before = Keys.spread random ~range before in
  let position = Keys.positions pattern random ~range ~count:n in
  let part = if before = [||] then range else range / Array.length before in
  let bound_next_to x = before.(min (x / part) (Array.length before - 1)) in
  let may_move = match pattern with Keys.Equal -> false | _ -> before <> [||] in
  let operation i =
    let x = position i in
    let percent = Random.State.int random 100 in
    if percent < mix.adds then encode Add x
    else
      let key = if may_move && Random.State.bool random then bound_next_to x else x in
      encode (if percent < mix.adds + mix.searches then Search else Remove) key
  in
  { before; operations = Array.init n operation }
