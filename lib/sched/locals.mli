(** What is bound where code runs: the values of [Weft.Local.Task_local].

    The promise: what is bound around an expression is what everything sees that the expression starts,
    wherever that runs; and a program that binds nothing pays nothing for it, above all not in
    {!Fork_join.par}.

    {b Where they lie.} A fiber's bindings lie, while it runs, in a field of its worker
    ({!Worker.set_locals}); while it is suspended, on its own stack; of a thread that is no worker, in a table
    by thread.

    {b The one operation} is {!within}: put other bindings in the place of the current ones, call a function,
    put back what was there before, in the place of the worker that the fiber is {e then} on. Everything is
    made of it:
    - to bind a key is [within] the current bindings and one more;
    - a fork, a task or a call into a pool is started as [within] its maker's bindings ({!inherited}), unless
      these are empty: then it is started as it is;
    - to suspend is [within] none ({!none_while}): the fiber takes its bindings off the worker and keeps those
      "of before" on its stack, and puts them onto the worker on which it goes on;
    - to run an awaited task in place is [within] none too: a task that was started without bindings sees
      none, and any other puts on its own.

    {b What holds.}
    + {e Between fibers a worker has none.} A fiber begins with none and leaves none when it ends, since
      [within] puts back what it found; it leaves none when it is suspended. So all that the worker's loop
      runs and resumes, on an empty stack, on the stack of a fiber just ended, or on top of one that cannot be
      suspended, finds none, and whoever has bindings puts on its own.
    + {e A worker with bindings has a tripped deque} ({!Deque.trip}). So each of its forks takes the slow
      path, which starts the right side as [inherited]. On the fast path nothing is bound, and nothing need be
      done. Trip and bindings change together: no safepoint lies between the two stores, and a signal handler
      sees both or none. A deque that is tripped without bindings (there may be other reasons) does no harm.
    + {e The right side of a fork}, run in place by the joiner, finds its own bindings on the worker, and
      changes nothing: it is the same fiber's scope. Run by a thief it finds none, by the first rule.

    {b Signals.} A handler sees what is bound where it interrupts, and may bind itself. Its exception finds
    each [within] not begun, or puts back.

    {b What may go wrong.} An effect of the user that leaves a [within] without ever coming back, to a handler
    outside it, leaves its bindings behind: until the next enclosing [within] ends, or the fiber
    ({!Worker.execute} sees to that). *)

val current : unit -> Bindings.t
(** What is bound here. A few nanoseconds in a fiber with no bindings. *)

val within : Bindings.t -> (unit -> 'a) -> 'a
(** [within b f] is [f ()], called with [b] as the bindings. *)

val none_while : (unit -> 'a) -> 'a
(** [none_while f] is [within Bindings.empty f]. *)

val inherited : (unit -> 'a) -> unit -> 'a
(** [inherited f] is a function that calls [f] {!within} the bindings of the moment of this call; [f] itself,
    if there are none. *)

val any_here : unit -> bool
(** Whether the calling thread, a worker, may have bindings. 1 ns. *)
