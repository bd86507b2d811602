(** Operations that one fiber makes, {!Methods.piece} at a time.

    Each function prepares the operations [workload] on [map], and returns what performs them. The answers go
    into [answers]. *)

type 'm many := (module Subject.MANY with type t = 'm)

val exec_many : 'm many -> 'm -> Workload.t -> Bytes.t -> unit -> unit
(** [exec_many many map workload answers] are the operations of each piece as at most three batches: its
    searches, its adds, its removals. *)

val submit : 'm many -> 'm -> Workload.t -> Bytes.t -> unit -> unit
(** [submit many map workload answers] submits all operations of a piece, in order, and awaits them. *)
