(** What several test modules need. *)

exception Planned of int
(** The exception that tests raise. *)

val sizes : int list
(** The numbers of domains that promises are tested with: 1, 2, 3 and 8; with little effort 1 and 3. *)

val on_each_size : (Weft.Pool.t -> unit) -> unit
(** [on_each_size test] runs [test] with a pool of each of {!sizes}, called from outside the pool. *)

val in_each_size : (unit -> unit) -> unit
(** [in_each_size test] runs [test] as a task of a pool of each of {!sizes}. *)

val fib : int -> int
(** Without cutoff, by [par]. *)

val fib_of : int -> int
(** The value, by iteration. *)

val spin : int -> unit
(** Burns about [n] nanoseconds. *)

val case : string -> (unit -> unit) -> unit Alcotest.test_case
(** {!Testing.Watchdog.case}. *)

val watched : (unit -> string) -> (unit -> 'a) -> 'a
(** {!Testing.Watchdog.during}. *)

val check_int : string -> int -> int -> unit
(** [check_int what expected got], from any thread. *)

val tries : int -> int
(** [tries n] is how many cases to try: [n] with usual effort, a tenth with little, three times as many with
    much. *)

val is_tiny : bool
(** The minor heap is: collections take most of the time. *)

val deep : int
(** A million; less if the minor heap is tiny, or with little effort. *)

val with_small_stacks : (unit -> 'a) -> 'a
(** With a sixteenth of the limit of stacks (64 MiB by default): for stacks that are to overflow. At the usual
    limit each takes a GiB, and the collector looks through all of it again and again. *)

val with_deep_in_each_size : (int -> unit) -> unit
(** Like {!in_each_size}, with {!deep} for one and two domains, and a tenth of it for more. *)

val raises_invalid : string -> string -> (unit -> 'a) -> unit
(** [raises_invalid what prefix f] checks that [f ()] raises [Invalid_argument] with a message that starts so.
*)

val wait_until : string -> (unit -> bool) -> unit
(** {!Testing.Watchdog.until}: holds up the thread, without a limit of its own. *)

val yield_until : string -> (unit -> bool) -> unit
(** [yield_until what condition], in a fiber: others run between two looks whether [condition ()]. *)

val start_waiting : (unit -> 'a) -> 'a Weft.promise
(** [start_waiting f] is [Weft.async f], when [f] waits for something or has ended. *)

val with_reports : own:(exn -> bool) -> ((unit -> exn list) -> 'a) -> 'a
(** [f] gets what collects garbage and tells, youngest first, the exceptions that were reported as uncaught
    and are [own]: earlier tests may have left failures to the collector, which finds them meanwhile. *)

val state_of : Weft.Pool.t -> Weft_scheduler.Pool_state.t
(** While the pool is open. *)

val fibers_wait : Weft.Pool.t -> int -> unit
(** Until so many fibers of the pool, or more, wait for something. *)

val locked : Weft_scheduler.Pool_state.t -> (unit -> 'a) -> 'a
(** With the pool's lock held, to look at its fields. *)

val closing_begins : Weft_scheduler.Pool_state.t -> unit
(** Until the pool is being closed, or closed. *)

val interrupting : int -> grows:'a -> (unit -> 'b) -> 'b
(** [interrupting signal ~grows:x f] is [f ()], which makes the calling thread wait in the line of [x]; once
    it stands there, which makes [x] larger, the process is sent the signal. *)

val with_patience : float -> (unit -> 'a) -> 'a
(** [with_patience seconds f] is [f ()]; the domains that begin to work for pools meanwhile retire after so
    many seconds without work. With 0, as soon as they have found nothing. *)

val mentions : string -> string -> bool
(** [mentions part s]: [part] occurs in [s]. *)

val waits_and_is_ended : ?then_:(unit -> unit) -> (unit -> unit) -> unit
(** [waits_and_is_ended f] calls [f] in a fiber of a pool of its own, then [then_ ()] in the caller, and
    closes the pool while [f] waits; [f] must end with [Weft.Pool.Closed], which it does before this returns.
*)

val property : QCheck.Test.t -> unit -> unit
(** Checks the property in a task of a pool of each of {!sizes}. *)

val check : string -> bool -> unit
(** [check what holds] fails with [what] unless it [holds]; from any thread. *)

val mortal : unit -> int array * int array Weak.t
(** A block of a thousand words, and a weak pointer to it: for what must die. *)

val is_dead : 'a Weak.t -> bool
(** Collects, and tells whether what {!mortal} has made is gone. *)

val with_processors : int -> (unit -> unit) -> unit -> unit
(** Pools made meanwhile are as on a machine that lets so many workers be at work at once. *)

val all_at_once : (unit -> unit) -> unit -> unit
(** Pools made meanwhile let all their domains work at once, however many the machine runs. *)

val one_at_once : (unit -> unit) -> unit -> unit
(** Pools made meanwhile have room for one worker at a time. *)
