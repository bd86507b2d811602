(** How Weft was built, for whoever looks into the file of a program that contains it: [weft doctor]. *)

val text : string
(** The line [weft-build version=VERSION profile=PROFILE], of dune's profile, between two newlines. *)
