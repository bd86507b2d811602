(** The names that the interfaces have, and where odoc's pages show them. *)

type t

val read : root:string -> string list -> t
(** [read ~root libraries] reads odoc's pages below the folder [root]: those of the given top modules, each as
    a path such as ["weft/Weft"].
    @raise Sys_error if a folder is missing. *)

val find : t -> string -> string option
(** [find api "Weft.Chan.send"] is the address of a module, module type, value, type, exception, constructor
    or field, relative to [root]. *)

val claims : t -> string -> bool
(** Whether a piece of code is meant as a name of one of these interfaces: a path that begins with one of
    their modules. If so and {!find} does not know it, it is wrong. *)

val values : t -> string list
(** The values of all pages that were read, in order. *)

val undocumented : t -> string list
(** The values and exceptions that have no comment, of all the pages that were read. *)
