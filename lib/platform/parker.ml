type t
type outcome = Token | Timed_out | Interrupted

external create : interruptible:bool -> t = "weft_parker_make"

(* The constant constructors of [outcome] are the stub's result codes, in order. *)
external wait : t -> int -> outcome = "weft_park"
external unpark : t -> unit = "weft_unpark" [@@noalloc]
external unpark_waiting : t -> bool = "weft_unpark_waiting" [@@noalloc]

let park p = wait p (-1)
let park_for p seconds = wait p (Float.to_int (Float.max 0. (Float.min seconds 1e9) *. 1e9))
