(** What the cases of [subject] share. A case that finds a fault raises, which ends the job. *)

val same : string -> 'a -> 'a -> unit
(** @raise Failure with this text unless the two are equal, as [Stdlib.compare] has it. *)

val raises : string -> (exn -> bool) -> (unit -> 'a) -> unit
(** The function must raise an exception for which the predicate holds. *)

val is_misuse : exn -> bool
(** [Invalid_argument]. *)

val say : Weft_mpi.world -> ('a, unit, string, unit) format4 -> 'a
(** Prints a line, on rank 0. *)

val floats : int -> (int -> float) -> (float, Bigarray.float64_elt, Bigarray.c_layout) Bigarray.Array1.t
val ints : int -> (int -> int) -> (int, Bigarray.int_elt, Bigarray.c_layout) Bigarray.Array1.t
val list : ('a, 'k, Bigarray.c_layout) Bigarray.Array1.t -> 'a list

val until_none_pending : unit -> unit
(** Waits until the communication thread has no requests. *)

val agreed : Weft_mpi.world -> string -> (unit -> 'a) -> unit
(** One rank has the exception, all others know its text. All ranks call this. *)
