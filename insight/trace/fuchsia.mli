(** Fuchsia's trace format, written as events come.

    The same events as in {!Chrome}, where Fuchsia has a word for them: spans, instants, asynchronous spans
    and counters with their arguments, and the names of rows. What is said about the trace as a whole is an
    instant of category [trace] and name [weft] at the end. Strings are written once and numbered. *)

type t

val create : Buffer.t -> began:int -> pid:int -> t
val event : t -> Event.t -> unit
val finish : t -> Event.about -> unit
