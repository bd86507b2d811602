(** Chrome's trace event format, written as events come: see doc/trace-format.md. *)

type t

val create : Buffer.t -> began:int -> pid:int -> t
(** Text is added to the buffer, which the caller may empty at any time. [began] is the time 0 of the file. *)

val event : t -> Event.t -> unit

val finish : t -> Event.about -> unit
(** Must be called once, at the end. *)
