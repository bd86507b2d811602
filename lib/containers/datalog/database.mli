(** Facts, what follows from them, and changes to both. *)

type t

val create : Runner.t -> Analysis.t -> t

(** {1 Changes} *)

type change = Assert of Syntax.atom | Retract of Syntax.atom

val change : t -> change array -> (bool, Syntax.error) result array
(** Makes the changes in order, then evaluates all of them together. The result of [Assert] is whether the
    fact is new, that of [Retract] whether it was there. A change that is an error changes nothing. If
    evaluation raises (because the runner did, or memory ran out), the facts are what they were before, and
    the database {!is_stale} until {!refresh}. *)

val is_stale : t -> bool
(** Whether what follows from the facts must be computed anew before anybody reads it. *)

val refresh : t -> unit
(** Computes what follows from the facts, if {!is_stale}. *)

(** {1 Reading} *)

val source : t -> making_indexes:bool -> Reading.source
val relation : t -> string -> Relation.t option

val check : t -> unit
(** @raise Failure if the representation is not as it should be. *)
