(** The counters of a structure. Only its owner writes them; readers may see slightly older values. *)

type t

val make : unit -> t

val in_place : t -> unit
(** A call was applied in place. *)

val batch : t -> size:int -> parallel:bool -> ticks:int -> unit
(** A batch has been applied, in [ticks] ticks. *)

val operations : t -> int
(** How many have been applied, in both ways. *)

val joined : t -> int -> unit
(** So many calls of the batch had joined the list and waited. *)

val waited : t -> int -> unit
(** A thread, or the first fiber of a party, has waited for a batch for so many ticks. *)

val stats : t -> Cutoff.t -> Stats.t
