(** Fibers that wait for descriptors and child processes, on top of {!Weft_platform.Poller}.

    {b States.} A wait is {e listed}, by its number, from the moment it is added to the poller until it is
    over: it is {e taken}, when it is ready, by the worker that looks at the alarm, which wakes the fiber; or
    the fiber {e leaves} (cancelled, timed out, its pool closed). Adding and listing are one step under one
    lock, and who takes a ready wait looks for its fiber under that lock: so a wait that is ready at once
    finds its fiber.

    {b Nobody is lost.} The poller lists a wait as ready and then makes the alarm of the fiber's pool go off.
    A worker of that pool looks at the alarm soon: one always waits for it while the wait counts as an event
    of the pool ({!Weft_scheduler.Timers.expect_event}). It takes all that is ready, of other pools too: these
    pools' workers may find nothing left. A wait that is ready and that its fiber leaves is dropped.

    All functions but {!close} are for fibers. *)

type event =
  | Readable of Unix.file_descr
  | Writable of Unix.file_descr
  | Ended of int  (** that child process, by a thread of its own *)

val await : ?deadline:int -> what:string -> call:string -> event -> unit
(** Suspends the calling fiber until it may have happened. A cancellation point; [what] is for reports. A pool
    that is being closed ends the wait, whatever its deadline.
    @raise Weft.Cancel.Timeout at the moment [deadline] ({!Weft_scheduler.Clock.after}).
    @raise Unix.Unix_error
      [(EBADF, call, "")] if the descriptor is not open, or is closed by {!close} meanwhile. *)

val pause : what:string -> float -> unit
(** Suspends the calling fiber for so many seconds. A cancellation point; closing the pool ends it. *)

val close : Unix.file_descr -> unit
(** Ends the waits for it, then closes it. From any thread. *)
