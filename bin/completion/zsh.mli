(** Completion for zsh. *)

val script : Help_page.t list -> string
(** The file [_weft] for a folder of [fpath], made from the pages of all commands, including that of [weft].
*)
