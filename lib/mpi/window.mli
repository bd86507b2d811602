(** Integers of each rank that all ranks may change: see {!Mpi.Window}. *)

type t

val create : Communicator.t -> slots:int -> t
val slots : t -> int
val fetch_add : t -> rank:int -> slot:int -> int -> int
val exchange : t -> rank:int -> slot:int -> int -> int
val read : t -> rank:int -> slot:int -> int
val free : t -> unit

val free_all : unit -> unit
(** Frees the windows that nobody has freed. To be called before MPI is finalized. Waits for all ranks. *)

(** {1 In two steps, whether the fiber is cancelled or not} *)

type fetch

val start_fetch_add : t -> rank:int -> slot:int -> int -> fetch
(** Posts the operation, and does not wait for it. *)

val finish : fetch -> int
(** The old value, once it is there. *)
