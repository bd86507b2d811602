(** [weft trace] and [weft attach]. *)

val trace : int Cmdliner.Cmd.t
val attach : int Cmdliner.Cmd.t
