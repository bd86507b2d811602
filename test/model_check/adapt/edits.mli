(** How the copies of Weft's sources differ from the originals. *)

val adaptations : Edit.t list
(** The edits that make the sources use cells; they change nothing that a process can do. *)

val mutants : Edit.mutant list
