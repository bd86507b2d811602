(** How long a worker without work keeps its domain.

    A domain that waits costs next to nothing, except at a collection: then all domains stop, and it takes
    part through a thread that has to be scheduled for it. So it ends when some collections have come while it
    waited, and else stays for a while, so that work after a pause finds it there. *)

type limits = {
  least : float;  (** seconds that it waits at least *)
  most : float;  (** seconds that it waits at most, if nobody collects *)
}

val none : limits
(** It does not wait. *)

type t

val begin_ : limits -> 'a Deque.t -> Parker.t -> t
(** The calling worker has no work from now on: it waits at its parker, for {!left} seconds at a time. When
    there have been some collections, the parker gets a token, and {!left} is shorter. The deque is the
    worker's, and adopted. *)

val left : t -> float
(** Seconds until the domain shall end; negative, if it is late. Time counts on while the worker is woken in
    between. *)

val postpone : t -> unit
(** The domain is needed. {!left} begins anew, twice as long each time, at most 0.1 s. *)

val end_ : 'a Deque.t -> unit
(** The worker has work, and gets no such token any more. *)
