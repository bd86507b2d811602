type strategy = First | Random_walk | Priorities of { depth : int; length : int }

type t = {
  seed : int;
  strategy : strategy;
  timers : bool;
  replay : string option;
  record : string option;
  patience : int;
}

let usual =
  { seed = 0; strategy = Random_walk; timers = true; replay = None; record = None; patience = 20_000 }

let usual_length = 1_000

exception Wrong of string

let natural key text =
  match int_of_string_opt text with
  | Some n when n >= 0 && text.[0] >= '0' && text.[0] <= '9' -> n
  | _ -> raise (Wrong (Printf.sprintf "%s is to be a number, not %S" key text))

let priorities t ?depth ?length () =
  let d, l = match t.strategy with Priorities p -> (p.depth, p.length) | _ -> (1, usual_length) in
  let depth = Option.value depth ~default:d and length = Option.value length ~default:l in
  { t with strategy = Priorities { depth = max 1 depth; length = max 1 length } }

let set t field =
  match String.index_opt field '=' with
  | None when field = "first" -> { t with strategy = First }
  | None when field = "no-timers" -> { t with timers = false }
  | None -> { t with seed = natural "the seed" field }
  | Some i -> (
      let value = String.sub field (i + 1) (String.length field - i - 1) in
      match String.sub field 0 i with
      | "seed" -> { t with seed = natural "seed" value }
      | "depth" -> priorities t ~depth:(natural "depth" value) ()
      | "length" -> priorities t ~length:(natural "length" value) ()
      | "patience" -> { t with patience = max 1 (natural "patience" value) }
      | "replay" -> { t with replay = Some value; strategy = First }
      | "record" -> { t with record = Some value }
      | key -> raise (Wrong (Printf.sprintf "there is no %S" key)))

let of_string text =
  match List.fold_left set usual (String.split_on_char ',' (String.trim text)) with
  | t -> Ok t
  | exception Wrong why -> Error why
