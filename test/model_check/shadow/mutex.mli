(** [Stdlib.Mutex], as a cell. *)

type t

val create : unit -> t

val is_whole : t -> bool
(** Whether its sections are single steps: see {!Section}. *)

val lock : t -> unit
(** One that is held {!Process.block}s. *)

val try_lock : t -> bool
val unlock : t -> unit
val protect : t -> (unit -> 'a) -> 'a
