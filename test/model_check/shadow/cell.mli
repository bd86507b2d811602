(** An atomic word known to dscheck: between two operations on cells, and only there, other processes may run.
*)

type 'a t

val make : ?show:('a -> string) -> ?one_writer:bool -> ?steps:bool -> string -> 'a -> 'a t
(** [make name v] is a cell with value [v]. The name is for the schedule of a failed run. Making is no step.

    [one_writer] (default [false]) says that only one process ever writes: a second one that does fails the
    run. That process reads its own cell without a step, since it commutes with all that others do.

    [steps] (default [true]): if not, no operation on the cell is a step. For what one process after the other
    has to itself. *)

val constant : string -> 'a -> 'a t
(** A cell that nobody may write; reading it is no step. For what outlives the runs. *)

val claim : 'a t -> unit
(** The running process is the one writer. *)

val get : 'a t -> 'a
val set : 'a t -> 'a -> unit
val exchange : 'a t -> 'a -> 'a
val compare_and_set : 'a t -> 'a -> 'a -> bool
val fetch_and_add : int t -> int -> int
