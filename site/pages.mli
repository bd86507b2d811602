(** Which documents become pages, and in what order they are listed. *)

type t = {
  source : string;  (** in the repository *)
  output : string;
  name : string;  (** in the list of pages *)
}

val groups : (string * t list) list
(** By heading of the list. *)

val all : t list
val home : t

val libraries : string list
(** The public libraries, as odoc's folder of each: what names in documents may mean. *)

val interfaces : (string * string) list
(** Sources that documents link to, and odoc's page of each, in its folder. *)
