(** A gate: one item of a pipeline waits there until the item before it opens it, when that leaves a stage or
    fails. *)

type t

val shut : unit -> t
val opened : unit -> t

val pass : t -> unit
(** Waits until the gate is open; one caller at most. May be cancelled. *)

val is_open : t -> bool
(** Whether {!pass} would return at once. One load. *)

val unlock : t -> unit
(** Opens the gate, if it is not open yet. Never waits. *)
