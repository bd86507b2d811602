(** Hands on the events of a {!Timeline}: counts them, and drops or clips those from before its beginning. *)

type t

val create : from:int -> (Event.t -> unit) -> t

val from : t -> int
(** The beginning: spans that began before it begin then; what had ended before is dropped. *)

val emit :
  t ->
  track:int ->
  time:int ->
  ?arguments:(string * Event.argument) list ->
  Category.t ->
  string ->
  Event.shape ->
  unit

val add : t -> Event.t -> unit
(** Hands on the event unchanged. *)

val events : t -> int
(** The number of events handed on. *)

val unfinished : string * Event.argument
(** The argument of a span that is ended because nothing more is known about it. *)
