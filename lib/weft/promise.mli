(** Promises: results that may come later.

    A promise comes from a task ({!Weft.async}), or from {!create} or {!make}. A created promise may be
    resolved from anywhere: any fiber, thread, domain or signal handler.

    {b Cost.} Each function is O(1), unless it says otherwise. A fiber that waits for a promise takes some
    tens of words beside its stack. A fiber that is cancelled while it waits leaves the promise, at a cost
    that does not grow, on average, with the number of fibers that wait. *)

type !'a t
(** A promise of an ['a]. It is settled once, with a value or an exception, for ever. *)

type 'a outcome = ('a, exn * Printexc.raw_backtrace) result
(** What a promise is settled with. *)

(** {1 Making and settling} *)

val create : unit -> 'a t
(** [create ()] is a promise that is settled by {!resolve} or {!reject}. A fiber that waits for a promise that
    nobody can settle any more is kept, with its stack and all that it refers to, until it is cancelled or its
    pool is closed. *)

val resolve : 'a t -> 'a -> unit
(** [resolve p v] settles [p] with [v] and resumes all fibers that await it, each in its own pool. It never
    waits. O(those that await it).
    @raise Invalid_argument if [p] is settled already, is the promise of a task, or has a resolver ({!make}).
*)

val reject : ?backtrace:Printexc.raw_backtrace -> 'a t -> exn -> unit
(** [reject p e] settles [p] with the exception [e]; the backtrace is the current one unless given. Otherwise
    it is like {!resolve}. If nobody awaits the rejected promise, its exception is reported as that of a task
    is ({!Weft.set_uncaught_handler}). *)

val try_resolve : 'a t -> 'a -> bool
(** [try_resolve p v] is like [resolve p v], but is [false] if [p] is settled already.
    @raise Invalid_argument if [p] is the promise of a task, or has a resolver. *)

val try_reject : ?backtrace:Printexc.raw_backtrace -> 'a t -> exn -> bool
(** [try_reject p e] is like [reject p e], but is [false] if [p] is settled already.
    @raise Invalid_argument if [p] is the promise of a task, or has a resolver. *)

val of_value : 'a -> 'a t
(** [of_value v] is a promise settled with [v]. *)

(** {1 A resolver of its own}

    A library that hands out promises keeps their resolvers: its users can wait, but not settle.

    {[
      (* A queue of those who wait for something; a waiter may give up. Fibers of several workers take a lock
         around each use of the queue, but not around [await]. *)
      let rec wake_first queue v =
        match Queue.take_opt queue with
        | None -> false
        | Some waiter -> Weft.Promise.Resolver.try_resolve waiter v || wake_first queue v

      let wait queue =
        let promise, waiter = Weft.Promise.make () in
        Queue.add waiter queue;
        try Weft.await promise
        with exn ->
          (* If it has been woken all the same, it wakes the next. *)
          (if not (Weft.Promise.Resolver.withdraw waiter) then
             match Weft.Promise.peek promise with
             | Some (Ok v) -> ignore (wake_first queue v : bool)
             | Some (Error _) | None -> ());
          raise exn
    ]} *)

type 'a promise := 'a t

module Resolver : sig
  type !'a t
  (** What settles one promise. *)

  val promise : 'a t -> 'a promise
  (** The promise that it settles. *)

  val resolve : 'a t -> 'a -> unit
  (** See {!Promise.resolve}. O(those that await it). *)

  val reject : ?backtrace:Printexc.raw_backtrace -> 'a t -> exn -> unit
  (** See {!Promise.reject}. O(those that await it). *)

  val try_resolve : 'a t -> 'a -> bool
  (** See {!Promise.try_resolve}. O(those that await it). *)

  val try_reject : ?backtrace:Printexc.raw_backtrace -> 'a t -> exn -> bool
  (** See {!Promise.try_reject}. O(those that await it). *)

  val withdraw : ?reason:string -> 'a t -> bool
  (** [withdraw r] settles the promise with [Weft.Cancel.Cancelled reason], and is [false] if it is settled
      already. It is for a waiter that gives up: whoever comes to wake it sees {!try_resolve} be [false], and
      turns to the next. If it is [false], the waiter has been woken, and should pass on what it got. An
      exception that nobody awaits is reported; this one never is. O(those that await it). [reason] is
      ["the promise was withdrawn"] unless given. *)
end

val make : unit -> 'a t * 'a Resolver.t
(** [make ()] is a promise and its resolver, which alone settles it; otherwise like {!create}. *)

(** {1 Tasks that may be cancelled} *)

val cancellable : (unit -> 'a) -> 'a t
(** [cancellable f] is [Weft.async f], for a task that {!cancel} can end. It costs about 0.3 us more, and the
    task runs no others in its place ({!Weft.await}). *)

val cancel : ?reason:string -> 'a t -> unit
(** [cancel p] cancels the task of [p], made by {!cancellable} or [Weft.Scope.async]. If it has not begun, it
    never runs. Else it gets [Weft.Cancel.Cancelled reason] at its next cancellation point ({!Weft.Cancel}).
    Then [p] is settled with that exception, unless the task returns all the same. Other fibers that await [p]
    get the exception. A task that was cancelled so is no failure of its scope; but a task of the scope that
    awaits [p] and lets the exception pass fails: use {!await_result} there.

    It does not wait: [p] is settled once the task has ended. It does nothing if [p] is settled already. Any
    thread or domain may call it. O(those that await [p]). [reason] is ["the promise was cancelled"] unless
    given. What [p] itself waits for goes on: a task of {!map} is not cancelled with what it awaits, nor the
    other way round.
    @raise Invalid_argument if [p] is not settled, and is no promise of {!cancellable} or [Weft.Scope.async].
*)

(** {1 Asking} *)

val await : 'a t -> 'a
(** See {!Weft.await}: suspends the calling fiber, or holds up the calling thread, until [p] is settled. *)

val await_result : 'a t -> 'a outcome
(** [await_result p] waits like {!await}, and is the outcome of [p]: it raises nothing that the task raised.
    It raises [Weft.Cancel.Cancelled] if the calling fiber is cancelled, which is not the outcome of [p]. *)

val on_settled : 'a t -> ('a outcome -> unit) -> unit
(** [on_settled p f] has [f] called with the outcome of [p] once it is settled; at once, by the caller, if it
    is settled already. Who settles [p] calls [f], in its own thread, before it does anything else: so [f]
    must be short, and must not wait. Calls that never suspend are allowed: {!resolve}, {!Weft.async},
    [Weft.Ivar.fill], [Weft.Chan.send_poll]. If a signal handler may settle [p], [f] may only do what a
    handler may. Functions given before [p] is settled are called in the order in which they were given, among
    the fibers that it resumes; one given while it is being settled may run beside them. [f] runs in the
    context of who calls it, and sees its {!Weft.Local.Task_local} values; but it is not cancelled with that
    one. No handler around the caller gets an effect that [f] does not handle itself: [Effect.Unhandled] is
    raised in [f], with a reason. An exception of [f] goes to {!Weft.set_uncaught_handler}. [f] cannot be
    taken back: it stays with [p] until [p] is settled. For a promise that lasts, use {!race} or
    [Weft.Select.await], which leave nothing behind.

    An exception that [f] gets counts as awaited. But [f] is no fiber that could perform the effects of the
    task: [on_settled] does not count as awaiting, as {!peek} does not. O(1), some ten nanoseconds, a hundred
    for the call of [f], and no task is made: {!map} costs more, and may wait. *)

val peek : 'a t -> 'a outcome option
(** [peek p] is the outcome of [p], or [None] if it is not settled. Never waits. An exception seen here counts
    as awaited. *)

val is_settled : 'a t -> bool
(** [is_settled p] is whether [p] has its outcome. Never waits. *)

(** {1 Combining}

    None of these waits. [map], [bind], [both] and [all] make a new task in the current pool (see
    {!Weft.async}); [any] and [race] make none. The promises in the list of [any] or [race] do not keep its
    result alive. So one promise may be raced against any number of short-lived ones, one after the other,
    whether these are settled or forgotten. [all], [any] and [race] are O(length of the list). If the program
    drops results that are not decided yet, a bounded share of them stays in memory until more are made. The
    task of [map], [bind], [both] or [all] waits like any other: see {!create}. *)

val map : ('a -> 'b) -> 'a t -> 'b t
(** [map f p] is a promise of [f (await p)]. *)

val bind : 'a t -> ('a -> 'b t) -> 'b t
(** [bind p f] is a promise of [await (f (await p))]: [f] makes the promise of the next step. In a task, it is
    shorter to write the two [await]s. *)

val both : 'a t -> 'b t -> ('a * 'b) t
(** [both p q] is a promise of both results. When both have settled, the exception of [p], else that of [q],
    wins. *)

val all : 'a t list -> 'a list t
(** [all ps] is a promise of all results, in order. It settles when all of [ps] have; the leftmost exception
    wins. O(length of [ps]). *)

val any : 'a t list -> 'a t
(** [any ps] is a promise of the first result to come. It fails only when all of [ps] have failed, with the
    leftmost exception. The exceptions of [ps] count as awaited, those that come later too, unless [any ps] is
    garbage before it is decided. O(length of [ps]).
    @raise Invalid_argument if [ps] is empty. *)

val race : 'a t list -> 'a t
(** [race ps] is a promise of the first outcome to come, a result or an exception; if several of [ps] have
    settled already, of the outcome of the leftmost. The others go on. The exceptions of [ps] count as
    awaited, those that come later too, unless [race ps] is garbage before it is decided. O(length of [ps]).
    @raise Invalid_argument if [ps] is empty. *)

(**/**)

(** Not for users: Weft's own libraries see a promise as the scheduler's job. *)
module Private : sig
  external of_job : 'a Weft_scheduler.Job.t -> 'a t = "%identity"
  external to_job : 'a t -> 'a Weft_scheduler.Job.t = "%identity"
end
