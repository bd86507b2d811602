(** Functions for both shells. *)

val quoted : string -> string
(** The text in single quotes, with any quotes in it escaped. *)

val below : Help_page.t list -> Help_page.t -> Help_page.t list
(** The commands directly below a command. *)

val last_word : Help_page.t -> string
(** [elastic] for [weft bench elastic]. *)
