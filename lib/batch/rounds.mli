(** What an owner does for those in line. *)

val serve : 'p Service.t -> limit:int -> ('p array -> unit) -> unit
(** [serve t ~limit apply_all], by the owner, serves a batch of at most [limit], or gives somebody a turn, and
    passes the ownership on. What [apply_all] raises is raised when all that has been done. *)
