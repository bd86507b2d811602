(** Helpers for several test modules. *)

module Alcotest = Testing.Checks.Alcotest

exception Planned of int
(** The exception that tests raise. *)

val sizes : int list
(** The numbers of domains that tests use: 1, 2, 3 and 8; with little effort 1 and 3. *)

val on_each_size : (Weft.Pool.t -> unit) -> unit
(** [on_each_size test] runs [test] with a pool of each of {!sizes}, called from outside the pool. *)

val in_each_size : (unit -> unit) -> unit
(** [in_each_size test] runs [test] as a task of a pool of each of {!sizes}. *)

val fib : int -> int
(** Without cutoff, by [par]. *)

val fib_of : int -> int
(** Fibonacci numbers, by iteration. *)

val spin : int -> unit
(** Burns about [n] nanoseconds. *)

val case : string -> (unit -> unit) -> unit Alcotest.test_case
(** {!Testing.Watchdog.case}. *)

val watched : (unit -> string) -> (unit -> 'a) -> 'a
(** {!Testing.Watchdog.during}. *)

val check : string -> bool -> unit
(** {!Testing.Checks.check}, and the next two likewise. *)

val check_bool : string -> bool -> bool -> unit
val check_int : string -> int -> int -> unit

val tries : int -> int
(** [tries n] is how many cases to try: [n] with usual effort, a tenth with little, three times as many with
    much. *)

val is_tiny : bool
(** Whether the minor heap is tiny: then collections take most of the time. *)

val deep : int
(** A million; less if the minor heap is tiny, or with little effort. *)

val with_small_stacks : (unit -> 'a) -> 'a
(** Runs the function with a sixteenth of the limit of stacks (64 MiB by default), for stacks that are to
    overflow. At the usual limit each takes a GiB, and the collector scans all of it again and again. *)

val with_deep_in_each_size : (int -> unit) -> unit
(** Like {!in_each_size}, with {!deep} for one and two domains, and a tenth of it for more. *)

val raises_invalid : string -> string -> (unit -> 'a) -> unit
(** [raises_invalid what prefix f] checks that [f ()] raises [Invalid_argument] with a message that starts
    with [prefix]. *)

val wait_until : string -> (unit -> bool) -> unit
(** {!Testing.Watchdog.until}: blocks the thread, without a limit of its own. *)

val yield_until : string -> (unit -> bool) -> unit
(** [yield_until what condition], in a fiber, yields to others until [condition ()] holds. *)

val start_waiting : (unit -> 'a) -> 'a Weft.promise
(** [start_waiting f] is [Weft.async f]; it returns when [f] waits for something or has ended. *)

val with_reports : own:(exn -> bool) -> ((unit -> exn list) -> 'a) -> 'a
(** Calls [f] with a function that collects garbage and returns, youngest first, the exceptions that were
    reported as uncaught and satisfy [own]: earlier tests may have left failures that the collector finds
    meanwhile. *)

val state_of : Weft.Pool.t -> Weft_scheduler.Pool_state.t
(** To be called while the pool is open. *)

val fibers_wait : Weft.Pool.t -> int -> unit
(** Waits until so many fibers of the pool, or more, wait for something. *)

val locked : Weft_scheduler.Pool_state.t -> (unit -> 'a) -> 'a
(** Runs the function while holding the pool's lock, to look at its fields. *)

val closing_begins : Weft_scheduler.Pool_state.t -> unit
(** Waits until the pool is being closed, or closed. *)

val interrupting : int -> grows:'a -> (unit -> 'b) -> 'b
(** [interrupting signal ~grows:x f] is [f ()], which makes the calling thread wait in the queue of [x]. Once
    it is in the queue, which makes [x] larger, the process is sent the signal. *)

val keeping_alive : Weft_scheduler.Idle_period.limits -> (unit -> 'a) -> 'a
(** For domains that are started meanwhile. *)

val with_patience : float -> (unit -> 'a) -> 'a
(** [with_patience seconds f] is [f ()]; domains that begin to work for pools meanwhile retire after so many
    seconds without work, with 0 as soon as they have found nothing. *)

val waits_and_is_ended : ?then_:(unit -> unit) -> (unit -> unit) -> unit
(** [waits_and_is_ended f] calls [f] in a fiber of a new pool, then [then_ ()] in the caller, and closes the
    pool while [f] waits. [f] must end with [Weft.Pool.Closed]; it does before this returns. *)

val property : QCheck.Test.t -> unit -> unit
(** Checks the property in a task of a pool of each of {!sizes}. *)

val mortal : unit -> int array * int array Weak.t
(** A block of a thousand words, and a weak pointer to it: to test that it is freed. *)

val is_dead : 'a Weak.t -> bool
(** Collects garbage, and tells whether the block that {!mortal} has made is gone. *)

val wait_for_death : string -> 'a Weak.t -> unit
(** Waits, in a pool, until the block is gone: another worker may refer to it for a moment more. *)

val with_processors : int -> (unit -> unit) -> unit -> unit
(** Pools made meanwhile take the machine for one that lets so many workers run at once. *)

val all_at_once : (unit -> unit) -> unit -> unit
(** Pools made meanwhile let all their domains run at once, however many the machine can run. *)

val one_at_once : (unit -> unit) -> unit -> unit
(** Pools made meanwhile have room for one worker at a time. *)

val known : int -> unit
(** Loops take functions of this code to be cheap, so that those that are short run in turn. *)

val cheap : ('a -> 'b) -> 'a -> 'b
(** The function itself, whose code is {!known} then. *)
