(** [Stdlib.Mutex], as a cell. *)

type t

val create : unit -> t

val is_whole : t -> bool
(** Whether the mutex's sections are single steps: see {!Section}. *)

val lock : t -> unit
(** {!Process.block}s if the mutex is held. *)

val try_lock : t -> bool
val unlock : t -> unit
val protect : t -> (unit -> 'a) -> 'a
