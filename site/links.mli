(** Dead links: every address in a folder of pages that leads into it must lead to a file, and to a place in
    it. *)

type problem = { page : string; address : string; reason : string }

val check : string -> problem list
(** [check folder] looks at all [.html] files below [folder]. Addresses of other machines are not looked at.
*)

val unreachable : string -> from:string -> string list
(** [unreachable folder ~from:"index.html"]: the pages to which no path of links leads. *)
