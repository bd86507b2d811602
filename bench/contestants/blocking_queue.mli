(** A first-in-first-out queue as written by hand for threads: OCaml's [Queue] under a [Mutex], with one
    [Condition] for threads that wait for an element, and one for threads that wait for room. *)

type 'a t

val create : int -> 'a t
(** [create capacity] is an empty queue for that many elements, at least 1. [max_int]: no limit. *)

val send : 'a t -> 'a -> unit
(** [send q x] puts [x] at the end of [q]; blocks the calling thread while [q] is full. *)

val recv : 'a t -> 'a
(** [recv q] takes the first element; blocks the calling thread while there is none. *)
