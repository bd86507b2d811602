(** A deque as one word, for scenarios that are about something else and too large with the real one: what the
    deque's own scenarios show it to be. Pushing is one step; a steal that loses a race for the top fails, as
    the real one does. *)

val use : bool -> unit
(** Whether the deques of this run are these. {!Process.restart} ends it. *)

val used : unit -> bool

type 'a t

val create : unit -> 'a t
val push : 'a t -> 'a -> unit
val pop : 'a t -> nil:'a -> 'a
val steal : 'a t -> nil:'a -> 'a
val size : 'a t -> int
