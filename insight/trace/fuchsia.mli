(** Fuchsia's trace format, written as events come.

    It contains the same events as {!Chrome}, as far as Fuchsia has them: spans, instants, asynchronous spans
    and counters with their arguments, and the names of rows. The facts about the trace as a whole are the
    arguments of an instant with category [trace] and name [weft] at the end. Strings are written once and
    numbered. *)

type t

val create : Buffer.t -> began:int -> pid:int -> t
val event : t -> Event.t -> unit
val finish : t -> Event.about -> unit
