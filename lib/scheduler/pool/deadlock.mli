(** A hang that is an error.

    {b When.} The last worker of a pool that goes to sleep looks: nothing runs and nothing is queued, no timer
    is set, no descriptor is waited for, no blocking call is under way, but fibers wait, and so does an
    outside caller for its root. If nobody else could ever resume any of them, they are deadlocked. Somebody
    else could be: another pool that has something to do or a timer; a thread or domain that the program has
    made by itself (OCaml tells nothing about what threads do: so one that was ever made counts, see
    {!set_detection}); a signal handler that the program has installed; whoever has been announced by
    {!expect}.

    {b What then.} The root's context is stopped with {!exception-Deadlock}: it is raised where the root
    waits, or passed on to the forks and scopes that it waits for, so that all that belongs to the root ends
    as after any other exception. An outside caller that awaits a promise is a root without a context: all
    fibers that wait are ended, as in the next step. If the pool comes to rest again and the root still waits
    (behind a shield, or for a task of [async] that waits), all fibers that wait are ended with
    {!exception-Deadlock}. *)

type fiber = {
  waits_for : string;  (** the operation: ["Weft.Chan.recv"] *)
  stack : Printexc.raw_backtrace;
      (** the stack of the wait; its last frame is the function that the fiber was started with *)
}

type report = { pool : string; fibers : fiber list  (** the longest waiting first *) }

exception Deadlock of report

type detection =
  | Automatic  (** unless the program has made threads or domains, or installed signal handlers *)
  | Always  (** even then; code that resumes fibers from outside must do so inside {!expect} *)
  | Never

val set_detection : detection -> unit
(** [Automatic] at first. *)

val with_detection : detection -> (unit -> 'a) -> 'a
(** [with_detection d f] is [f ()], with [d] meanwhile. *)

val expect : (unit -> 'a) -> 'a
(** [expect f] is [f ()]; while it lasts, nothing is a deadlock. From any thread. *)

val queued_for_a_limit : string
(** What a job or fiber waits for that has no room in its limit yet. *)

val calls : Printexc.raw_backtrace -> string list
(** The program's own calls in a stack, a line for each. *)

(** {1 For the scheduler} *)

val look : Pool_state.t -> unit
(** By a worker that is about to sleep and is in the list of sleepers already. *)

val as_root : Pool_state.t -> (unit -> 'a) -> ((unit -> 'a) -> 'b) -> 'b
(** [as_root p f call] is [call f'], where [f'] is [f] as a root of [p] while [call] lasts. *)

val blocking_calls : int Atomic.t
(** How many blocking calls are under way. *)
