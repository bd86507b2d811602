(** The maps of {!Weft_batch}, each with its sequential twin. *)

val all : Map_benchmarks.structure list
