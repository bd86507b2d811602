(** Texts that programs have written. *)

val contains : string -> string -> bool
(** [contains part text]: whether [part] occurs in [text]. *)

val check_contains : string -> part:string -> string -> unit
(** [check_contains what ~part text] fails with [what] and both texts, unless [part] occurs in [text]. *)

val lines : string -> string list
(** The lines of a text that are not empty. *)

val read : string -> string
(** What is in the file of that path. *)
