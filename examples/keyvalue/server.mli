(** A key-value server: a batched map behind a socket. Each connection is a fiber; the requests of several
    that meet at the map become a batch. *)

type t

val listen : ?connections:int -> ?idle:float -> port:int -> unit -> t
(** A server on the loopback address only. [port] 0 is a free one. It serves at most [connections] (256) at
    the same time: a further one gets an [ERROR] line, and is closed; once a client has seen its connection
    end, there is room for another. A connection that has sent nothing for [idle] (300) seconds gets an
    [ERROR] line, and is closed; with [idle] 0, never.

    @raise Unix.Unix_error if the port is not available. *)

val port : t -> int

val run : t -> until:(unit -> unit) -> unit
(** [run t ~until] serves until [until ()] returns. Then it accepts no more connections and reads no more from
    those it has; it answers the requests that it has read, closes all, and returns. A client that does not
    read its replies for 10 seconds is disconnected. *)

val served : t -> int * int
(** The numbers of connections and requests so far. *)

val map_stats : t -> Weft_batch.Stats.t
