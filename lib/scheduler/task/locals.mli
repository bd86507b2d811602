(** What is bound where code runs: the values of [Weft.Local.Task_local].

    The promise: what is bound around an expression is what everything sees that the expression starts,
    wherever that runs; and a program that binds nothing pays nothing for it, above all not in
    {!Fork_join.par}.

    {b Where they lie.} In a fiber, in its context ({!Fiber}), which every fork and task remembers anyhow: a
    stolen fork or a task begins with the bindings of its maker's context. A fork that is not stolen is its
    joiner's fiber, in its joiner's context. Of a thread that is no worker, in a table by thread.

    {b The one operation} is {!within}: it puts another context in front of the current one, calls a function,
    and puts back what was there before, with the worker that the fiber is {e then} on.

    {b Signals.} A handler sees what is bound where it is called, and may bind itself. *)

val current : unit -> Bindings.t
(** What is bound here. A few nanoseconds in a fiber with no bindings. *)

val within : Bindings.t -> (unit -> 'a) -> 'a
(** [within b f] is [f ()], called with [b] as the bindings. *)

val maker : unit -> Job.spawn_context
(** What a task or fork that is made here is to be started with. *)
