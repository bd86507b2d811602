(** Communicators: groups of ranks with messages of their own. See {!Mpi.Comm}. *)

type t

val main : t -> Raw.comm
(** For the messages and collectives of users.
    @raise Invalid_argument if it has been freed. *)

val side : t -> Raw.comm
(** A duplicate of it, for messages of the library's own. *)

val next_tag : t -> int
(** For a message on {!side} that this rank sends: from 0 to 32,767, then again from 0. *)

val make_world : unit -> t
(** Once, by a thread; waits for all ranks. *)

val world : unit -> t
(** @raise Invalid_argument before {!make_world}. *)

val rank : t -> int
val size : t -> int
val duplicate : t -> t
val split : t -> ?key:int -> int -> t
val try_split : t -> ?key:int -> int option -> t option
val split_by_node : t -> t
val free : t -> unit

val meet : what:string -> t -> unit
(** Returns when all ranks have come here: then what waits for them in MPI is short. Not cancellable. *)

val check_rank : who:string -> t -> int -> unit
(** @raise Invalid_argument if there is no such rank. *)
