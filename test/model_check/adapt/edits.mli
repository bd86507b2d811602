(** How the copies of Weft's sources differ from the originals. *)

val adaptations : Edit.t list
(** What makes them work on cells; nothing that a process can do differs. *)

val mutants : Edit.mutant list
