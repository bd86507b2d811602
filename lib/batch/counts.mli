(** What a structure counts. Only its owner writes; readers may see slightly older values. *)

type t

val make : unit -> t

val in_place : t -> unit
(** A call was applied in place. *)

val batch : t -> size:int -> parallel:bool -> ticks:int -> unit
(** A batch has been applied in so many ticks. *)

val operations : t -> int
(** How many have been applied, in both ways. *)

val waited : t -> int -> unit
(** A thread that waited for a batch, or the first of some fibers, did so for so many ticks. *)

val stats : t -> Cutoff.t -> Stats.t
