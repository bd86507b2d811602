(** What is around each page: odoc's style, the list of pages, the contents. *)

val page :
  output:string -> title:string -> heading:string -> headings:Article.heading list -> string -> string
(** [page ~output ~title ~heading ~headings body] is a whole page, for the place [output]. *)

val source : output:string -> path:string -> string -> string
(** A source file as a page; [path] is its name in the repository. *)

val folder : output:string -> path:string -> (string * string) list -> string
(** A folder of sources as a page: names and addresses. *)

val home : output:string -> string
(** A link from the page [output] to the first page. *)

val folds : output:string -> contents:string -> string
(** What stands above the text where there is no room at the side: the list of pages, and [contents], both to
    be unfolded. *)

val pages_at_the_side : output:string -> string
(** The list of pages, where there is room. *)

val style : string
(** What the file [site.css] is to hold. *)
