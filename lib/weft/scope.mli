(** Structured concurrency: tasks that end before the call that started them returns.

    {[
      let both_pages () =
        Weft.Scope.run (fun s ->
            let a = Weft.Scope.async s (fun () -> fetch "a") in
            let b = Weft.Scope.async s (fun () -> fetch "b") in
            Weft.await a ^ Weft.await b)
    ]}

    A scope is open while its {!run} lasts. {!async} starts a task in it; the body may call it, other tasks of
    the scope, or any code that has the scope as a value. [run] returns when the body and all tasks have
    ended, whatever happened; only a second signal whose handler raises makes it leave tasks behind
    ({!Weft.run}). So no task outlives its scope, and no failure is overlooked.

    {b Failure.} Under the policy [Cancel_rest], the first exception of the body or of a task cancels all
    others, tasks not yet started included; under [Keep_going] they go on. When all have ended, [run] raises
    the first failure with its backtrace, whether or not somebody awaited that task. Under [Cancel_rest] that
    is the first in time; under [Keep_going] it is the leftmost: the body comes before the tasks, and these
    come in the order in which they were started. The other failures are in {!failures} and go to
    {!Weft.set_suppressed_handler}. A task that is cancelled, with its scope or by {!Promise.cancel}, has not
    failed.

    {b Effects of your own.} If a task performs an effect that it does not handle, the first fiber that awaits
    the task performs it. If nobody does, the caller of [run] performs it, under the handlers around [run],
    since the end of a scope awaits all tasks.

    {b Cancellation.} A task of a scope sees a cancellation, like other code, where it waits, forks, yields,
    or is between blocks of a loop: see {!Weft.Cancel}. If the fiber that called [run] is cancelled, so is the
    scope.

    {b Cost.} {!async} and {!start} are O(1) beside what they run. [run] is O(d) if the fiber is already
    inside d scopes, calls of {!Weft.Cancel}, limits and bindings; the end of a scope is O(n log n) for n
    failures. A task takes some tens of words until it has ended. *)

type t
(** A scope. *)

type policy =
  | Cancel_rest  (** the first failure cancels all others *)
  | Keep_going  (** failures wait until all have ended *)

exception Failures of (exn * Printexc.raw_backtrace) list
(** All failures of a scope that collects them, one at least; the one that {!run} would have raised otherwise
    comes first. *)

val run : ?on_failure:policy -> ?collect:bool -> (t -> 'a) -> 'a
(** [run f] is [f s] for a new scope [s]; it returns when all tasks of [s] have ended as well. Scopes may be
    nested. Suspends the calling fiber while tasks run elsewhere; outside a pool, the scope runs in the
    default pool. [on_failure] is [Cancel_rest] unless given. With [collect] (default [false]), [run] raises
    {!Failures} instead of the first failure, and {!Weft.set_suppressed_handler} gets none. *)

val async : ?name:string -> t -> (unit -> 'a) -> 'a Promise.t
(** [async s f] starts a task of [s] that computes [f ()], and is a promise of the result: see {!Weft.async}.
    An exception of [f] rejects the promise, and is a failure of [s]. About 0.3 us more than {!Weft.async}.
    {!Promise.cancel} ends the task alone. [name] is what traces call its fiber: see {!Weft.Trace.named}.
    @raise Invalid_argument if [s] is closed: its [run] has returned or is about to. *)

val start : ?name:string -> t -> (unit -> unit) -> unit
(** [start s f] is {!async} for a task whose result nobody wants. Its exception is a failure of [s].
    @raise Invalid_argument if [s] is closed. *)

val cancel : ?reason:string -> t -> unit
(** [cancel s] cancels the body and all tasks of [s]; [run] then raises [Weft.Cancel.Cancelled reason], unless
    something failed, or the body returned all the same. [reason] is ["the scope was cancelled"] unless given.
    May be called from any thread. O(tasks of [s] that have begun and not ended). Does nothing if [s] is
    cancelled or closed already. *)

val failures : t -> (exn * Printexc.raw_backtrace) list
(** [failures s] is the list of the failures of [s] so far, the leftmost first. [s] may be open or closed. O(n
    log n) for n of them. *)
