(** How a call that finds the structure busy gets its turn: it spins ({!Spin_policy}), then pushes itself onto
    the publication list and waits to be told. *)

val publish : 'p Combiner.t -> (Waiters.t -> 'p Combiner.word) -> Spin_policy.t -> what:string -> Waiters.turn
(** [publish t word spin ~what] pushes [word caller] and waits until the caller is told; [Entered] if the
    structure is free by then. A caller that is told to lead serves the list before this returns, and is
    [Served]. Suspends. *)

val enter : 'p Combiner.t -> what:string -> unit
(** The caller is the owner when this returns. Suspends.
    @raise Combiner.Reentrant in the name [what]. *)
