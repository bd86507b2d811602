(** A key-value server: a batched map behind a socket. A connection is a fiber; those that meet at the map
    become a batch. *)

type t

val listen : ?connections:int -> ?idle:float -> port:int -> unit -> t
(** A server on the loopback address only. [port] 0 is a free one. It serves at most [connections] (256) at
    the same time: a further one is told so with an [ERROR] line, and closed; once a client has seen its
    connection end, there is room for another. A connection that has sent nothing for [idle] (300) seconds is
    told so with an [ERROR] line, and closed; with [idle] 0, never.

    @raise Unix.Unix_error if the port is not to be had. *)

val port : t -> int

val run : t -> until:(unit -> unit) -> unit
(** [run t ~until] serves until [until ()] returns. Then it takes no more connections and reads no more from
    those it has; it answers what it has read, closes all, and returns. Who does not take its replies for 10
    seconds is disconnected. *)

val served : t -> int * int
(** How many connections and requests there have been. *)

val map_stats : t -> Weft_batch.Stats.t
