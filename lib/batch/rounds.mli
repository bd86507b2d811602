(** What an owner does for those in line. *)

val make : 'p Combiner.t -> limit:int -> ('p array -> unit) -> unit -> unit
(** [make t ~limit apply_all] is a round, to be called by the owner, under
    {!Weft_platform.Interrupt.complete}: it serves a batch of at most [limit], or gives somebody a turn, and
    passes the ownership on. If an exception ends it, the next call goes on where it was. What [apply_all]
    raises it raises; and [apply_all] is not called again. *)
