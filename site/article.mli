(** A document as the inside of a page: headings that can be linked to, links that lead to pages, names that
    lead to interfaces. *)

type heading = { level : int; id : string; title : string  (** HTML *) }

type t = {
  title : string;  (** plain text: the first heading *)
  heading : string;  (** the same as HTML *)
  body : string;  (** what follows it *)
  headings : heading list;  (** in the body *)
  problems : string list;  (** names that no interface has *)
}

val first_word : string -> string
(** The name that a piece of code begins with: [Weft.par] of [Weft.par f g]. *)

val until : string -> Html.token list -> Html.token list -> Html.token list * Html.token list
(** [until name [] tokens]: what stands before the first [Close name], and what behind it. *)

val of_html :
  link:(string -> string) ->
  image:(string -> string) ->
  api:(string -> string option) ->
  claims:(string -> bool) ->
  string ->
  t
(** [of_html ~link ~image ~api ~claims html]. [link address] is what becomes of the address of a link that has
    no scheme and is no mere [#anchor]; [image] likewise of pictures. Code whose first word is a name leads to
    [api name], relative to the page; if there is none though [claims name], it is a problem. A list of
    contents above the first heading is left out: what is around the page has one. *)
