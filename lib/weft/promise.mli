(** Promises: results that may come later.

    A promise comes from a task ({!Weft.async}) or from {!create}. A created promise may be resolved from
    anywhere: any fiber, thread, domain or signal handler.

    {b Cost.} Each function is O(1), unless it says otherwise. A fiber that waits for a promise takes some
    tens of words beside its stack. A fiber that is cancelled while it waits leaves the promise, at a cost
    that does not grow, on average, with the number of fibers that wait. *)

type !'a t
(** A promise of an ['a]. It is settled once, with a value or an exception, for ever. *)

(** {1 Making and settling} *)

val create : unit -> 'a t
(** [create ()] is a promise that is settled by {!resolve} or {!reject}. A fiber that waits for a promise that
    nobody can settle any more is kept, with its stack and all that it refers to, until it is cancelled or its
    pool is closed. *)

val resolve : 'a t -> 'a -> unit
(** [resolve p v] settles [p] with [v] and resumes all fibers that await it, each in its own pool. It never
    waits. O(those that await it).
    @raise Invalid_argument if [p] is settled already, or is the promise of a task. *)

val reject : ?backtrace:Printexc.raw_backtrace -> 'a t -> exn -> unit
(** [reject p e] settles [p] with the exception [e]; the backtrace is the current one unless given. Otherwise
    it is like {!resolve}. If nobody awaits the rejected promise, its exception is reported as that of a task
    is ({!Weft.set_uncaught_handler}). *)

val try_resolve : 'a t -> 'a -> bool
(** [try_resolve p v] is like [resolve p v], but is [false] if [p] is settled already.
    @raise Invalid_argument if [p] is the promise of a task. *)

val try_reject : ?backtrace:Printexc.raw_backtrace -> 'a t -> exn -> bool
(** [try_reject p e] is like [reject p e], but is [false] if [p] is settled already.
    @raise Invalid_argument if [p] is the promise of a task. *)

val of_value : 'a -> 'a t
(** [of_value v] is a promise settled with [v]. *)

(** {1 Asking} *)

val await : 'a t -> 'a
(** See {!Weft.await}: suspends the calling fiber, or holds up the calling thread, until [p] is settled. *)

val peek : 'a t -> ('a, exn * Printexc.raw_backtrace) result option
(** [peek p] is the outcome of [p], or [None] if it is not settled. Never waits. An exception seen here counts
    as awaited. *)

val is_settled : 'a t -> bool
(** [is_settled p] is whether [p] has its outcome. Never waits. *)

(** {1 Combining}

    None of these waits. [map], [both] and [all] make a new task in the current pool (see {!Weft.async});
    [any] and [race] make none. The promises in the list of [any] or [race] do not keep its result alive. So
    one promise may be raced against any number of short-lived ones, one after the other, whether these are
    settled or forgotten. [all], [any] and [race] are O(length of the list). If the program drops results that
    are not decided yet, a bounded share of them stays in memory until more are made. The task of [map],
    [both] or [all] waits like any other: see {!create}. *)

val map : ('a -> 'b) -> 'a t -> 'b t
(** [map f p] is a promise of [f (await p)]. *)

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
