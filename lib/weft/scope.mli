(** Structured concurrency: tasks that end before the call that started them returns.

    {[
      let both_pages () =
        Weft.Scope.run (fun s ->
            let a = Weft.Scope.async s (fun () -> fetch "a") in
            let b = Weft.Scope.async s (fun () -> fetch "b") in
            Weft.await a ^ Weft.await b)
    ]}

    A scope is open while its {!run} lasts. Tasks are started in it by {!async}: by the body, by other tasks
    of the scope, or by any code that has got the scope as a value. [run] returns when the body and all tasks
    have ended, whatever happened. So no task outlives its scope, and no failure is overlooked.

    {b Failure.} Under the policy [Cancel_rest], the first exception of the body or of a task cancels all
    others, tasks not yet started included; under [Keep_going] they go on. When all have ended, [run] raises
    the first failure (in time, if it cancelled the rest; else the leftmost: the body's, then the tasks' in
    the order in which they were started) with its backtrace, whether or not somebody awaited that task; the
    others are in {!failures} and go to {!Weft.set_suppressed_handler}. A task that is cancelled with its
    scope has not failed.

    {b Effects of your own} that a task does not handle are performed by the first fiber that awaits it, or at
    the end of the scope, which awaits all tasks: by the caller of [run], under the handlers around it.

    {b Cancellation} reaches a task of a scope, like other code, where it waits, forks, yields, or is between
    blocks of a loop: see {!Weft.Cancel}. If the fiber that called [run] is cancelled, so is the scope.

    {b Cost.} {!async} is O(1) beside what it runs. [run] is O(d) for d calls of it, of {!Weft.Cancel}, of
    limits and bindings that the fiber is inside of already; the end of a scope is O(n log n) for n failures.
    A task takes some tens of words until it has ended. *)

type t
(** A scope. *)

type policy =
  | Cancel_rest  (** the first failure cancels all others *)
  | Keep_going  (** failures wait until all have ended *)

val run : ?on_failure:policy -> (t -> 'a) -> 'a
(** [run f] is [f s] for a new scope [s], once all tasks of [s] have ended as well. Scopes nest. Suspends the
    calling fiber while tasks run elsewhere; outside a pool, the scope runs in the default pool. [on_failure]
    is [Cancel_rest] unless given. *)

val async : t -> (unit -> 'a) -> 'a Promise.t
(** [async s f] starts a task of [s] that computes [f ()], and is a promise of the result: see {!Weft.async}.
    An exception of [f] is both the promise's and a failure of [s]. About 0.3 us more than {!Weft.async}.
    @raise Invalid_argument if [s] is closed: its [run] has returned or is about to. *)

val cancel : ?reason:string -> t -> unit
(** [cancel s] cancels the body and all tasks of [s]; [run] then raises [Weft.Cancel.Cancelled reason], unless
    something failed, or the body returned all the same. [reason] is ["the scope was cancelled"] unless given.
    From any thread. O(tasks of [s] that have begun and not ended). Does nothing if [s] is cancelled or closed
    already. *)

val failures : t -> (exn * Printexc.raw_backtrace) list
(** [failures s] is the failures of [s] so far, the leftmost first. Also when it is closed. O(n log n) for n
    of them. *)
