(** Whether the holder of a pipeline's baton keeps it, or passes it on with each item.

    To pass it on lets another domain produce the next item at once, and costs each item about a microsecond,
    for the baton and the items' gates move from processor to processor. To keep it lets items pass in turn.
    Which of the two is faster depends on the items, the stages and the machine. So both are measured: now and
    then the holder tries the other one for some hundreds of items, and stays with it if they followed each
    other faster. It tries less and less often while nothing changes. Items that take several microseconds are
    passed on, and nothing is tried. *)

type t
(** Used by the holder of the baton alone. *)

val make : ?clock:(unit -> int) -> always_pass:bool -> unit -> t
(** [always_pass]: it never keeps the baton, and reads no clock. [clock] is {!Weft_platform.Tsc.now} if it is
    left out. *)

val next : t -> unit
(** Before each item. Reads the clock for one of 32. *)

val keeps : t -> bool
(** One load. *)

val surprise : t -> unit
(** The holder keeps the baton, and had to wait all the same. After three of these in 32 items it passes the
    baton on for a while. *)
