(** The lines of a file, read in blocks of bytes. *)

val source : ?block:int -> string -> string Source.t
(** [source path] has a position for every [block] bytes (default: by the size of the file). A line belongs to
    the block in which its first byte lies: the task that reads that block reads on to the line's end. Every
    iteration opens the file itself, and closes it whatever happens. *)
