(** Damage done to a file: what a disk, a wrong program or somebody of ill will may make of it. *)

val damaged : Random.State.t -> string -> string
(** [damaged random text] is [text] with one to four changes: bytes flipped, parts left out, repeated, swapped
    or cut off, numbers replaced by extreme ones, words by hostile ones, brackets by many. *)

val hostile_names : string list
(** Names that must not come through to a terminal, a page or a spreadsheet as they are. *)
