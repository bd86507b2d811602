type t = { from : int; into : int; amount : int }

let to_string { from; into; amount } = Printf.sprintf "%d %d %d" from into amount

let of_string s =
  match List.map int_of_string_opt (String.split_on_char ' ' s) with
  | [ Some from; Some into; Some amount ] when from >= 0 && into >= 0 -> Some { from; into; amount }
  | _ -> None

let random state ~accounts =
  let from = Random.State.int state accounts in
  let into = (from + 1 + Random.State.int state (accounts - 1)) mod accounts in
  { from; into; amount = 1 + Random.State.int state 100 }
