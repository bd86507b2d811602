(** Makes a list of choices shorter as long as what is left still fails. *)

val shrink : tries:int -> ('a list -> 'a list option) -> 'a list -> 'a list
(** [shrink ~tries still_fails choices]: [still_fails] gets a shorter list; it is [Some made], the choices
    that the run really made, if the run still fails. At most [tries] calls. At the end, neither one nor two
    neighbours can be left out, unless [tries] was not enough. *)
