(** Events on their way out of a {!Timeline}: counted, and nothing from before its beginning. *)

type t

val create : from:int -> (Event.t -> unit) -> t

val from : t -> int
(** What began before began then; what was over is not told. *)

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
(** As it is. *)

val events : t -> int
(** So many were handed on. *)

val unfinished : string * Event.argument
(** Of a span that is ended because nothing more is known. *)
