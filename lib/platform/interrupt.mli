(** Steps that an exception from a signal handler must not leave half done.

    OCaml runs signal handlers where code allocates or loops, and a handler may raise ([Sys.Break]). Where the
    scheduler has taken a fiber off one queue and not yet put it into the next, such an exception would lose
    it. *)

val complete : (unit -> unit) -> unit
(** [complete f] is [f ()]; if an exception ends that, [f] is called again until it returns, and then the
    (first) exception is raised. [f] must be such that calling it again does what is left to do. An exception
    that comes back 1,000 times is no signal's, and is raised at once. *)

val insist : ('a -> 'b -> unit) -> 'a -> 'b -> unit
(** [insist f x y] is [f x y], again and again while exceptions end it, at most 1,000 times: for who deals
    with one already; those that come meanwhile are dropped. It allocates nothing itself. *)
