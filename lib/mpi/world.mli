(** The ranks of a program, as the loops see them. *)

type t

val make : ?is_of_job:bool -> Communicator.t -> t
(** Waits for all ranks of the communicator. [is_of_job] (default [false]): it is not freed. *)

val free : t -> unit
(** See {!Weft_mpi.free}. *)

val user : t -> Communicator.t
(** The communicator that it was made of. *)

val own : t -> Communicator.t
(** A duplicate, for the loops. *)

val rank : t -> int
val size : t -> int

val exclusive : who:string -> t -> (unit -> 'a) -> 'a
(** [exclusive ~who w f] is [f ()].
    @raise Invalid_argument if it is called in another [f], or beside one, or if [w] has been freed. *)

val current_function : t -> Values.kind
(** The kind of the values that the function in {!exclusive} exchanges. Those of another function are of
    another kind: so ranks that call different functions at the same time see that, and raise
    [Invalid_argument]. *)

(** {1 The counter}

    Rank 0 has an integer from which ranks draw the numbers of pieces. It is never set back: a loop counts
    from its {!base}, which all ranks add up alike. *)

val counter : t -> Window.t
(** Slot 0 of rank 0. The first call waits for all ranks. *)

val base : t -> int
val add_base : t -> int -> unit
