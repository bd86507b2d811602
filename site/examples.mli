(** Which functions have an example: a program of the repository that names them. *)

type t

val read : string -> t
(** All programs ([.ml]) below a folder.
    @raise Sys_error if there is none. *)

val shows : t -> string -> bool
(** [shows examples "Weft.Chan.send"]: whether some program says [Chan.send]. The module's name may be that of
    an [open] or an alias's target, so only its last part is looked at; operators count where they stand. *)
