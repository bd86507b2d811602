(** Completion for bash, 3.2 or later, with or without the package bash-completion. *)

val script : Help_page.t list -> string
(** The file to be sourced, made from the pages of all commands, including that of [weft]. *)
