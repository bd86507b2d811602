(** See [publication.plain.mli]. *)

external read : 'record -> int = "%atomic_load"
val write : 'record -> int -> unit
