(** Who waits for what, where and since when, in a program that runs.

    A server hangs, or one request of it does: {!Weft.dump} writes for each pool what its fibers wait for and
    since when, and with debugging information (the default of [dune build]) also where, fibers that wait in
    the same place together, those that wait longest first:

    {v
    pool "default": 4 domains, 4 of them there; 0 jobs queued, 3 fibers wait, 1 timer
      2 fibers wait in Weft.Mutex.lock "table", for 12.1 s to 300 ms:
        Called from Dune__exe__Server.update in file "server.ml", line 31, characters 4-40
        held by a fiber that waits in Weft.Chan.recv "replies":
          Called from Dune__exe__Server.ask in file "server.ml", line 24, characters 10-30
      1 fiber waits in Weft.sleep, for 20 ms:
        Called from Dune__exe__Server.tick in file "server.ml", line 12, characters 2-18
    calls of Weft.blocking: 1 running, 0 queued
    v}

    Locks and channels have the names that the program gives them ({!Weft.Mutex.named} and the like). Of a
    mutex it says who holds it: a fiber that waits itself, and where; a fiber that runs, or is ready to; or a
    thread outside of all pools.

    Workers go on meanwhile. Not listed: fibers that wait for the other side of a fork (they go on when it
    ends), threads that wait outside of all pools, and those that compute ([weft trace] shows them).

    {b Cost.} {!fibers}, {!to_string} and {!Weft.dump} are O(fibers that wait), O(all of these) for each mutex
    that somebody waits for, and take some microseconds for each fiber; a fiber that is to go on while its
    stack is read does so some microseconds later. {!at_signal} is O(1). A program that never asks pays for
    the times: each wait reads the processor's clock once, and its entry in the list of waits is three words
    longer. *)

(** Who holds a mutex. *)
type holder = Weft_scheduler.Waits.holder =
  | Thread  (** a thread outside of all pools *)
  | Running  (** a fiber that runs, is ready to, or waits for the other side of a fork *)
  | Waiting of { waits_for : string; name : string; stack : Printexc.raw_backtrace }
      (** a fiber that waits itself: as in {!type-fiber} *)

type fiber = Weft_scheduler.Waits.fiber = {
  pool : string;  (** the pool's name *)
  waits_for : string;  (** the operation, such as ["Weft.Chan.recv"] *)
  name : string;
      (** of the mutex, channel, condition, semaphore or rwlock that it waits for ({!Weft.Mutex.named} and the
          like); empty if it has none *)
  held_by : holder option;
      (** of a mutex: who holds it. [None] if it is free at this moment, and of all else *)
  seconds : float;  (** for so long *)
  stack : Printexc.raw_backtrace;
      (** where it waits; the last lines are the function that the fiber was started with. Empty where that is
          not known: of a call of a batched structure, and where a fiber waits inside code that C has called
      *)
}
(** A fiber that waits. *)

val fibers : unit -> fiber list
(** The fibers that wait in open pools, the longest waiting first; each of some moment during the call. *)

val to_string : unit -> string
(** What {!Weft.dump} writes.
    @raise Sys_error
      in a handler of a signal that has interrupted a thread which holds a lock that this needs: as while it
      makes a dump itself, makes or closes a pool, or lists or unlists a fiber that waits. *)

val at_signal : int -> unit
(** [at_signal s] makes {!Weft.dump} the handler of the signal [s], as [Sys.signal] numbers it:
    [at_signal Sys.sigusr1], and then [kill -USR1 PID]. As any handler it is called when a worker next forks,
    waits, ends a job or begins a block of a loop; so where all workers compute and do none of these, it comes
    late. And while a handler is installed, deadlocks are looked for only if that is asked for
    ({!Weft.Deadlock.set_detection}).
    @raise Invalid_argument if no program can handle that signal, or there is none. *)

(**/**)

val print : unit -> unit
(** {!Weft.dump}. *)

module Private : sig
  val durations : longest:float -> shortest:float -> string
  (** For how long some fibers wait, in seconds: once, if both print the same. *)
end
