(** Changes of a text: applying them, and showing them as a unified diff. *)

type t = { span : Sexp.span; by : string }
(** What is in [span] is to be replaced [by] this. *)

val apply : string -> t list -> string
(** [apply text edits]: in any order, not overlapping. What lies between them stays byte for byte. *)

val lines : string -> int -> int
(** [lines text at] is the number, from 1, of the line of the byte [at]. [lines text] goes through [text]
    once, for any number of [at]. *)

val diff : path:string -> string -> t list -> string
(** [diff ~path text edits] is what [patch -p1] and [git apply] understand, with three lines of context. Empty
    if there are no edits. *)
