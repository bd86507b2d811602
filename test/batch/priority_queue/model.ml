(* The meaning: a map indexed by priority and number of arrival. *)

module Pairs = Map.Make (struct
  type t = int * int

  let compare (p, a) (q, b) = match Int.compare p q with 0 -> Int.compare a b | c -> c
end)

type t = { mutable pairs : int Pairs.t; mutable arrivals : int }

let create () = { pairs = Pairs.empty; arrivals = 0 }

let push t p v =
  t.pairs <- Pairs.add (p, t.arrivals) v t.pairs;
  t.arrivals <- t.arrivals + 1

let min_opt t = Option.map (fun ((p, _), v) -> (p, v)) (Pairs.min_binding_opt t.pairs)

let pop_min t =
  Option.map
    (fun ((p, a), v) ->
      t.pairs <- Pairs.remove (p, a) t.pairs;
      (p, v))
    (Pairs.min_binding_opt t.pairs)

let length t = Pairs.cardinal t.pairs
let to_list t = List.map (fun ((p, _), v) -> (p, v)) (Pairs.bindings t.pairs)

(* {2 Priorities of every kind} *)

type priorities = Uniform | Few | Equal | Ascending | Descending | Extremes | Near of int

let kinds = [| Uniform; Few; Equal; Ascending; Descending; Extremes; Near 10; Near 1000 |]
let kind rand = kinds.(Random.State.int rand (Array.length kinds))

(* The [i]-th priority, when the smallest in the queue is [least]. *)
let priority rand kind i least =
  match kind with
  | Uniform -> Random.State.bits rand - (1 lsl 29)
  | Few -> Random.State.int rand 5
  | Equal -> 3
  | Ascending -> i
  | Descending -> -i
  | Extremes -> [| min_int; max_int; 0 |].(Random.State.int rand 3)
  | Near range -> least + Random.State.int rand range

let check_seed ?(count = 50) name property =
  Testing.Watchdog.case name (fun () ->
      let test =
        QCheck.Test.make ~count:(Testing.Effort.few count) ~name
          QCheck.(make ~print:Print.int (Gen.int_bound 1_000_000))
          (fun seed -> property (Random.State.make [| seed |]))
      in
      QCheck.Test.check_exn ~rand:(Random.State.make [| 5 |]) test)
