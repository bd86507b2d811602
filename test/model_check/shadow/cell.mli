(** An atomic word known to dscheck: between two operations on cells, and only there, other processes may run.
*)

type 'a t

val make : ?show:('a -> string) -> ?one_writer:bool -> ?steps:bool -> string -> 'a -> 'a t
(** [make name v] is a cell with value [v]. The name appears in the schedule of a failed run. Making a cell is
    no step.

    [one_writer] (default [false]) says that only one process ever writes: if a second one does, the run
    fails. The writer reads its own cell without a step, since that read commutes with all that others do.

    [steps] (default [true]): if [false], no operation on the cell is a step. For cells that only one process
    at a time uses. *)

val constant : string -> 'a -> 'a t
(** A cell that nobody may write; reading it is no step. For values that outlive the runs. *)

val claim : 'a t -> unit
(** Makes the running process the one writer. *)

val get : 'a t -> 'a
val set : 'a t -> 'a -> unit
val exchange : 'a t -> 'a -> 'a
val compare_and_set : 'a t -> 'a -> 'a -> bool
val fetch_and_add : int t -> int -> int
