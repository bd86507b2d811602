(** Puts gnuplot's vector pictures into a page. *)

val inline : prefix:string -> label:string -> string -> (string, string) result
(** [inline ~prefix ~label file] is the element [svg] of the picture whose file has the text [file]. It has no
    background, its colours of the {!Palette} are replaced by the variables of the page's style sheet, and its
    names begin with [prefix], so that a page can contain many pictures. [label] describes the picture in
    words. [Error] if [file] is no picture of gnuplot. *)
