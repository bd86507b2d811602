type t = (string, int * int) Hashtbl.t

let create () = Hashtbl.create 64

let note t (raw : Event.raw) =
  match (raw.category, Event.int "by" raw.arguments) with
  | Wake, Some by -> Hashtbl.replace t raw.id (raw.time, by)
  | _ -> ()

(* Ids come again after very many others; the clocks of two processors may differ a little. *)
let most_apart = 1_000_000

let of_wait t ~id (category : Category.t) ~start ~stop : Event.arguments =
  match (category, Hashtbl.find_opt t id) with
  | (Lock | Channel | Suspend), Some (time, by) when time >= start - most_apart && time <= stop + most_apart
    ->
      [ ("by", `Int by); ("woken_after_ns", `Int (max 0 (min stop time - start))) ]
  | _ -> []
