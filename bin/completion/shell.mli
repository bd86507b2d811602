(** What both shells need. *)

val quoted : string -> string
(** In single quotes, whatever is in it. *)

val below : Help_page.t list -> Help_page.t -> Help_page.t list
(** The commands directly below one. *)

val last_word : Help_page.t -> string
(** [elastic] for [weft bench elastic]. *)
