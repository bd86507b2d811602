(** gnuplot's vector pictures, made part of a page. *)

val inline : prefix:string -> label:string -> string -> (string, string) result
(** [inline ~prefix ~label file] is the element [svg] of the picture whose file has the text [file]. Its
    background is gone, the colours of the {!Palette} are the variables of the page's style sheet, and its
    names begin with [prefix], so that many can be in one page. [label] says in words what it shows. [Error]
    if [file] is no picture of gnuplot's. *)
