(** The bindings of the running code: the values of [Weft.Local.Task_local].

    The promise: whatever an expression starts, wherever that runs, sees what is bound around the expression;
    except for keys that tasks do not inherit ([create_own]). And a program that binds nothing pays nothing,
    above all not in {!Fork_join.par}.

    {b Where they are.} A fiber's bindings are in its context ({!Fiber}), which every fork and task remembers
    anyhow: a stolen fork or a task begins with the bindings of its maker's context. A fork that is not stolen
    runs in its joiner's fiber and context. The bindings of a thread that is no worker are in a table by
    thread.

    {b The one operation} is {!within}: it makes a child of the current context, calls a function in it, and
    puts back the previous one, on the worker that the fiber is {e then} on.

    {b Signals.} A handler sees what is bound where it is called, and may bind itself. *)

val current : unit -> Bindings.t
(** The bindings here. A few nanoseconds in a fiber without bindings. *)

val within : Bindings.t -> (unit -> 'a) -> 'a
(** [within b f] is [f ()], called with [b] as the bindings. *)

val keep : (unit -> 'a) -> unit -> 'a
(** [keep f] is [f] for a call that runs as a task, but is none to its user: it sees all that is bound here,
    also what tasks do not inherit. *)

val within_all : Bindings.t -> (unit -> 'a) -> 'a
(** [within_all b f] is [f ()], by such a task that was made where [b] was bound. *)

val spawn_context : unit -> Job.spawn_context
(** The context that a task or fork made here starts with. *)
