(** Which structures the processor's caches may hold. *)

val holds : int -> bool
(** [holds n] is whether a structure of [n] bindings is mostly in the caches: up to 32,768, some two
    megabytes. To search such a structure before it is changed, only to load it, costs more than it saves. *)
