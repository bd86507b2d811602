(** Cancellation: asking running code to end.

    Cancelling is a request. The code that is asked raises {!Cancelled} at its next {e cancellation point}, so
    that its finalisers run and its resources are given back. Cancellation points are: every operation that
    may suspend ([await], locks, channels, [sleep], the end of a scope), {!Weft.yield}, every fork
    ({!Weft.par}, {!Weft.async}, ...), the boundaries between blocks of iterations of loops, and {!check}.
    Code between two of them is not interrupted. A request stays in force: each later cancellation point
    raises again, until the cancelled call has ended.

    A request always cancels a call, with the forks, loops and tasks of scopes inside it: all that ends before
    the call does. A task of {!Weft.async} is not inside the call that starts it: it goes on. {!within},
    {!with_timeout} and {!with_deadline} make a call cancellable, and are cancellation points themselves
    (they, {!shield} and {!Weft.Scope.run} let fibers that are ready run first, before they call their
    function); a scope ({!Weft.Scope.cancel}) and a single task ({!Weft.Promise.cancel}) can be cancelled,
    too. The library itself cancels work that is no longer wanted: the other side of a {!Weft.par} when one
    side has raised; the rest of a loop or of {!Weft.all}; the rest of a search that has its answer. Even so,
    the call returns only when the cancelled work has ended.

    A fiber that is cancelled while it waits leaves its wait queue; if it was being woken already, the wake-up
    goes to the next one. A thread outside all pools is not cancelled while it waits; but {!within} and the
    like enter the default pool if they are called outside.

    {b Limits}: [doc/limits.md], section {e Cancellation and signals}.

    {b Cost.} Each function is O(1), unless it says otherwise; {!with_timeout} and {!with_deadline}, and each
    parameter [timeout], are O(log n) if n timers are set in the pool. {!check}, {!within}, {!with_timeout}
    and {!Weft.yield} check all calls of this module, scopes, limits and bindings that the fiber is inside of,
    and the stolen forks between them: O(these), some nanoseconds each. Other cancellation points check them
    only once something has been cancelled. *)

exception Cancelled of string
(** Raised in cancelled code; the string is the reason. *)

exception Timeout
(** Raised by {!with_timeout} and {!with_deadline}, and by all functions with a parameter [timeout]. *)

(** {1 Tokens} *)

type t
(** A token. It can be cancelled once; any number of calls may depend on it. *)

val create : unit -> t
(** A new token. *)

val cancel : ?reason:string -> t -> unit
(** [cancel t] cancels all calls that depend on [t], and all that will. Any thread, domain or signal handler
    may call it; it never waits. O(calls that depend on it at this moment). If it is called several times, the
    first reason stays; the default is ["cancelled"]. *)

val reason : t -> string option
(** [reason t] is why [t] was cancelled, or [None] if it was not. *)

val is_cancelled : t -> bool
(** Whether [t] was cancelled. *)

val within : t -> (unit -> 'a) -> 'a
(** [within t f] is [f ()]. If [t] is cancelled meanwhile, so is the call: it raises {!Cancelled} with the
    reason of [t], unless [f] returns all the same. If [t] is cancelled already, [f] is not called. About 0.2
    us. *)

(** {1 Time} *)

val with_timeout : float -> (unit -> 'a) -> 'a
(** [with_timeout seconds f] is [f ()]. If it has not ended when [seconds] have passed, it is cancelled;
    {!Timeout} is raised as soon as [f] has ended, unless it returns all the same. The request comes some
    milliseconds late at most in a pool whose workers fork, loop, wait or call this library
    ([weft bench timers_busy]); [f] notices it at its next cancellation point. Where it comes later:
    [doc/limits.md], section {e Waiting}. If [seconds] is zero or less, [f] is not called. About 1 us.
    @raise Invalid_argument if [seconds] is not a number. *)

val with_deadline : float -> (unit -> 'a) -> 'a
(** [with_deadline moment f] is [with_timeout (moment -. Weft.now ()) f]. *)

(** {1 The calling fiber} *)

val check : unit -> unit
(** A cancellation point, and nothing else: raises if the calling fiber is cancelled. Where schedules are
    explored ([Weft_explore]), another fiber may go first here. A few nanoseconds. *)

val shield : (unit -> 'a) -> 'a
(** [shield f] is [f ()]. A request to cancel the calling fiber has no effect while [f ()] runs; it takes
    effect afterwards. Use it for short steps that must not be left half done, such as sending a resource back
    in a message. Calls inside [f] that are cancelled by themselves, by {!with_timeout} for instance, are
    cancelled as usual. *)
