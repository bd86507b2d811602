(** Child processes: see {!Weft_unix}. *)

type completed = { status : Unix.process_status; stdout : string; stderr : string }

val waitpid : ?timeout:float -> int -> Unix.process_status
val stop : ?grace:float -> int -> Unix.process_status

exception Timed_out of completed

val run :
  ?timeout:float ->
  ?grace:float ->
  ?group:bool ->
  ?env:string array ->
  ?stdin:string ->
  string list ->
  completed
