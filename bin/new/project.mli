(** The project that [weft new] makes. *)

val check_name : string -> (string, string) result
(** The name, if a project may be called so; else why not. *)

val make : string -> (unit, string) result
(** [make name] makes the folder [name] in the current one. It is there whole, under a name that was free, or
    not at all; an [Error] says why. *)
