(** Deadlocks are errors.

    When every fiber of a pool waits, no timer, blocking call or wait of [Weft_unix] is under way, and nobody
    outside could resume any of them, the calls of {!Weft.run} and the like that wait for them can never
    return. Then {!exception-Deadlock} is raised where the outside caller's fiber waits, and passes through
    the forks and scopes that it waits for, so that finalisers run and the call ends. Its message lists the
    fibers that wait and what each waits for; if the program was built with debugging information, also where.
    Where the outside caller awaits a promise ({!Weft.await}), {!exception-Deadlock} is raised in all fibers
    that wait in the default pool; in another pool, none is found.

    {b Who could resume them.} Another thread, domain or signal handler may resolve a promise or send to a
    channel at any time, and Weft cannot know what they will do. So by default nothing counts as a deadlock
    once the program has made a thread or domain itself (even if that has ended), while a signal handler is
    installed, or while another pool has anything to do. See {!set_detection}. A thread that waits outside
    every pool, such as the main thread in {!Chan.recv}, is not a fiber, and waits for ever: enter a pool
    first. Further limits: [doc/limits.md], section {e Waiting, locks and channels}.

    {b Cost.} Each function is O(1). While some fiber runs, the detection costs nothing. When all fibers of a
    pool wait, and nothing else is under way, the pool looks for a deadlock: that may take as long as to start
    a domain, 0.1 ms, and O(fibers that wait) for a report. *)

type fiber = Weft_scheduler.Deadlock.fiber = {
  waits_for : string;
      (** the operation, such as ["Weft.Chan.recv"]; if the fiber is of another pool than the report's, with
          the name of that pool *)
  stack : Printexc.raw_backtrace;
      (** where it waits; the last lines are the function that the fiber was started with *)
}
(** A fiber that waits. *)

type report = Weft_scheduler.Deadlock.report = {
  pool : string;  (** the pool's name *)
  fibers : fiber list;  (** the longest waiting first; the pool's own before those of other pools *)
}
(** What is deadlocked. *)

exception Deadlock of report
(** [Printexc.to_string] prints it as described above. *)

type detection = Weft_scheduler.Deadlock.detection =
  | Automatic  (** unless the program has made threads or domains itself, or handles signals *)
  | Always  (** even then: code that resumes fibers from outside announces that by {!expect} *)
  | Never

val set_detection : detection -> unit
(** When to look for deadlocks: [Automatic] at first. *)

val expect : (unit -> 'a) -> 'a
(** [expect f] is [f ()]; while it lasts, nothing counts as a deadlock, since something outside is going to
    resume fibers. Any thread may call it. *)
