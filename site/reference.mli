(** Odoc's pages as pages of this site: with a way back to the first page, and links from the names that
    comments speak of. *)

val page :
  output:string -> api:(string -> string option) -> claims:(string -> bool) -> string -> string * string list
(** [page ~output ~api ~claims html] is the page for the place [output], and the names in it that no interface
    has. [api] and [claims] are as in {!Article.of_html}. *)
