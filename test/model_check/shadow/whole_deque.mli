(** A deque as one word, for scenarios that test something else and would be too large with the real one. It
    behaves as the deque's own scenarios show. Pushing is one step; a steal that loses a race for the top
    fails, as in the real deque. *)

val use : bool -> unit
(** Whether the deques of this run are whole ones. {!Process.restart} ends it. *)

val used : unit -> bool

type 'a t

val create : unit -> 'a t
val push : 'a t -> 'a -> unit
val pop : 'a t -> nil:'a -> 'a
val steal : 'a t -> nil:'a -> 'a
val size : 'a t -> int
